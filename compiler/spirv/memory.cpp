// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, copies and addresses.
#include "compiler/spirv/translator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr auto kUntypedAccess = static_cast<Op>(4419);
constexpr auto kUntypedInBoundsAccess = static_cast<Op>(4420);
constexpr auto kUntypedPtrAccess = static_cast<Op>(4423);
constexpr auto kUntypedInBoundsPtrAccess = static_cast<Op>(4424);

} // namespace

// Memory operands: a mask, and the operands of its bits in their order.
Translator::Access Translator::access(Words words, std::size_t* used) {
  Access result;
  std::size_t at = 0;
  if (!words.empty()) {
    const auto mask = words[at++];
    result.is_volatile = (mask & 1) != 0;
    result.is_nontemporal = (mask & 4) != 0;
    if ((mask & 2) != 0) {
      require(at < words.size(), "Aligned has an operand");
      const auto bytes = words[at++];
      // Translators write 0 for "not known".
      if (bytes != 0) {
        require(llvm::isPowerOf2_32(bytes) && bytes <= (1u << 30),
                "an alignment is a power of two");
        result.alignment = llvm::Align(bytes);
      }
    }
    for (const auto bit : {0x10000u, 0x20000u}) // AliasScopeINTEL and NoAliasINTEL
      if ((mask & bit) != 0) {
        require(at < words.size(), "a memory access has its operands");
        (bit == 0x10000u ? result.scopes : result.others) = alias_list(words[at++]);
      }
    require((mask & ~0x30007u) == 0, "the memory operand is one of OpenCL's");
  }
  if (used != nullptr)
    *used = at;
  return result;
}

void Translator::annotate(llvm::Instruction* made, const Access& how) {
  if (how.is_nontemporal)
    made->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(builder_.getInt32(1))));
  set_aliasing(made, how.scopes, how.others);
}

void Translator::load(const Instruction& instruction) {
  const auto& result = result_type(instruction);
  const auto& variable = id(instruction[3]);
  if (variable.kind == IdKind::variable_builtin) {
    require(pointee(instruction[3], variable_contents_.lookup(instruction[3])).llvm == result.llvm,
            "the result has the type that the pointer points to");
    require(function_ != 0, "a builtin variable is used inside of functions");
    auto* loaded = builtin_value(variable.index, result.llvm);
    if (result.op == Op::OpTypeVector && result.count == 3)
      loaded_builtins_[loaded] = variable.index;
    define_value(instruction[2], instruction[1], loaded);
    return;
  }
  auto* from = pointer(instruction[3], "what is loaded from");
  require(pointee(instruction[3], instruction[1]).llvm == result.llvm && result.bytes != 0,
          "the result has the type that the pointer points to");
  const auto how = access(instruction.from(4));
  auto* made = builder_.CreateAlignedLoad(
      result.llvm, from,
      how.alignment.value_or(module_->getDataLayout().getABITypeAlign(result.llvm)),
      how.is_volatile || is_decorated(instruction[3], spv::Decoration::Volatile));
  annotate(made, how);
  define_result(instruction, made);
}

void Translator::store(const Instruction& instruction) {
  auto* to = pointer(instruction[1], "what is stored to");
  const auto& content = pointee(instruction[1], id(instruction[2]).type);
  require(content.bytes != 0, "the pointer is to a type with a size");
  auto* stored = value_of(instruction[2], content.llvm, "what is stored");
  const auto how = access(instruction.from(3));
  auto* made = builder_.CreateAlignedStore(
      stored, to, how.alignment.value_or(module_->getDataLayout().getABITypeAlign(content.llvm)),
      how.is_volatile || is_decorated(instruction[1], spv::Decoration::Volatile));
  annotate(made, how);
}

