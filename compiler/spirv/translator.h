// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module while it is translated. The files of this folder define its members by subject.
//
// Everything that comes from the module is checked where it is used: LLVM's own checks are not
// there in release builds. refuse() throws and names the instruction at hand.
#pragma once

#include "compiler/ir/mangled_name.h"
#include "compiler/spirv/refusal.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <vector>

namespace llvm {
class InlineAsm;
}

namespace heddle::compiler {
class Build;
}

namespace heddle::compiler::spirv {

using Word = std::uint32_t;
using Words = llvm::ArrayRef<Word>;

// Sets of extended instructions, as OpExtInstImport names them.
enum ExtendedSet : Word { kOpenClStd, kGroupAsyncCopies, kOpenClDebug, kShaderDebug, kSkipped };

// An integer or a vector of them; not booleans.
inline bool is_integers(const llvm::Type* type) {
  return type->isIntOrIntVectorTy() && !type->isIntOrIntVectorTy(1);
}

// One instruction: words[0] has the opcode, words[1] is the first operand, as the specification
// counts them.
struct Instruction {
  spv::Op op = spv::Op::OpNop;
  std::size_t at = 0; // index of its first word in the module
  Words words;
  std::size_t length = 0; // words in the module, with those of its continuations

  Word operator[](std::size_t index) const { return words[index]; }
  std::size_t size() const { return words.size(); }
  Words from(std::size_t index) const {
    return index < words.size() ? words.drop_front(index) : Words();
  }
};

struct Type {
  spv::Op op = spv::Op::OpNop;
  llvm::Type* llvm = nullptr;
  Word element = 0;        // of vectors, arrays and pointers; a function's result
  std::uint64_t count = 0; // of vectors and arrays; a pipe's packet bytes are not known
  spv::StorageClass storage = spv::StorageClass::Function;
  Words members;                  // structures: member types; functions: parameter types
  unsigned depth = 0;             // of nesting
  std::uint64_t bytes = 0;        // allocated size, 0 where there is none
  unsigned odd_bits = 0;          // of integers that are not as wide as their LLVM type
  Word access = 0;                // of pipes and images
  spv::Dim dim = spv::Dim::Dim1D; // of images
  bool is_array = false;
  bool is_depth = false;
  bool is_untyped = false; // pointers of SPV_KHR_untyped_pointers

  bool is_image() const { return op == spv::Op::OpTypeImage || op == spv::Op::OpTypeSampledImage; }
};

enum class IdKind : std::uint8_t {
  none,
  type,
  value,
  block,
  text,
  set,
  group,
  variable_builtin,
  sampler, // OpConstantSampler
  assembly,
  assembly_target,
  other
};

struct Id {
  IdKind kind = IdKind::none;
  Word type = 0;     // of values: the id of the type
  Word function = 0; // ordinal of the function that the id belongs to; 0 for the module
  union {
    llvm::Value* value = nullptr;
    llvm::BasicBlock* block;
    Word index; // types: into types_; sets: which; texts: into texts_; builtin variables: which;
                // samplers: their bits; assembly: into assemblies_
  };
};

struct Decoration {
  Word target = 0;
  spv::Decoration kind{};
  Words operands;
};

// By id. The keys are wider than ids, so that no id of a module is one of the two keys that
// DenseMap keeps for itself.
template <typename T>
using IdMap = llvm::DenseMap<std::uint64_t, T>;

// What an entry point says of the function that it names.
struct EntryPoint {
  Word function = 0;
  llvm::StringRef name;
  struct Mode {
    spv::ExecutionMode mode;
    Words operands;
    bool operands_are_ids;
  };
  llvm::SmallVector<Mode, 4> modes;
};

// Whether integers whose sign SPIR-V does not tell are signed in a mangled name.
enum class Sign { is_signed, is_unsigned };

// What a call of the builtin library does to memory.
enum class Effect { none, reads, any };

class Translator {
 public:
  Translator(Build& build, std::span<const Word> words);
  // Throws Refusal.
  std::unique_ptr<llvm::Module> run();

