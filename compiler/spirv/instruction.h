// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of a module, and what their ids stand for.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

#include <spirv/unified1/spirv.hpp11>

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

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

} // namespace heddle::compiler::spirv