void Translator::copy_memory(const Instruction& instruction) {
  auto* to = pointer(instruction[1], "the target");
  auto* from = pointer(instruction[2], "the source");
  const bool is_sized = instruction.op == Op::OpCopyMemorySized;
  llvm::Value* bytes = nullptr;
  llvm::Align natural(1);
  if (is_sized) {
    bytes = builder_.CreateZExtOrTrunc(integer(instruction[3], "the size"), builder_.getInt64Ty());
  } else {
    // One of the pointers may be untyped.
    const auto& content = pointee(is_untyped(instruction[1]) ? instruction[2] : instruction[1]);
    require((is_untyped(instruction[2]) || content.llvm == pointee(instruction[2]).llvm) &&
                content.bytes != 0,
            "source and target have the same type");
    bytes = builder_.getInt64(content.bytes);
    natural = module_->getDataLayout().getABITypeAlign(content.llvm);
  }
  std::size_t used = 0;
  const auto words = instruction.from(is_sized ? 4 : 3);
  const auto target = access(words, &used);
  // A second mask, since 1.4, is the source's.
  const auto source = used < words.size() ? access(words.drop_front(used)) : target;
  auto* made = builder_.CreateMemCpy(to, target.alignment.value_or(natural), from,
                                     source.alignment.value_or(natural), bytes,
                                     target.is_volatile || source.is_volatile);
  if (target.scopes == source.scopes && target.others == source.others)
    set_aliasing(made, target.scopes, target.others);
}

void Translator::access_chain(const Instruction& instruction) {
  const bool has_element =
      instruction.op == Op::OpPtrAccessChain || instruction.op == Op::OpInBoundsPtrAccessChain ||
      instruction.op == kUntypedPtrAccess || instruction.op == kUntypedInBoundsPtrAccess;
  const bool in_bounds = instruction.op == Op::OpInBoundsAccessChain ||
                         instruction.op == Op::OpInBoundsPtrAccessChain ||
                         instruction.op == kUntypedInBoundsAccess ||
                         instruction.op == kUntypedInBoundsPtrAccess;
  // The untyped instructions have the type before the base.
  const bool has_type =
      instruction.op >= kUntypedAccess && instruction.op <= kUntypedInBoundsPtrAccess;
  const auto base_id = instruction[has_type ? 4 : 3];
  auto* base = pointers(base_id, "the base");
  const auto& base_type = pointer_type_of(type_of_value(base_id));
  require(has_type || base_type.element != 0, "the base is a pointer to a known type");
  const auto* at = &type(has_type ? instruction[3] : base_type.element);
  require(at->bytes != 0, "the base points to a type with a size");
  auto* source = at->llvm;
  llvm::SmallVector<llvm::Value*, 6> path;
  auto rest = instruction.from(has_type ? 5 : 4);
  if (has_element) {
    require(!rest.empty(), "an element is an operand");
    path.push_back(with_sign(rest[0], integer(rest[0], "the element")));
    rest = rest.drop_front(1);
  } else {
    path.push_back(builder_.getInt64(0));
  }
  for (const auto index : rest) {
    if (at->op == Op::OpTypeStruct) {
      const auto number = constant_number(index, "a structure's index");
      require(number < at->members.size(), "an index is of one of the structure's members");
      path.push_back(builder_.getInt32(static_cast<std::uint32_t>(number)));
      at = &type(at->members[number]);
    } else {
      require(at->op == Op::OpTypeArray || at->op == Op::OpTypeVector,
              "an index goes into a structure, an array or a vector");
      path.push_back(with_sign(index, integer(index, "an index")));
      at = &type(at->element);
    }
  }
  const auto& whole = result_type(instruction);
  const auto& result = is_pointers(whole) ? pointer_type_of(whole) : whole;
  require(result.op == Op::OpTypePointer && result.llvm == base_type.llvm &&
              (has_type ? result.is_untyped
                        : result.element != 0 && type(result.element).llvm == at->llvm),
          "the result is a pointer, of the base's storage class, to what the indices lead to");
  // OpAccessChain without indices, and those that lead to the same place.
  const auto wraps = in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  auto* made = for_components(base, whole.llvm, [&](llvm::Value* pointer) {
    return builder_.CreateGEP(source, pointer, path, "", wraps);
  });
  // A builtin variable is private here, whatever its storage class (SYCL's say CrossWorkgroup).
  require(made->getType()->isVectorTy() == whole.llvm->isVectorTy(),
          "the result is a vector where the base is one");
  define_value(instruction[2], instruction[1], made);
}

void Translator::lifetime(const Instruction& instruction) {
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer(instruction[1], "the variable"));
  if (variable == nullptr) // of a cast or an element: a hint that is of no use
    return;
  if (instruction.op == Op::OpLifetimeStart)
    builder_.CreateLifetimeStart(variable);
  else
    builder_.CreateLifetimeEnd(variable);
}

} // namespace heddle::compiler::spirv