 private:
  // translator.cpp: the module from front to end.
  void translate();
  void check_order(const Instruction& instruction);
  void module_instruction(const Instruction& instruction);
  void capability(Word number);
  void declare_extension(llvm::StringRef name);
  void import_set(const Instruction& instruction);
  void entry_point(const Instruction& instruction);
  void execution_mode(const Instruction& instruction, bool operands_are_ids);
  Instruction instruction_at(std::size_t at);
  void append_continuations(Instruction& instruction);
  void check_length(const Instruction& instruction) const;
  [[noreturn]] void refuse(const llvm::Twine& rule) const;
  void require(bool holds, const char* rule) const {
    if (!holds)
      refuse(rule);
  }

  // ids.cpp
  Id& new_id(Word id);
  const Id& id(Word id) const;
  // Cuts integers of odd widths to these.
  void define_value(Word id, Word type, llvm::Value* value);
  void define_result(const Instruction& instruction, llvm::Value* value);
  llvm::Value* value(Word id);
  llvm::Value* value_of(Word id, const llvm::Type* type, const char* what);
  llvm::Value* integer(Word id, const char* what);
  llvm::Value* pointer(Word id, const char* what);
  llvm::Constant* constant(Word id, const char* what);
  // The value of an integer constant of at most 64 bits.
  std::uint64_t constant_number(Word id, const char* what);
  const Type& type(Word id) const;
  const Type& type_of_value(Word id) const;
  const Type& pointee(Word pointer_value) const;
  // Of an untyped pointer, the type with the id `otherwise`.
  const Type& pointee(Word pointer_value, Word otherwise) const;
  bool is_untyped(Word pointer_value) const;
  llvm::Type* sized_type(Word id, const char* what) const;
  const Type& result_type(const Instruction& instruction) const { return type(instruction[1]); }
  llvm::BasicBlock* block(Word id) const;
  // A literal string that begins at `words`; refuses one without end. `used` is its words.
  llvm::StringRef text(Words words, std::size_t* used = nullptr) const;
  llvm::StringRef text_of_id(Word id) const;
  llvm::StringRef name(Word id) const;

  // decorations.cpp
  void decorate(Word target, Words words, bool operands_are_ids);
  void group_decorate(const Instruction& instruction);
  llvm::ArrayRef<Decoration> decorations(Word id);
  const Decoration* decoration(Word id, spv::Decoration kind);
  bool is_decorated(Word id, spv::Decoration kind) { return decoration(id, kind) != nullptr; }
  llvm::MaybeAlign alignment(Word id);
  std::optional<spv::FPRoundingMode> rounding(Word id);
  bool saturates(Word id);
  void set_fast_math(Word id);
  struct Linkage {
    llvm::StringRef name;
    enum Kind { none, exported, imported, linkonce } kind = none;
  };
  Linkage linkage(Word id);

  // types.cpp
  void type_instruction(const Instruction& instruction);
  void add_type(Word id, Type type);
  void pointer_type(const Instruction& instruction);
  unsigned address_space(spv::StorageClass storage) const;
  llvm::Type* opaque(llvm::StringRef name, Words numbers = {});

  // odd_integers.cpp
  unsigned odd_bits(const Type& type) const;
  unsigned odd_bits_of(Word value) const;
  llvm::Value* cut(llvm::Value* value, unsigned bits);
  // The value with its sign in all bits of the LLVM type.
  llvm::Value* with_sign(Word id, llvm::Value* value);
  void check_odd_integers(const Instruction& instruction) const;

  // constants.cpp
  void constant_instruction(const Instruction& instruction);
  llvm::Constant* number_constant(const Type& type, Words words);
  llvm::Constant* composite_constant(const Type& type, Words members);
  bool specialize(Word id, std::uint64_t& number, std::size_t bytes);
  void spec_constant_op(const Instruction& instruction);

  // literal_data.cpp
  void replicated_constant(const Instruction& instruction);
  void construct_replicated(const Instruction& instruction);
  void data_constant(const Instruction& instruction);

