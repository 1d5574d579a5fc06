// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, copies and addresses.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

constexpr auto kUntypedAccess = static_cast<Op>(4419);
constexpr auto kUntypedInBoundsAccess = static_cast<Op>(4420);
constexpr auto kUntypedPtrAccess = static_cast<Op>(4423);
constexpr auto kUntypedInBoundsPtrAccess = static_cast<Op>(4424);

void load(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  const auto& variable = t.id(instruction[3]);
  if (variable.kind == IdKind::variable_builtin) {
    t.require(t.pointee(instruction[3], t.variable_contents.lookup(instruction[3])).llvm ==
                  result.llvm,
              "the result has the type that the pointer points to");
    t.require(t.function_number != 0, "a builtin variable is used inside of functions");
    auto* loaded = builtin_value(t, variable.index, result.llvm);
    if (result.op == Op::OpTypeVector && result.count == 3)
      t.body.loaded_builtins[loaded] = variable.index;
    t.define_value(instruction[2], instruction[1], loaded);
    return;
  }
  auto* from = t.pointer(instruction[3], "what is loaded from");
  t.require(t.pointee(instruction[3], instruction[1]).llvm == result.llvm && result.bytes != 0,
            "the result has the type that the pointer points to");
  const auto how = access(t, instruction.from(4));
  auto* made = t.builder.CreateAlignedLoad(
      result.llvm, from,
      how.alignment.value_or(t.module->getDataLayout().getABITypeAlign(result.llvm)),
      how.is_volatile || t.is_decorated(instruction[3], spv::Decoration::Volatile));
  annotate(t, made, how);
  t.define_result(instruction, made);
}

void store(Translation& t, const Instruction& instruction) {
  auto* to = t.pointer(instruction[1], "what is stored to");
  const auto& content = t.pointee(instruction[1], t.id(instruction[2]).type);
  t.require(content.bytes != 0, "the pointer is to a type with a size");
  auto* stored = t.value_of(instruction[2], content.llvm, "what is stored");
  const auto how = access(t, instruction.from(3));
  auto* made = t.builder.CreateAlignedStore(
      stored, to, how.alignment.value_or(t.module->getDataLayout().getABITypeAlign(content.llvm)),
      how.is_volatile || t.is_decorated(instruction[1], spv::Decoration::Volatile));
  annotate(t, made, how);
}

void copy_memory(Translation& t, const Instruction& instruction) {
  auto* to = t.pointer(instruction[1], "the target");
  auto* from = t.pointer(instruction[2], "the source");
  const bool is_sized = instruction.op == Op::OpCopyMemorySized;
  llvm::Value* bytes = nullptr;
  llvm::Align natural(1);
  if (is_sized) {
    bytes =
        t.builder.CreateZExtOrTrunc(t.integer(instruction[3], "the size"), t.builder.getInt64Ty());
  } else {
    // One of the pointers may be untyped.
    const auto& content = t.pointee(t.is_untyped(instruction[1]) ? instruction[2] : instruction[1]);
    t.require((t.is_untyped(instruction[2]) || content.llvm == t.pointee(instruction[2]).llvm) &&
                  content.bytes != 0,
              "source and target have the same type");
    bytes = t.builder.getInt64(content.bytes);
    natural = t.module->getDataLayout().getABITypeAlign(content.llvm);
  }
  std::size_t used = 0;
  const auto words = instruction.from(is_sized ? 4 : 3);
  const auto target = access(t, words, &used);
  // A second mask, since 1.4, is the source's.
  const auto source = used < words.size() ? access(t, words.drop_front(used)) : target;
  auto* made = t.builder.CreateMemCpy(to, target.alignment.value_or(natural), from,
                                      source.alignment.value_or(natural), bytes,
                                      target.is_volatile || source.is_volatile);
  if (target.scopes == source.scopes && target.others == source.others)
    set_aliasing(t, made, target.scopes, target.others);
}

void access_chain(Translation& t, const Instruction& instruction) {
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
  auto* base = pointers(t, base_id, "the base");
  const auto& base_type = pointer_type_of(t, t.type_of_value(base_id));
  t.require(has_type || base_type.element != 0, "the base is a pointer to a known type");
  const auto* at = &t.type(has_type ? instruction[3] : base_type.element);
  t.require(at->bytes != 0, "the base points to a type with a size");
  auto* source = at->llvm;
  llvm::SmallVector<llvm::Value*, 6> path;
  auto rest = instruction.from(has_type ? 5 : 4);
  if (has_element) {
    t.require(!rest.empty(), "an element is an operand");
    path.push_back(t.with_sign(rest[0], t.integer(rest[0], "the element")));
    rest = rest.drop_front(1);
  } else {
    path.push_back(t.builder.getInt64(0));
  }
  for (const auto index : rest) {
    if (at->op == Op::OpTypeStruct) {
      const auto number = t.constant_number(index, "a structure's index");
      t.require(number < at->members.size(), "an index is of one of the structure's members");
      path.push_back(t.builder.getInt32(static_cast<std::uint32_t>(number)));
      at = &t.type(at->members[number]);
    } else {
      t.require(at->op == Op::OpTypeArray || at->op == Op::OpTypeVector,
                "an index goes into a structure, an array or a vector");
      path.push_back(t.with_sign(index, t.integer(index, "an index")));
      at = &t.type(at->element);
    }
  }
  const auto& whole = t.result_type(instruction);
  const auto& result = is_pointers(t, whole) ? pointer_type_of(t, whole) : whole;
  t.require(result.op == Op::OpTypePointer && result.llvm == base_type.llvm &&
                (has_type ? result.is_untyped
                          : result.element != 0 && t.type(result.element).llvm == at->llvm),
            "the result is a pointer, of the base's storage class, to what the indices lead to");
  // OpAccessChain without indices, and those that lead to the same place.
  const auto wraps = in_bounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  auto* made = for_components(t, base, whole.llvm, [&](llvm::Value* pointer) {
    return t.builder.CreateGEP(source, pointer, path, "", wraps);
  });
  // A builtin variable is private here, whatever its storage class (SYCL's say CrossWorkgroup).
  t.require(made->getType()->isVectorTy() == whole.llvm->isVectorTy(),
            "the result is a vector where the base is one");
  t.define_value(instruction[2], instruction[1], made);
}

