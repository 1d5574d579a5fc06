// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/emit_context.h"

#include "compiler/ir/debug_info.h"
#include "compiler/support/source_place.h"
#include "compiler/vectorize/analysis/masked_blocks.h"
#include "compiler/vectorize/transform/peel_masked_remainder.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler {
namespace {

// The work-item parameters are the last ones of every kernel (ir/work_item_params.h).
constexpr unsigned kNumWorkItemParams = 4;

bool is_in_masked_remainder(const llvm::Instruction& instruction) {
  return instruction.getParent()->getTerminator()->hasMetadata(kMaskedRemainder);
}

} // namespace

EmitContext::EmitContext(const EmitInputs& inputs)
    : inputs_(inputs), builder_(inputs.kernel.getContext()) {}

const llvm::DataLayout& EmitContext::layout() const {
  return inputs_.kernel.getParent()->getDataLayout();
}

unsigned EmitContext::work_item_params_begin() const {
  return static_cast<unsigned>(inputs_.kernel.arg_size()) - kNumWorkItemParams;
}

llvm::Argument* EmitContext::parameter(const llvm::Argument& of_kernel) const {
  const auto number = of_kernel.getArgNo();
  const bool is_moved = inputs_.plan.masked && number >= work_item_params_begin();
  return function_->getArg(is_moved ? number + 1 : number);
}

llvm::Argument* EmitContext::active_count() const {
  return function_->getArg(work_item_params_begin());
}

void EmitContext::create_function(const llvm::Twine& name) {
  auto& kernel = inputs_.kernel;
  auto& context = kernel.getContext();
  auto* type = kernel.getFunctionType();
  llvm::SmallVector<llvm::Type*, 16> types(type->params());
  if (inputs_.plan.masked)
    types.insert(types.begin() + work_item_params_begin(), llvm::Type::getInt64Ty(context));
  function_ = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), types, false),
                                     llvm::GlobalValue::InternalLinkage, name, kernel.getParent());
  for (const auto attribute : kernel.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      function_->addFnAttr(attribute);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  function_->addFnAttr(llvm::Attribute::AlwaysInline);
  function_->setUWTableKind(kernel.getUWTableKind());
  for (const auto& argument : kernel.args()) {
    auto* made = parameter(argument);
    made->setName(argument.getName());
    llvm::AttrBuilder attributes(context,
                                 kernel.getAttributes().getParamAttrs(argument.getArgNo()));
    attributes.removeAttribute(llvm::Attribute::ByVal);
    made->addAttrs(attributes);
  }
  if (inputs_.plan.masked)
    active_count()->setName("active");
  inlined_at_ = attach_inlined_subprogram(*function_, kernel);
}

llvm::BasicBlock& EmitContext::create_entry_block() {
  entry_ = llvm::BasicBlock::Create(function_->getContext(), "entry", function_,
                                    function_->empty() ? nullptr : &function_->front());
  return *entry_;
}

llvm::BasicBlock* EmitContext::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(function_->getContext(), name, function_);
}

llvm::AllocaInst* EmitContext::create_entry_alloca(llvm::Type* type, const llvm::Twine& name) {
  auto* made = new llvm::AllocaInst(type, layout().getAllocaAddrSpace(), nullptr,
                                    layout().getPrefTypeAlign(type), name);
  made->insertBefore(*entry_, entry_->begin());
  return made;
}

llvm::Constant* EmitContext::inactive_load_address(unsigned address_space) {
  auto& module = *inputs_.kernel.getParent();
  const auto name = ("heddle.inactive." + llvm::Twine(address_space)).str();
  if (auto* known = module.getGlobalVariable(name, true))
    return known;
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), kMaxInactiveDistance + kMaxInactiveBytes);
  auto* made = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage,
                                        llvm::ConstantAggregateZero::get(type), name, nullptr,
                                        llvm::GlobalValue::NotThreadLocal, address_space);
  made->setAlignment(llvm::Align(kMaxInactiveBytes));
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return made;
}

llvm::AllocaInst* EmitContext::inactive_store_address() {
  if (inactive_stores_ == nullptr) {
    inactive_stores_ = create_entry_alloca(
        llvm::ArrayType::get(builder_.getInt8Ty(), kMaxInactiveDistance + kMaxInactiveBytes),
        "inactive.stores");
    inactive_stores_->setAlignment(llvm::Align(kMaxInactiveBytes));
  }
  return inactive_stores_;
}

llvm::Value* EmitContext::inactive_address(llvm::Type* pointer, bool is_store) {
  return is_store ? builder_.CreateAddrSpaceCast(inactive_store_address(), pointer)
                  : inactive_load_address(pointer->getPointerAddressSpace());
}

void EmitContext::set_debug_location(const llvm::Instruction& from) {
  const auto& location = from.getDebugLoc();
  if (inlined_at_ == nullptr) {
    builder_.SetCurrentDebugLocation(llvm::DebugLoc());
    return;
  }
  if (!location) {
    builder_.SetCurrentDebugLocation(inlined_at_);
    return;
  }
  const auto convert = [&](auto&& self, const llvm::DILocation* at) -> llvm::DILocation* {
    if (at == nullptr)
      return inlined_at_;
    if (auto* known = inlined_locations_.lookup(at))
      return known;
    auto* result = llvm::DILocation::get(function_->getContext(), at->getLine(), at->getColumn(),
                                         at->getScope(), self(self, at->getInlinedAt()));
    inlined_locations_[at] = result;
    return result;
  };
  builder_.SetCurrentDebugLocation(convert(convert, location.get()));
}

void EmitContext::remark(const llvm::Instruction& at, const char* what, const char* why) {
  if (inputs_.remarks != nullptr && !is_muted_ && !is_in_masked_remainder(at))
    add_remark(at, what, why);
}

void EmitContext::remark_divergent_loop(const llvm::Instruction& branch) {
  if (inputs_.remarks == nullptr || is_muted_)
    return;
  const auto* why = is_in_masked_remainder(branch)
                        ? "work-items leave it here after different trip counts: iterations that "
                          "not all of a sub-group execute run under masks"
                        : "work-items leave it here after different trip counts: it runs, under "
                          "masks, until all have left";
  add_remark(branch, "divergent loop", why);
}

// To the kernel's report, and to LLVM's remarks file if there is one (HEDDLE_KEEP).
void EmitContext::add_remark(const llvm::Instruction& at, const char* what, const char* why) {
  inputs_.remarks->push_back({place_of(at), what, why});
  if (at.getContext().getLLVMRemarkStreamer() == nullptr)
    return;
  llvm::OptimizationRemarkEmitter emitter(at.getFunction());
  emitter.emit(llvm::OptimizationRemarkMissed("heddle-vectorize", what, &at)
               << what << ": " << why);
}

} // namespace heddle::compiler