  // variables.cpp
  void module_variable(const Instruction& instruction);
  // By the name in the specification; of a known one, whether it has dimensions.
  static std::optional<Word> builtin_of_name(llvm::StringRef name);
  static bool has_dimensions(Word which);
  llvm::Value* builtin_variable(Word which, Word variable);
  llvm::Value* builtin_component(Word which, llvm::Type* type, llvm::Value* dimension);
  llvm::Value* builtin_value(Word which, llvm::Type* type);
  void function_variable(const Instruction& instruction);

  // functions.cpp
  void declare_functions(std::size_t at);
  std::size_t declare_function(std::size_t at);
  void define_functions();
  void define_function(std::size_t index);
  void define_block(std::size_t at);
  // block_order.cpp
  struct BlockPlace {
    std::size_t at;      // of its label
    std::size_t line_at; // of the OpLine that is in effect there; 0 if none is
    llvm::SmallVector<unsigned, 2> targets;
  };
  std::vector<BlockPlace> find_blocks(std::size_t body);
  static std::vector<unsigned> dominance_order(const std::vector<BlockPlace>& blocks);
  void parameter_attributes(llvm::Function& function, unsigned index, Word id, Word type);
  void complete_phis();
  void check_calls();
  bool is_import_known(llvm::StringRef name);

  // abort.cpp
  struct Shown;
  void show(llvm::Value* value, const Type& type, Shown& shown);
  void abort(const Instruction& instruction);

  // control_flow.cpp
  void phi(const Instruction& instruction);
  void label(const Instruction& instruction);
  void branch(const Instruction& instruction);
  void branch_conditional(const Instruction& instruction);
  void switch_over(const Instruction& instruction);
  void leave(const Instruction& instruction);
  void loop_merge(const Instruction& instruction);
  void loop_control(std::uint32_t mask, Words operands);
  void attach_loops();
  void call(const Instruction& instruction);

  // imports.cpp: what an imported function's name stands for.
  struct Import {
    enum { none, instruction, library, builtin_variable } kind = none;
    Word number = 0;
    std::optional<spv::FPRoundingMode> rounding;
    bool saturates = false;
  };
  const Import* import(const llvm::Function& function); // null: an import like others
  void call_import(const Import& import, const Instruction& call);

  // kernels.cpp
  void make_kernels();
  bool is_block(Word function_type) const;
  void describe_kernel(const EntryPoint& entry, llvm::Function& kernel, std::size_t index);
  void apply_mode(const EntryPoint::Mode& mode, llvm::Function& kernel);
  llvm::StringRef argument_words(llvm::StringRef prefix, llvm::StringRef kernel);
  std::string type_word(Word type) const;

  // instructions.cpp: everything inside functions, by opcode.
  void instruction(const Instruction& instruction);

  // arithmetic.cpp
  void binary(const Instruction& instruction, llvm::Instruction::BinaryOps op);
  // Floating-point that the device calculates with.
  void require_floats(const llvm::Type* type) const;
  llvm::Value* with_no_wrap(Word id, llvm::Value* value);
  void negate(const Instruction& instruction);
  void modulo(const Instruction& instruction);
  void extended_arithmetic(const Instruction& instruction);
  void dot(const Instruction& instruction);
  void bits(const Instruction& instruction);
  void integer_dot(const Instruction& instruction);

  // comparisons.cpp
  void compare_integers(const Instruction& instruction, llvm::CmpInst::Predicate predicate);
  void compare_floats(const Instruction& instruction, llvm::CmpInst::Predicate predicate);
  void classify(const Instruction& instruction);
  void logical(const Instruction& instruction);
  void any_or_all(const Instruction& instruction);
  void select(const Instruction& instruction);
  void compare_pointers(const Instruction& instruction);

  // conversions.cpp
  void convert(const Instruction& instruction);
  void saturate(const Instruction& instruction);
  void bitcast(const Instruction& instruction);
  void pointer_cast(const Instruction& instruction);
  llvm::Value* call_conversion(const Instruction& instruction, Sign from, Sign to, bool saturated);