void lifetime(Translation& t, const Instruction& instruction) {
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(t.pointer(instruction[1], "the variable"));
  if (variable == nullptr) // of a cast or an element: a hint that is of no use
    return;
  if (instruction.op == Op::OpLifetimeStart)
    t.builder.CreateLifetimeStart(variable);
  else
    t.builder.CreateLifetimeEnd(variable);
}

void size_of(Translation& t, const Instruction& instruction) {
  const auto& operand = t.id(instruction[3]);
  const auto& pointer_value = t.type(operand.kind == IdKind::type ? instruction[3] : operand.type);
  t.require(pointer_value.op == Op::OpTypePointer && pointer_value.element != 0,
            "the operand is a pointer");
  const auto& content = t.type(pointer_value.element);
  t.require(t.result_type(instruction).llvm->isIntegerTy(32),
            "the result is an integer of 32 bits");
  t.define_result(instruction, t.builder.getInt32(static_cast<Word>(content.bytes)));
}

void memory_semantics(Translation& t, const Instruction& instruction) {
  auto* given = t.pointer(instruction[3], "the operand");
  t.require(given->getType()->getPointerAddressSpace() == kGeneric, "the pointer is Generic");
  t.require(t.result_type(instruction).llvm->isIntegerTy(32),
            "the result is an integer of 32 bits");
  // get_fence() has the bits of WorkgroupMemory and CrossWorkgroupMemory, eight places lower.
  auto* flags = t.call_named("_Z9get_fencePU3AS4v", t.builder.getInt32Ty(), {given}, Effect::none);
  t.define_result(instruction, t.builder.CreateShl(flags, 8));
}

} // namespace

// Memory operands: a mask, and the operands of its bits in their order.
Access access(Translation& t, Words words, std::size_t* used) {
  Access result;
  std::size_t at = 0;
  if (!words.empty()) {
    const auto mask = words[at++];
    result.is_volatile = (mask & 1) != 0;
    result.is_nontemporal = (mask & 4) != 0;
    if ((mask & 2) != 0) {
      t.require(at < words.size(), "Aligned has an operand");
      const auto bytes = words[at++];
      // Translators write 0 for "not known".
      if (bytes != 0) {
        t.require(llvm::isPowerOf2_32(bytes) && bytes <= (1u << 30),
                  "an alignment is a power of two");
        result.alignment = llvm::Align(bytes);
      }
    }
    for (const auto bit : {0x10000u, 0x20000u}) // AliasScopeINTEL and NoAliasINTEL
      if ((mask & bit) != 0) {
        t.require(at < words.size(), "a memory access has its operands");
        (bit == 0x10000u ? result.scopes : result.others) = alias_list(t, words[at++]);
      }
    t.require((mask & ~0x30007u) == 0, "the memory operand is one of OpenCL's");
  }
  if (used != nullptr)
    *used = at;
  return result;
}

void annotate(Translation& t, llvm::Instruction* made, const Access& how) {
  if (how.is_nontemporal)
    made->setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(t.context, llvm::ConstantAsMetadata::get(t.builder.getInt32(1))));
  set_aliasing(t, made, how.scopes, how.others);
}

void add_memory(Readers& readers) {
  readers.add(size_of, {Op::OpSizeOf});
  readers.add(load, {Op::OpLoad});
  readers.add(store, {Op::OpStore});
  readers.add(copy_memory, {Op::OpCopyMemory, Op::OpCopyMemorySized});
  readers.add(access_chain, {Op::OpAccessChain, Op::OpInBoundsAccessChain, Op::OpPtrAccessChain,
                             Op::OpInBoundsPtrAccessChain, kUntypedAccess, kUntypedInBoundsAccess,
                             kUntypedPtrAccess, kUntypedInBoundsPtrAccess});
  readers.add(lifetime, {Op::OpLifetimeStart, Op::OpLifetimeStop});
  readers.add(memory_semantics, {Op::OpGenericPtrMemSemantics});
}

} // namespace heddle::compiler::spirv
