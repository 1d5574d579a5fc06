// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpVariable: of the module, of functions, and the builtin ones that stand for work-item functions.
#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

constexpr auto kUntypedVariable = static_cast<spv::Op>(4418);

// Work-item functions: of a dimension, or one number.
struct BuiltinVariable {
  spv::BuiltIn which;
  llvm::StringLiteral name;
  llvm::StringLiteral function; // mangled
  bool has_dimensions;
  unsigned bits; // of the function's result
};

constexpr BuiltinVariable kBuiltins[] = {
    {spv::BuiltIn::NumWorkgroups, "NumWorkgroups", "_Z14get_num_groupsj", true, 64},
    {spv::BuiltIn::WorkgroupSize, "WorkgroupSize", "_Z14get_local_sizej", true, 64},
    {spv::BuiltIn::WorkgroupId, "WorkgroupId", "_Z12get_group_idj", true, 64},
    {spv::BuiltIn::LocalInvocationId, "LocalInvocationId", "_Z12get_local_idj", true, 64},
    {spv::BuiltIn::GlobalInvocationId, "GlobalInvocationId", "_Z13get_global_idj", true, 64},
    {spv::BuiltIn::LocalInvocationIndex, "LocalInvocationIndex", "_Z19get_local_linear_idv", false,
     64},
    {spv::BuiltIn::WorkDim, "WorkDim", "_Z12get_work_dimv", false, 32},
    {spv::BuiltIn::GlobalSize, "GlobalSize", "_Z15get_global_sizej", true, 64},
    {spv::BuiltIn::EnqueuedWorkgroupSize, "EnqueuedWorkgroupSize", "_Z23get_enqueued_local_sizej",
     true, 64},
    {spv::BuiltIn::GlobalOffset, "GlobalOffset", "_Z17get_global_offsetj", true, 64},
    {spv::BuiltIn::GlobalLinearId, "GlobalLinearId", "_Z20get_global_linear_idv", false, 64},
    {spv::BuiltIn::SubgroupSize, "SubgroupSize", "_Z18get_sub_group_sizev", false, 32},
    {spv::BuiltIn::SubgroupMaxSize, "SubgroupMaxSize", "_Z22get_max_sub_group_sizev", false, 32},
    {spv::BuiltIn::NumSubgroups, "NumSubgroups", "_Z18get_num_sub_groupsv", false, 32},
    {spv::BuiltIn::NumEnqueuedSubgroups, "NumEnqueuedSubgroups", "_Z27get_enqueued_num_sub_groupsv",
     false, 32},
    {spv::BuiltIn::SubgroupId, "SubgroupId", "_Z16get_sub_group_idv", false, 32},
    {spv::BuiltIn::SubgroupLocalInvocationId, "SubgroupLocalInvocationId",
     "_Z22get_sub_group_local_idv", false, 32},
    {spv::BuiltIn::SubgroupEqMask, "SubgroupEqMask", "_Z21get_sub_group_eq_maskv", false, 128},
    {spv::BuiltIn::SubgroupGeMask, "SubgroupGeMask", "_Z21get_sub_group_ge_maskv", false, 128},
    {spv::BuiltIn::SubgroupGtMask, "SubgroupGtMask", "_Z21get_sub_group_gt_maskv", false, 128},
    {spv::BuiltIn::SubgroupLeMask, "SubgroupLeMask", "_Z21get_sub_group_le_maskv", false, 128},
    {spv::BuiltIn::SubgroupLtMask, "SubgroupLtMask", "_Z21get_sub_group_lt_maskv", false, 128},
};

const BuiltinVariable* find_builtin(Word which) {
  const auto* found = llvm::find_if(
      kBuiltins, [&](const auto& entry) { return static_cast<Word>(entry.which) == which; });
  return found != std::end(kBuiltins) ? found : nullptr;
}

const BuiltinVariable* find_builtin(llvm::StringRef name) {
  const auto* found =
      llvm::find_if(kBuiltins, [&](const auto& entry) { return entry.name == name; });
  return found != std::end(kBuiltins) ? found : nullptr;
}

