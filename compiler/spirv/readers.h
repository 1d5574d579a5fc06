// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function reads an instruction, by opcode: each file of this folder adds its own. And what
// the readers of one subject need of another.
#pragma once

#include "compiler/spirv/translation.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace heddle::compiler::spirv {

using Read = void(Translation& t, const Instruction& instruction);

class Readers {
 public:
  void add(Read* read, std::initializer_list<spv::Op> ops) { add(read, ops, in_functions_); }
  void add_outside(Read* read, std::initializer_list<spv::Op> ops) { add(read, ops, outside_); }
  // Null for an instruction that does not stand there.
  Read* in_functions(spv::Op op) const { return in_functions_.lookup(static_cast<Word>(op)); }
  Read* outside(spv::Op op) const { return outside_.lookup(static_cast<Word>(op)); }

 private:
  using Table = llvm::DenseMap<Word, Read*>;
  static void add(Read* read, std::initializer_list<spv::Op> ops, Table& table) {
    for (const auto op : ops)
      table[static_cast<Word>(op)] = read;
  }
  Table in_functions_, outside_; // of functions
};

// An instruction that SPIRV-Headers may be too old to name.
constexpr spv::Op op(Word number) { return static_cast<spv::Op>(number); }

// module.cpp
const Readers& readers();
void read_instruction(Translation& t, const Instruction& instruction); // in a function
// From front to end. Throws Refusal.
std::unique_ptr<llvm::Module> translate(Build& build, std::span<const Word> words);

void add_abort(Readers& readers);
void add_aliasing(Readers& readers);
void add_arithmetic(Readers& readers);
void add_assembly(Readers& readers);
void add_atomics(Readers& readers);
void add_comparisons(Readers& readers);
void add_composites(Readers& readers);
void add_constants(Readers& readers);
void add_control_flow(Readers& readers);
void add_conversions(Readers& readers);
void add_copies(Readers& readers);
void add_decorations(Readers& readers);
void add_device_enqueue(Readers& readers);
void add_extended_instructions(Readers& readers);
void add_extensions(Readers& readers);
void add_function_pointers(Readers& readers);
void add_groups(Readers& readers);
void add_images(Readers& readers);
void add_literal_data(Readers& readers);
void add_masked_access(Readers& readers);
void add_memory(Readers& readers);
void add_module(Readers& readers);
void add_named_barriers(Readers& readers);
void add_pipes(Readers& readers);
void add_types(Readers& readers);
void add_untyped_pointers(Readers& readers);
void add_variables(Readers& readers);

// aliasing.cpp
void make_alias_lists(Translation& t);
llvm::MDNode* alias_list(const Translation& t, Word id);
void set_aliasing(Translation& t, llvm::Instruction* access, llvm::MDNode* scopes,
                  llvm::MDNode* others);

// argument_words.cpp
llvm::StringRef argument_words(Translation& t, llvm::StringRef prefix, llvm::StringRef kernel);
std::string type_word(const Translation& t, Word type);

// arithmetic.cpp: floating-point that the device calculates with.
void require_floats(const Translation& t, const llvm::Type* type);

// atomics.cpp
void barrier(Translation& t, const Instruction& instruction);
void memory_barrier(Translation& t, Word scope, Word semantics);

// block_order.cpp
struct BlockPlace {
  std::size_t at;      // of its label
  std::size_t line_at; // of the OpLine that is in effect there; 0 if none is
  llvm::SmallVector<unsigned, 2> targets;
};
std::vector<BlockPlace> find_blocks(Translation& t, std::size_t body);
std::vector<unsigned> dominance_order(const std::vector<BlockPlace>& blocks);

// builtin_calls.cpp: for a type of OpenCL C that is no number, such as "ocl_sampler".
MangledTypeRef mangled_named(llvm::StringRef name);

// composites.cpp
// The value as one of another structure or array whose members match.
llvm::Value* copied_logically(Translation& t, llvm::Value* value, const Type& from, const Type& to);
// The type of one member or element; refuses an index that is of none.
const Type* member_index(const Translation& t, const Type* composite, Word index);

// control_flow.cpp
void label(Translation& t, const Instruction& instruction);
void complete_phis(Translation& t);
void attach_loops(Translation& t);

// copies.cpp
// `rest`: number of elements, stride, event.
void copy_async(Translation& t, Word result, Word result_type, Word to, Word from,
                llvm::Type* element, Words rest);
void group_async_copies(Translation& t, const Instruction& instruction);

// device_enqueue.cpp
llvm::Value* entry_alloca(Translation& t, llvm::Type* type);

// function_pointers.cpp
void check_function_pointers(Translation& t);
llvm::BasicBlock* first_of_block(const Translation& t, llvm::BasicBlock* block);
llvm::BasicBlock* end_of_block(const Translation& t, llvm::BasicBlock* block);

// functions.cpp
void declare_functions(Translation& t, std::size_t at);
void define_functions(Translation& t);
void check_calls(Translation& t);

// groups.cpp
enum class GroupScope { work_group, sub_group };
GroupScope group_scope(Translation& t, Word id);

// images.cpp
void image_type(Translation& t, const Instruction& instruction);
std::string image_word(const Translation& t, const Type& image);
const char* access_word(const Translation& t, const Type& image);
const Type& image_of_value(const Translation& t, Word id);
Argument image_argument(Translation& t, Word id);
llvm::Value* sampler_value(Translation& t, Word bits);

// imports.cpp
const Import* find_import(Translation& t, const llvm::Function& function); // null: one like others
void call_import(Translation& t, const Import& import, const Instruction& call);

// kernels.cpp
void make_kernels(Translation& t);
bool is_block(const Translation& t, Word function_type);
void apply_mode(Translation& t, const EntryPoint::Mode& mode, llvm::Function& kernel);

// masked_access.cpp
llvm::Value* pointers(Translation& t, Word id, const char* what);
bool is_pointers(const Translation& t, const Type& vector);
const Type& pointer_type_of(const Translation& t, const Type& pointer_or_vector);
llvm::Value* for_components(Translation& t, llvm::Value* value, llvm::Type* result,
                            llvm::function_ref<llvm::Value*(llvm::Value*)> make);
void cast_pointers(Translation& t, const Instruction& instruction);

// memory.cpp
struct Access {
  llvm::MaybeAlign alignment;
  bool is_volatile = false;
  bool is_nontemporal = false;
  llvm::MDNode* scopes = nullptr; // of aliasing
  llvm::MDNode* others = nullptr;
};
Access access(Translation& t, Words words, std::size_t* used = nullptr);
void annotate(Translation& t, llvm::Instruction* made, const Access& how);

// opencl_std.cpp
void library_call(Translation& t, const Instruction& instruction);

// variables.cpp
// By the name in the specification; of a known one, whether it has dimensions.
std::optional<Word> builtin_of_name(llvm::StringRef name);
bool has_dimensions(Word which);
llvm::Value* builtin_variable(Translation& t, Word which, Word variable);
llvm::Value* builtin_component(Translation& t, Word which, llvm::Type* type,
                               llvm::Value* dimension);
llvm::Value* builtin_value(Translation& t, Word which, llvm::Type* type);

} // namespace heddle::compiler::spirv