  // composites.cpp
  void construct(const Instruction& instruction);
  void extract(const Instruction& instruction);
  void insert(const Instruction& instruction);
  void shuffle(const Instruction& instruction);
  void vector_element(const Instruction& instruction);
  // The value as one of another structure or array whose members match.
  llvm::Value* copied_logically(llvm::Value* value, const Type& from, const Type& to);
  // The type of one member or element; refuses an index that is of none.
  const Type* member_index(const Type* composite, Word index) const;

  // memory.cpp
  struct Access {
    llvm::MaybeAlign alignment;
    bool is_volatile = false;
    bool is_nontemporal = false;
    llvm::MDNode* scopes = nullptr; // of aliasing
    llvm::MDNode* others = nullptr;
  };
  Access access(Words words, std::size_t* used = nullptr);
  void annotate(llvm::Instruction* made, const Access& how);
  void load(const Instruction& instruction);
  void store(const Instruction& instruction);
  void copy_memory(const Instruction& instruction);
  void access_chain(const Instruction& instruction);
  void lifetime(const Instruction& instruction);

  // aliasing.cpp
  void declare_aliasing(const Instruction& instruction);
  void make_alias_lists();
  llvm::MDNode* alias_list(Word id) const;
  void set_aliasing(llvm::Instruction* access, llvm::MDNode* scopes, llvm::MDNode* others);

  // function_pointers.cpp
  void function_pointer(const Instruction& instruction);
  void check_function_pointers();
  void call_pointer(const Instruction& instruction);
  llvm::BasicBlock* first_of_block(llvm::BasicBlock* block) const;
  llvm::BasicBlock* end_of_block(llvm::BasicBlock* block) const;

  // atomics.cpp
  llvm::AtomicOrdering ordering(Word semantics);
  void atomic(const Instruction& instruction);
  void atomic_float(const Instruction& instruction, llvm::StringRef function);
  void barrier(const Instruction& instruction);
  void memory_barrier(Word scope, Word semantics);

  // named_barriers.cpp
  void initialize_named_barrier(const Instruction& instruction);
  void wait_at_named_barrier(const Instruction& instruction);

  // groups.cpp
  enum class GroupScope { work_group, sub_group };
  GroupScope group_scope(Word id);
  void group(const Instruction& instruction);
  void group_arithmetic(const Instruction& instruction, llvm::StringRef how, Sign sign,
                        bool non_uniform);
  void group_non_uniform(const Instruction& instruction);
  void sub_group_shuffle(const Instruction& instruction);

  // extension_instructions.cpp
  void sub_group_block(const Instruction& instruction);
  void sub_group_image_block(const Instruction& instruction);
  std::string block_function(const llvm::Type* type, bool is_write) const;
  void variable_length_array(const Instruction& instruction);
  void read_clock(const Instruction& instruction);
  void split_barrier(const Instruction& instruction);
  void bfloat16_conversion(const Instruction& instruction);
  void poison_or_freeze(const Instruction& instruction);
  void fused_multiply_add(const Instruction& instruction);

  void integer_function(const Instruction& instruction);
  void bitwise_function(const Instruction& instruction);
  void round_to_tf32(const Instruction& instruction);
  void prefetch_block(const Instruction& instruction);

  // masked_access.cpp
  llvm::Value* pointers(Word id, const char* what);
  bool is_pointers(const Type& vector) const;
  const Type& pointer_type_of(const Type& pointer_or_vector) const;
  llvm::Value* for_components(llvm::Value* value, llvm::Type* result,
                              llvm::function_ref<llvm::Value*(llvm::Value*)> make);
  llvm::Value* where(llvm::Value* condition, llvm::Value* otherwise,
                     llvm::function_ref<llvm::Value*()> make);
  void cast_pointers(const Instruction& instruction);
  void masked_access(const Instruction& instruction);
  void predicated_access(const Instruction& instruction);

  // inline_assembly.cpp
  void assembly_target(const Instruction& instruction);
  void assembly(const Instruction& instruction);
  void call_assembly(const Instruction& instruction);

  // copies.cpp
  void async_copy(const Instruction& instruction);
  // untyped_pointers.cpp
  void untyped_async_copy(const Instruction& instruction);
  // `rest`: number of elements, stride, event.
  void copy_async(Word result, Word result_type, Word to, Word from, llvm::Type* element,
                  Words rest);
  void wait_events(const Instruction& instruction);
  void group_async_copies(const Instruction& instruction);
  llvm::Value* event_operand(Word id);
  bool copies_to_local(Word to, Word from);

