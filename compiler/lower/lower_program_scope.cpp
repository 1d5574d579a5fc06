// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_program_scope.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/replace_global.h"
#include "compiler/lower/checked_objects.h"
#include "compiler/lower/lower_static_guards.h"
#include "compiler/support/build.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <cstring>

namespace heddle::compiler {
namespace {

using Variables = llvm::SmallSetVector<llvm::GlobalVariable*, 16>;

void add_referenced(const llvm::Constant* constant, Variables& found) {
  for (const auto& operand : constant->operands()) {
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(operand.get()))
      found.insert(variable);
    else if (const auto* inner = llvm::dyn_cast<llvm::Constant>(operand.get()))
      add_referenced(inner, found);
  }
}

// The variables whose initializers use `value`.
void add_referring(const llvm::Value& value, Variables& found) {
  for (const auto* user : value.users()) {
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(user))
      found.insert(const_cast<llvm::GlobalVariable*>(variable));
    else if (llvm::isa<llvm::Constant>(user))
      add_referring(*user, found);
  }
}

// Writes initializers into the block's image.
class Image {
 public:
  Image(const llvm::DataLayout& layout, ProgramMetadata& metadata,
        const llvm::DenseMap<llvm::GlobalVariable*, std::uint64_t>& offsets)
      : layout_(layout), metadata_(metadata), offsets_(offsets) {}

  // False if the initializer has no constant bytes.
  bool write(const llvm::Constant* value, std::uint64_t at) {
    auto* type = value->getType();
    if (value->isNullValue() || llvm::isa<llvm::UndefValue>(value))
      return true;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      store(number->getValue(), at, layout_.getTypeStoreSize(type));
      return true;
    }
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      store(number->getValueAPF().bitcastToAPInt(), at, layout_.getTypeStoreSize(type));
      return true;
    }
    if (type->isPointerTy())
      return write_pointer(value, at);
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const auto* places = layout_.getStructLayout(structure);
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        if (!write(value->getAggregateElement(i), at + places->getElementOffset(i)))
          return false;
      return true;
    }
    llvm::Type* element = nullptr;
    std::uint64_t count = 0;
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      element = array->getElementType();
      count = array->getNumElements();
    } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      element = vector->getElementType();
      count = vector->getNumElements();
    } else {
      return false;
    }
    const auto step = layout_.getTypeAllocSize(element);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto* part = value->getAggregateElement(static_cast<unsigned>(i));
      if (part == nullptr || !write(part, at + i * step))
        return false;
    }
    return true;
  }

 private:
  void store(const llvm::APInt& bits, std::uint64_t at, std::uint64_t size) {
    for (std::uint64_t i = 0; i < size; ++i)
      metadata_.program_scope[at + i] = static_cast<std::byte>(bits.extractBitsAsZExtValue(
          std::min<unsigned>(8, bits.getBitWidth() - static_cast<unsigned>(8 * i)),
          static_cast<unsigned>(8 * i)));
  }

  bool write_pointer(const llvm::Constant* value, std::uint64_t at) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = value;
    while (!llvm::isa<llvm::GlobalVariable>(base)) {
      if (const auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(base))
        base = cast->getPointerOperand();
      else if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(base);
               gep != nullptr && gep->accumulateConstantOffset(layout_, offset))
        base = gep->getPointerOperand();
      else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(base);
               constant != nullptr && constant->isNullValue())
        return write(llvm::ConstantInt::get(constant->getContext(), offset), at);
      else
        return false;
    }
    const auto place = offsets_.find(llvm::cast<llvm::GlobalVariable>(base));
    if (place == offsets_.end())
      return false;
    offset += place->second;
    store(offset, at, 8);
    metadata_.program_scope_relocations.push_back(at);
    return true;
  }

  const llvm::DataLayout& layout_;
  ProgramMetadata& metadata_;
  const llvm::DenseMap<llvm::GlobalVariable*, std::uint64_t>& offsets_;
};