void module_variable(Translation& t, const Instruction& instruction) {
  const auto& pointer = t.result_type(instruction);
  const auto number = instruction[2];
  t.require(pointer.op == spv::Op::OpTypePointer && (pointer.element != 0 || pointer.is_untyped),
            "a variable's type is a pointer to a known type");
  t.require(instruction[3] == static_cast<Word>(pointer.storage),
            "a variable has the storage class of its type");
  // OpUntypedVariableKHR has the type before the initializer.
  t.require((instruction.op == kUntypedVariable) == pointer.is_untyped,
            "the variable is typed as its pointer is");
  const std::size_t initializer = pointer.is_untyped ? 5 : 4;
  t.require(instruction.size() >= initializer, "a variable has a type");
  const auto& content = t.type(pointer.is_untyped ? instruction[4] : pointer.element);
  const auto link = t.linkage(number);
  const BuiltinVariable* found = nullptr;
  if (auto imported = link.name;
      link.kind == Linkage::imported && imported.consume_front("__spirv_BuiltIn"))
    found = find_builtin(imported);
  if (const auto* builtin = t.decoration(number, spv::Decoration::BuiltIn)) {
    t.require(!builtin->operands.empty(), "a builtin variable says which");
    found = find_builtin(builtin->operands[0]);
    if (found == nullptr)
      t.refuse("the builtin variable " + llvm::Twine(builtin->operands[0]) + " is not there");
  }
  if (found != nullptr) {
    const bool fits =
        found->has_dimensions ? content.op == spv::Op::OpTypeVector && content.count == 3 &&
                                    t.type(content.element).op == spv::Op::OpTypeInt
        : found->bits == 128 ? content.op == spv::Op::OpTypeVector && content.count == 4 &&
                                   t.type(content.element).bytes == 4 &&
                                   t.type(content.element).op == spv::Op::OpTypeInt
                             : content.op == spv::Op::OpTypeInt;
    t.require(fits, "a builtin variable has the type of what it stands for");
    auto& id = t.new_id(number);
    id.kind = IdKind::variable_builtin;
    id.type = instruction[1];
    id.index = static_cast<Word>(found->which);
    if (pointer.is_untyped)
      t.variable_contents[number] = instruction[4];
    return;
  }
  // Translators keep variables of the host language that nothing uses (numba-dpex); a use is
  // refused like that of any number without a definition.
  if (pointer.storage == spv::StorageClass::Function)
    return;
  const auto space = t.address_space(pointer.storage);
  t.require(space == 1 || space == 2 || space == 3,
            "a variable of the module is CrossWorkgroup, UniformConstant or Workgroup");
  t.require(content.bytes != 0 && !llvm::isa<llvm::TargetExtType>(content.llvm),
            "a variable has a type with a size");
  llvm::Constant* initial = nullptr;
  if (instruction.size() > initializer) {
    initial = t.constant(instruction[initializer], "an initializer");
    t.require(initial->getType() == content.llvm, "an initializer has its variable's type");
    // LLVM gives local memory a null value where it means none, and translators keep it.
    if (space == 3) {
      t.require(initial->isNullValue() || llvm::isa<llvm::UndefValue>(initial),
                "a Workgroup variable has no initializer but a null constant");
      initial = llvm::UndefValue::get(content.llvm);
    }
  } else if (link.kind != Linkage::imported) {
    initial = space == 3 ? llvm::cast<llvm::Constant>(llvm::UndefValue::get(content.llvm))
                         : llvm::Constant::getNullValue(content.llvm);
  }
  auto kind = llvm::GlobalValue::InternalLinkage;
  if (link.kind == Linkage::linkonce)
    kind = llvm::GlobalValue::LinkOnceODRLinkage;
  else if (link.kind != Linkage::none)
    kind = llvm::GlobalValue::ExternalLinkage;
  if (link.kind == Linkage::imported)
    initial = nullptr;
  else if (link.kind != Linkage::none && t.module->getNamedValue(link.name) != nullptr)
    t.refuse("the name '" + link.name + "' is exported twice");
  const auto name_of = link.kind != Linkage::none ? link.name : t.name(number);
  auto* variable = new llvm::GlobalVariable(
      *t.module, content.llvm, space == 2 || t.is_decorated(number, spv::Decoration::Constant),
      kind, initial, name_of, nullptr, llvm::GlobalValue::NotThreadLocal, space);
  variable->setAlignment(std::max(t.alignment(number).valueOrOne(),
                                  t.module->getDataLayout().getABITypeAlign(content.llvm)));
  t.define_value(number, instruction[1], variable);
}