  // pipes.cpp
  void pipe(const Instruction& instruction);

  // device_enqueue.cpp
  void device_queue(const Instruction& instruction);
  void build_range(const Instruction& instruction);
  void enqueue_kernel(const Instruction& instruction);
  void enqueue_query(const Instruction& instruction);
  llvm::Function* block_kernel(Word number, std::uint64_t alignment);
  std::pair<llvm::Value*, llvm::Value*> block_operands(Words operands, bool is_query);
  bool is_range(const Type& range) const;
  llvm::Value* range_operand(Word number);
  llvm::Value* event_pointer(Word number);
  llvm::Value* local_size(Word number);
  llvm::Value* entry_alloca(llvm::Type* type);
  llvm::Value* generic(llvm::Value* pointer);

  // images.cpp
  struct ImageOperands {
    llvm::Value* lod = nullptr; // unless it is level 0
    Word gradients[2] = {0, 0}; // ids, or 0
    bool is_signed = false, is_unsigned = false;
  };
  void image_type(const Instruction& instruction);
  std::string image_word(const Type& image) const;
  const char* access_word(const Type& image) const;
  const Type& image_of_value(Word id) const;
  void constant_sampler(const Instruction& instruction);
  llvm::Value* sampler_value(Word bits);
  void sampled_image(const Instruction& instruction);
  // The ids of an OpSampledImage's operands.
  std::pair<Word, Word> image_and_sampler(Word id) const;
  llvm::Value* coordinate(Word id, const Type& image, bool with_layer);
  ImageOperands image_operands(Words words);
  void read_image(const Instruction& instruction);
  void write_image(const Instruction& instruction);
  void query_image(const Instruction& instruction);

  // opencl_std.cpp
  void extended(const Instruction& instruction);
  void library_call(const Instruction& instruction);
  void library_memory(const Instruction& instruction, llvm::StringRef name);
  void print(const Instruction& instruction);

  // builtin_calls.cpp: calls of the builtin library by Clang's mangled names.
  struct Argument {
    llvm::Value* value;
    MangledTypeRef type;
  };
  MangledTypeRef mangled(Word type, Sign sign) const;
  MangledTypeRef mangled(const llvm::Type* type, Sign sign) const;
  // For a pointer of an address space, with qualifiers such as "K" or "VU7_Atomic".
  MangledTypeRef mangled_pointer(MangledTypeRef pointee, unsigned space,
                                 llvm::StringRef qualifiers = "") const;
  // For a type of OpenCL C that is no number, such as "ocl_sampler".
  static MangledTypeRef mangled_named(llvm::StringRef name);
  Argument argument(Word id, Sign sign);
  Argument argument(llvm::Value* value, Sign sign) const {
    return {value, mangled(value->getType(), sign)};
  }
  Argument image_argument(Word id);
  llvm::Value* has_unsigned_channels(const Argument& image);
  llvm::CallInst* call_builtin(llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<Argument> arguments, Effect effect = Effect::none);
  llvm::CallInst* call_named(llvm::StringRef mangled, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> values, Effect effect = Effect::any);
  llvm::Value* to_bool(llvm::Value* value);
  llvm::Value* from_bool(llvm::Value* value);