// Replaces the variable by its address in the program's block.
void replace(llvm::GlobalVariable& variable, std::uint64_t offset, bool is_checked) {
  auto* pointer = variable.getType();
  const auto& layout = variable.getDataLayout();
  auto* type = variable.getValueType();
  const std::uint64_t bytes = layout.getTypeAllocSize(type);
  const auto align = std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(type));
  replace_global_uses(variable, [&](AbiBuilder& access, llvm::Value* group) -> llvm::Value* {
    auto* block = access.load_invariant(access.launch_of(group),
                                        offsetof(abi::Launch, program_scope), pointer);
    auto* address = access.field(block, offset);
    return is_checked ? create_program_variable(access.builder(), *address, offset, bytes, align)
                      : address;
  });
}

} // namespace

// The variables that live in the block.
static Variables find_variables(llvm::Module& module) {
  Variables found;
  for (auto& variable : module.globals())
    if (variable.getAddressSpace() == kGlobal && !variable.isDeclaration() &&
        !variable.getName().starts_with("llvm."))
      found.insert(&variable);
  // The address of the block is known only at run time, so whatever contains such an address has to
  // be in the block, too.
  for (std::size_t i = 0; i < found.size(); ++i) {
    add_referring(*found[i], found);
    if (found[i]->hasInitializer())
      add_referenced(llvm::ConstantStruct::getAnon({found[i]->getInitializer()}), found);
  }
  return found;
}

bool collect_program_scope(llvm::Module& module, Build& build) {
  const auto members = find_variables(module);
  const auto& layout = module.getDataLayout();
  auto& metadata = build.metadata;
  llvm::DenseMap<llvm::GlobalVariable*, std::uint64_t> offsets;
  Variables found; // in the order of the module
  std::uint64_t end = 0;
  llvm::Align alignment(1);
  for (auto& variable : module.globals()) {
    if (!members.contains(&variable))
      continue;
    found.insert(&variable);
    auto* type = variable.getValueType();
    const auto needed = std::max(variable.getAlign().valueOrOne(), layout.getABITypeAlign(type));
    alignment = std::max(alignment, needed);
    offsets[&variable] = llvm::alignTo(end, needed);
    const std::uint64_t bytes = layout.getTypeAllocSize(type);
    end = offsets[&variable] + bytes;
    metadata.variables.push_back({variable.getName().str(), offsets[&variable], bytes, false});
    variable.addAttribute(kProgramScopeAttribute, llvm::utostr(offsets[&variable]));
    if (variable.hasAttribute(kStaticGuardAttribute))
      metadata.static_guards.push_back(offsets[&variable]);
  }
  if (found.empty())
    return true;
  constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{1} << 30;
  if (end > kMaxBlockBytes)
    return build.error("the program's variables take more than 1 GiB");
  metadata.program_scope.resize(end);
  metadata.program_scope_alignment = static_cast<std::uint32_t>(alignment.value());
  Image image(layout, metadata, offsets);
  for (auto* variable : found)
    if (variable->hasInitializer() && !image.write(variable->getInitializer(), offsets[variable]))
      return build.error("the initializer of '" + variable->getName() +
                         "' cannot be evaluated when the program is built");
  return true;
}

static void lower_program_scope(llvm::Module& module, Kernels& kernels, bool is_checked) {
  const auto& layout = module.getDataLayout();
  llvm::SmallVector<std::pair<llvm::GlobalVariable*, std::uint64_t>, 16> found;
  for (auto& variable : module.globals()) {
    std::uint64_t offset = 0;
    if (variable.getAttribute(kProgramScopeAttribute).getValueAsString().getAsInteger(10, offset))
      continue;
    found.emplace_back(&variable, offset);
    const std::uint64_t bytes = layout.getTypeAllocSize(variable.getValueType());
    for (auto& kernel : kernels)
      kernel.metadata.variables.push_back({variable.getName().str(), offset, bytes, false});
  }
  for (const auto& [variable, offset] : found)
    replace(*variable, offset, is_checked);
  for (const auto& [variable, offset] : found)
    variable->setInitializer(nullptr);
  for (const auto& [variable, offset] : found) {
    variable->replaceAllUsesWith(llvm::PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
}

llvm::PreservedAnalyses CollectProgramScopePass::run(llvm::Module& module,
                                                     llvm::ModuleAnalysisManager& /*analyses*/) {
  collect_program_scope(module, compilation_.build);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerProgramScopePass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_program_scope(module, compilation_.kernels, compilation_.checks_memory());
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
