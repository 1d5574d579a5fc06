// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module while it is translated: its state, and what the readers of all subjects do with it.
//
// Everything that comes from the module is checked where it is used: LLVM's own checks are not
// there in release builds. refuse() throws and names the instruction at hand.
#pragma once

#include "compiler/ir/mangled_name.h"
#include "compiler/spirv/debug_info.h"
#include "compiler/spirv/instruction.h"
#include "compiler/spirv/refusal.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <deque>
#include <map>
#include <span>

namespace llvm {
class InlineAsm;
}

namespace heddle::compiler {
class Build;
}

namespace heddle::compiler::spirv {

// Whether integers whose sign SPIR-V does not tell are signed in a mangled name.
enum class Sign { is_signed, is_unsigned };

// What a call of the builtin library does to memory.
enum class Effect { none, reads, any };

struct Linkage {
  llvm::StringRef name;
  enum Kind { none, exported, imported, linkonce } kind = none;
};

// What an imported function's name stands for.
struct Import {
  enum { none, instruction, library, builtin_variable } kind = none;
  Word number = 0;
  std::optional<spv::FPRoundingMode> rounding;
  bool saturates = false;
};

struct Argument {
  llvm::Value* value;
  MangledTypeRef type;
};

struct Assembly {
  llvm::InlineAsm* code;
  std::string constraints;
  bool is_pure;
};

struct Function {
  std::size_t at;   // of OpFunction
  std::size_t body; // of the first OpLabel; 0 for imports
  Word id;
  Word type;
  llvm::SmallVector<Word, 8> parameters;
  llvm::Function* llvm;
};

struct FunctionNumber {
  std::size_t number = 0; // 0: none
  Word type = 0;
  std::size_t at = 0;
};

struct Phi {
  Instruction instruction;
  llvm::PHINode* node;
};

struct Loop {
  llvm::BasicBlock* header;
  llvm::SmallVector<llvm::Metadata*, 4> properties;
};

// What belongs to the function that is being defined.
struct FunctionBody {
  std::vector<Phi> phis;
  std::vector<Loop> loops;
  // The lists of aliasing whose scopes have begun in a block.
  llvm::DenseSet<std::pair<llvm::BasicBlock*, llvm::MDNode*>> scopes_begun;
  bool saves_memory = false; // has saved memory before
  // Blocks that calls through pointers have split.
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> block_ends, first_blocks;
  IdMap<llvm::Value*> builtin_copies;                 // variables whose address is used
  llvm::DenseMap<llvm::Value*, Word> loaded_builtins; // whole vectors of ids
};

struct Translation {
  Translation(Build& build, std::span<const Word> words);

  Instruction instruction_at(std::size_t at);
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
  llvm::ArrayRef<Decoration> decorations(Word id);
  const Decoration* decoration(Word id, spv::Decoration kind);
  bool is_decorated(Word id, spv::Decoration kind) { return decoration(id, kind) != nullptr; }
  llvm::MaybeAlign alignment(Word id);
  std::optional<spv::FPRoundingMode> rounding(Word id);
  bool saturates(Word id);
  void set_fast_math(Word id);
  Linkage linkage(Word id);

  // types.cpp
  void add_type(Word id, Type type);
  unsigned address_space(spv::StorageClass storage) const;
  llvm::Type* opaque(llvm::StringRef name, Words numbers = {});

  // odd_integers.cpp
  unsigned odd_bits(const Type& type) const;
  unsigned odd_bits_of(Word value) const;
  llvm::Value* cut(llvm::Value* value, unsigned bits);
  // The value with its sign in all bits of the LLVM type.
  llvm::Value* with_sign(Word id, llvm::Value* value);
  void check_odd_integers(const Instruction& instruction) const;

  // builtin_calls.cpp: calls of the builtin library by Clang's mangled names.
  MangledTypeRef mangled(Word type, Sign sign) const;
  MangledTypeRef mangled(const llvm::Type* type, Sign sign) const;
  // For a pointer of an address space, with qualifiers such as "K" or "VU7_Atomic".
  MangledTypeRef mangled_pointer(MangledTypeRef pointee, unsigned space,
                                 llvm::StringRef qualifiers = "") const;
  Argument argument(Word id, Sign sign);
  Argument argument(llvm::Value* value, Sign sign) const {
    return {value, mangled(value->getType(), sign)};
  }
  llvm::CallInst* call_builtin(llvm::StringRef name, llvm::Type* result,
                               llvm::ArrayRef<Argument> arguments, Effect effect = Effect::none);
  llvm::CallInst* call_named(llvm::StringRef mangled, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> values, Effect effect = Effect::any);
  llvm::Value* to_bool(llvm::Value* value);
  llvm::Value* from_bool(llvm::Value* value);

  Build& build;
  std::span<const Word> words;
  llvm::LLVMContext& context;
  std::unique_ptr<llvm::Module> module;
  llvm::IRBuilder<> builder;
  Instruction current;                                // for messages
  std::map<std::size_t, std::vector<Word>> continued; // by place: long instructions in one piece

  // Ids, in blocks that are allocated when one of their ids is used.
  static constexpr Word kIdsInBlock = 1024;
  std::vector<std::unique_ptr<Id[]>> ids;
  Word bound = 0;
  std::deque<Type> types; // references to them stay good
  std::vector<llvm::StringRef> texts;
  IdMap<std::pair<Word, Word>> sampled_images; // OpSampledImage: its operands
  IdMap<llvm::StringRef> names;
  llvm::StringMap<llvm::StringRef> kernel_texts; // "kernel_arg_type.NAME" and such
  std::vector<Decoration> all_decorations;
  bool decorations_sorted = false;
  std::vector<EntryPoint> entry_points;
  IdMap<Word> entry_of_function;
  std::map<std::pair<Word, std::uint64_t>, llvm::Function*> block_kernels; // function, alignment
  std::vector<Assembly> assemblies;
  bool has_pointer_vectors = false; // has the capability MaskedGatherScatterINTEL
  bool has_odd_integers = false;    // has the capability ArbitraryPrecisionIntegersALTERA
  bool enqueues = false;            // has the capability DeviceEnqueue
  bool is_for_kernels = false;      // has the capability Kernel
  unsigned section = 0;
  bool has_memory_model = false;
  bool contracts = true;                                       // no entry point has ContractionOff
  bool flushes_denormals = false, preserves_denormals = false; // of floats
  bool preserves_special_values = false;                       // zeros' signs, infinities and NaNs
  bool zeroes_private = false;                                 // cl_khr_initialize_memory
  bool divides_roughly = true;      // not -cl-fp32-correctly-rounded-divide-sqrt
  bool is_described_as_cxx = false; // by its debug information
  llvm::FastMathFlags fast_math;    // of the build options

  std::vector<Function> functions;
  Word function_number = 0; // ordinal of the one that is being defined; 0 outside

  IdMap<Word> variable_contents; // of untyped builtin variables
  // Of aliasing, by id; of the function, the lists whose scopes have begun in a block.
  IdMap<llvm::MDNode*> alias_domains, alias_scopes, alias_lists;
  std::vector<std::size_t> alias_lists_at;         // their declarations
  std::map<Word, FunctionNumber> function_numbers; // of those whose address is taken
  std::map<const llvm::Function*, Import> imports;
  const Import* imported = nullptr;          // whose instruction is being translated
  llvm::StringMap<llvm::Function*> declared; // by key: builtin name and types
  FunctionBody body;

  DebugInfo debug{*this};

 private:
  void append_continuations(Instruction& instruction);
};

} // namespace heddle::compiler::spirv