  // debug_lines.cpp
  void source(const Instruction& instruction);
  void line(const Instruction& instruction);
  void no_line();
  void debug_instruction(const Instruction& instruction, bool is_shader);
  void set_line(llvm::StringRef path, unsigned line, unsigned column);
  std::pair<llvm::StringRef, unsigned> first_line(std::size_t body, Word* called = nullptr);
  bool leads_here(const llvm::DILocalScope* scope, const llvm::DILocation* site) const;
  void begin_scope(Word scope, Word inlined_at);
  void end_scope();
  // debug_scopes.cpp
  struct DebugEntry {
    Word number = 0;
    bool is_shader = false;
    Words operands;
  };
  const DebugEntry* debug_entry(Word id) const;
  std::optional<std::uint64_t> debug_constant(Word id) const;
  std::optional<std::uint64_t> debug_constant(const DebugEntry& entry, std::size_t index) const;
  unsigned debug_number(const DebugEntry& entry, std::size_t index) const;
  llvm::StringRef debug_text(const DebugEntry& entry, std::size_t index) const;
  llvm::DIFile* debug_file_of(const DebugEntry& entry, std::size_t index);
  llvm::DISubprogram* debug_function(const DebugEntry& entry);
  llvm::DILocalScope* debug_scope(Word id, unsigned depth);
  llvm::DILocation* debug_call_site(Word id, unsigned depth);
  llvm::DISubprogram* debug_function_of(Word function, std::size_t body);
  void begin_function_lines(std::size_t body, llvm::Function& function);
  llvm::DIFile* debug_file(llvm::StringRef path);
  void finish_debug();
  // debug_types.cpp
  struct DebugType {
    llvm::DIType* type = nullptr; // null: void, or not known
    std::uint64_t bits = 0;       // 0 if they are not known
    bool is_object = false;       // what a variable may have: neither void nor a function
  };
  DebugType debug_type(Word id, unsigned depth);
  DebugType make_debug_type(Word id, const DebugEntry& entry, unsigned depth);
  DebugType debug_basic_type(const DebugEntry& entry);
  DebugType debug_array_type(const DebugEntry& entry, unsigned depth);
  llvm::DISubroutineType* debug_function_type(const DebugEntry& entry, unsigned depth);
  llvm::DIScope* debug_type_scope(const DebugEntry& entry, std::size_t index, unsigned depth);
  // debug_composites.cpp
  static llvm::DINode::DIFlags debug_flags(unsigned flags);
  DebugType debug_enumeration(const DebugEntry& entry, unsigned depth);
  DebugType debug_composite(Word id, const DebugEntry& entry, unsigned depth);
  llvm::DIDerivedType* debug_member(Word id, llvm::DICompositeType* owner);
  void complete_debug_types();
  // debug_variables.cpp
  llvm::DIExpression* debug_expression(Word id);
  llvm::DILocalVariable* debug_local_variable(Word id, unsigned depth);
  llvm::DIGlobalVariableExpression* debug_global_variable(Word id, unsigned depth);
  llvm::DIVariable* debug_variable(Word id, unsigned depth);
  void describe_variable(const DebugEntry& record);
  void describe_global_variables();

  Build& build_;
  std::span<const Word> words_;
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::IRBuilder<> builder_;
  Instruction current_;                                // for messages
  std::map<std::size_t, std::vector<Word>> continued_; // by place: long instructions in one piece

  // Ids, in blocks that are allocated when one of their ids is used.
  static constexpr Word kIdsInBlock = 1024;
  std::vector<std::unique_ptr<Id[]>> ids_;
  Word bound_ = 0;
  std::deque<Type> types_; // references to them stay good
  std::vector<llvm::StringRef> texts_;
  IdMap<std::pair<Word, Word>> sampled_images_; // OpSampledImage: its operands
  IdMap<llvm::StringRef> names_;
  llvm::StringMap<llvm::StringRef> kernel_texts_; // "kernel_arg_type.NAME" and such
  std::vector<Decoration> decorations_;
  bool decorations_sorted_ = false;
  std::vector<EntryPoint> entry_points_;
  IdMap<Word> entry_of_function_;
  std::map<std::pair<Word, std::uint64_t>, llvm::Function*> block_kernels_; // function, alignment
  struct Assembly {
    llvm::InlineAsm* code;
    std::string constraints;
    bool is_pure;
  };
  std::vector<Assembly> assemblies_;
  bool has_pointer_vectors_ = false; // has the capability MaskedGatherScatterINTEL
  bool has_odd_integers_ = false;    // has the capability ArbitraryPrecisionIntegersALTERA
  bool enqueues_ = false;            // has the capability DeviceEnqueue
  bool is_for_kernels_ = false;      // has the capability Kernel
  unsigned section_ = 0;
  bool has_memory_model_ = false;
  bool contracts_ = true; // no entry point has ContractionOff
  bool flushes_denormals_ = false, preserves_denormals_ = false; // of floats
  bool preserves_special_values_ = false; // zeros' signs, infinities and NaNs
  bool zeroes_private_ = false;           // cl_khr_initialize_memory
  bool divides_roughly_ = true;           // not -cl-fp32-correctly-rounded-divide-sqrt
  bool is_described_as_cxx_ = false;      // by its debug information
  llvm::FastMathFlags fast_math_;         // of the build options