void function_variable(Translation& t, const Instruction& instruction) {
  const auto& pointer = t.result_type(instruction);
  t.require(pointer.op == spv::Op::OpTypePointer && (pointer.element != 0 || pointer.is_untyped) &&
                pointer.storage == spv::StorageClass::Function &&
                instruction[3] == static_cast<Word>(pointer.storage),
            "a function's variable has the storage class Function");
  t.require((instruction.op == kUntypedVariable) == pointer.is_untyped,
            "the variable is typed as its pointer is");
  const std::size_t initializer = pointer.is_untyped ? 5 : 4;
  t.require(instruction.size() >= initializer, "a variable has a type");
  const auto content_type = pointer.is_untyped ? instruction[4] : pointer.element;
  auto* content = t.sized_type(content_type, "a variable");
  auto* made = t.builder.CreateAlloca(content);
  made->setAlignment(std::max(t.alignment(instruction[2]).valueOrOne(),
                              t.module->getDataLayout().getABITypeAlign(content)));
  if (const auto text = t.name(instruction[2]); !text.empty())
    made->setName(text);
  if (instruction.size() > initializer)
    t.builder.CreateAlignedStore(t.value_of(instruction[initializer], content, "an initializer"),
                                 made, made->getAlign());
  else if (t.zeroes_private)
    t.builder.CreateMemSet(made, t.builder.getInt8(0), t.type(content_type).bytes,
                           made->getAlign());
  t.define_value(instruction[2], instruction[1], made);
}

} // namespace

std::optional<Word> builtin_of_name(llvm::StringRef name) {
  const auto* found = find_builtin(name);
  return found != nullptr ? std::optional(static_cast<Word>(found->which)) : std::nullopt;
}

bool has_dimensions(Word which) { return find_builtin(which)->has_dimensions; }

// One component, or the whole of those without dimensions, as an integer of `type`.
llvm::Value* builtin_component(Translation& t, Word which, llvm::Type* type,
                               llvm::Value* dimension) {
  const auto* found = find_builtin(which);
  llvm::Type* result = t.builder.getIntNTy(found->bits);
  if (found->bits == 128)
    result = llvm::FixedVectorType::get(t.builder.getInt32Ty(), 4);
  auto* call = found->has_dimensions
                   ? t.call_named(found->function, result, {dimension}, Effect::none)
                   : t.call_named(found->function, result, {}, Effect::none);
  return found->bits == 128 ? call : t.builder.CreateZExtOrTrunc(call, type);
}

llvm::Value* builtin_value(Translation& t, Word which, llvm::Type* type) {
  if (!find_builtin(which)->has_dimensions)
    return builtin_component(t, which, type, nullptr);
  llvm::Value* all = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < 3; ++i)
    all = t.builder.CreateInsertElement(
        all, builtin_component(t, which, type->getScalarType(), t.builder.getInt32(i)), i);
  return all;
}

// A builtin variable whose address is used: a copy of it, made where the function begins.
llvm::Value* builtin_variable(Translation& t, Word which, Word variable) {
  t.require(t.function_number != 0, "a builtin variable is used inside of functions");
  auto*& copy = t.body.builtin_copies[variable];
  if (copy != nullptr)
    return copy;
  const llvm::IRBuilder<>::InsertPointGuard guard(t.builder);
  auto& entry = t.functions[t.function_number - 1].llvm->getEntryBlock();
  t.builder.SetInsertPoint(&entry, entry.begin());
  auto* content = t.pointee(variable, t.variable_contents.lookup(variable)).llvm;
  auto* made = t.builder.CreateAlloca(content);
  t.builder.CreateStore(builtin_value(t, which, content), made);
  copy = made;
  return copy;
}

void add_variables(Readers& readers) {
  readers.add(function_variable, {spv::Op::OpVariable, kUntypedVariable});
  readers.add_outside(module_variable, {spv::Op::OpVariable, kUntypedVariable});
}

} // namespace heddle::compiler::spirv