  struct Function {
    std::size_t at;   // of OpFunction
    std::size_t body; // of the first OpLabel; 0 for imports
    Word id;
    Word type;
    llvm::SmallVector<Word, 8> parameters;
    llvm::Function* llvm;
  };
  std::vector<Function> functions_;
  Word function_ = 0; // ordinal of the one that is being defined; 0 outside

  struct Phi {
    Instruction instruction;
    llvm::PHINode* node;
  };
  std::vector<Phi> phis_;
  IdMap<Word> variable_contents_; // of untyped builtin variables
  // Of aliasing, by id; of the function, the lists whose scopes have begun in a block.
  IdMap<llvm::MDNode*> alias_domains_, alias_scopes_, alias_lists_;
  std::vector<std::size_t> alias_lists_at_; // their declarations
  llvm::DenseSet<std::pair<llvm::BasicBlock*, llvm::MDNode*>> scopes_begun_;
  bool saves_memory_ = false; // the function has saved memory before
  struct FunctionNumber {
    std::size_t number = 0; // 0: none
    Word type = 0;
    std::size_t at = 0;
  };
  std::map<Word, FunctionNumber> function_numbers_; // of those whose address is taken
  // Of the function: blocks that calls through pointers have split.
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> block_ends_, first_blocks_;
  struct Loop {
    llvm::BasicBlock* header;
    llvm::SmallVector<llvm::Metadata*, 4> properties;
  };
  std::vector<Loop> loops_;
  IdMap<llvm::Value*> builtin_copies_; // of the function: variables whose address is used
  llvm::DenseMap<llvm::Value*, Word> loaded_builtins_; // of the function: whole vectors of ids
  std::map<const llvm::Function*, Import> imports_;
  const Import* imported_ = nullptr;          // whose instruction is being translated
  llvm::StringMap<llvm::Function*> declared_; // by key: builtin name and types

  std::unique_ptr<llvm::DIBuilder> debug_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::StringRef source_file_;
  IdMap<llvm::StringRef> debug_sources_; // DebugSource: its file
  llvm::StringMap<llvm::DIFile*> debug_files_;
  IdMap<DebugEntry> debug_entries_;
  IdMap<Word> debug_definitions_; // of OpFunction: its DebugFunction
  IdMap<llvm::DILocalScope*> debug_scopes_;
  IdMap<llvm::DILocation*> debug_call_sites_;
  llvm::DenseSet<const llvm::DISubprogram*> described_; // those that a function has
  llvm::DISubprogram* subprogram_ = nullptr;            // of the function
  llvm::DILocalScope* scope_ = nullptr;                 // of DebugScope
  llvm::DILocation* call_site_ = nullptr;
  llvm::StringRef place_path_; // of the current line
  // With -g.
  IdMap<DebugType> debug_types_;
  IdMap<llvm::DINamespace*> debug_namespaces_;
  std::vector<std::pair<llvm::DICompositeType*, Word>> open_composites_; // without members yet
  std::vector<std::pair<llvm::DISubprogram*, Word>> open_functions_;     // without signatures yet
  IdMap<llvm::DILocalVariable*> debug_locals_;
  IdMap<llvm::DIGlobalVariableExpression*> debug_globals_;
  std::vector<Word> debug_global_numbers_;
  // Of the function.
  llvm::DenseMap<unsigned, const llvm::DILocalVariable*> arguments_;
  llvm::DenseSet<std::pair<const llvm::DILocalVariable*, const llvm::DILocation*>>
      declared_variables_;
};

} // namespace heddle::compiler::spirv
