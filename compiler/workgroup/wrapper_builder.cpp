// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/wrapper_builder.h"

#include "compiler/ir/debug_info.h"
#include "compiler/ir/fault_markers.h"
#include "compiler/ir/local_argument.h"

namespace heddle::compiler {

WrapperBuilder::WrapperBuilder(llvm::Module& module, Kernel& kernel)
    : module_(module), kernel_(kernel), builder_(module.getContext()), abi_(builder_),
      loops_(builder_) {}

llvm::Function* WrapperBuilder::begin_function(llvm::ArrayRef<llvm::Type*> types,
                                               const llvm::Twine& name) {
  auto& context = module_.getContext();
  auto* made = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                      llvm::GlobalValue::InternalLinkage, name, module_);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  // Inlining requires compatible attributes, such as those of floating-point modes.
  for (const auto attribute : kernel_.body->getAttributes().getFnAttrs())
    if (attribute.isStringAttribute() && !attribute.getKindAsString().starts_with("heddle-"))
      made->addFnAttr(attribute);
  attach_subprogram(*made, *kernel_.body);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", made));
  if (const auto* subprogram = made->getSubprogram())
    builder_.SetCurrentDebugLocation(llvm::DILocation::get(
        context, subprogram->getLine(), 0, const_cast<llvm::DISubprogram*>(subprogram)));
  else
    builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  return made;
}

WrapperBuilder::Arguments WrapperBuilder::load_arguments(llvm::Value* launch,
                                                         llvm::Value* local_memory) {
  Arguments values;
  if (kernel_.metadata.arguments.empty())
    return values;
  auto* packed = abi_.load_invariant(launch, offsetof(abi::Launch, args), abi_.pointer(), "args");
  for (const auto& [described, parameter] :
       llvm::zip(kernel_.metadata.arguments, kernel_.body->args())) {
    if (parameter.hasByValAttr()) {
      values.push_back(abi_.field(packed, described.offset));
      continue;
    }
    // A pointer to local memory is packed as an offset.
    const bool is_local = described.kind == ArgumentKind::local_pointer;
    auto* type = is_local ? abi_.word() : parameter.getType();
    auto* value = abi_.load_invariant(packed, described.offset, type, parameter.getName());
    value->setAlignment(llvm::Align(is_local ? 8 : described.alignment));
    if (is_local) {
      auto* pointer = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local_memory, value);
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer))
        mark_local_argument(*gep);
      values.push_back(pointer);
    } else
      values.push_back(value);
  }
  return values;
}

void WrapperBuilder::call_body(Arguments arguments, llvm::Value* group, llvm::Value* x,
                               llvm::Value* y, llvm::Value* z) {
  arguments.append({group, x, y, z});
  auto* call = builder_.CreateCall(kernel_.body, arguments);
  // byval and the extension of small integers are part of the call.
  call->setAttributes(kernel_.body->getAttributes().removeFnAttributes(module_.getContext()));
}

void WrapperBuilder::call_whole(Arguments arguments, llvm::Value* group, llvm::Value* x,
                                llvm::Value* y, llvm::Value* z) {
  arguments.append({group, x, y, z});
  builder_.CreateCall(kernel_.variant(VariantKind::whole), arguments);
}

void WrapperBuilder::call_tail(Arguments arguments, llvm::Value* active, llvm::Value* group,
                               llvm::Value* x, llvm::Value* y, llvm::Value* z) {
  arguments.append({active, group, x, y, z});
  builder_.CreateCall(kernel_.variant(VariantKind::tail), arguments);
}

void WrapperBuilder::call_crossing(Arguments arguments, llvm::Value* group, llvm::Value* first,
                                   llvm::Value* items) {
  auto* left = builder_.CreateSub(items, first);
  auto* zero = builder_.getInt64(0);
  arguments.append({builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, width()), group,
                    first, zero, zero});
  builder_.CreateCall(kernel_.variant(VariantKind::crossing), arguments);
}

void WrapperBuilder::emit_current_item(llvm::Value* worker, llvm::Value* item) {
  emit_fault_marker(builder_, item, abi_.field(worker, offsetof(abi::Worker, current_item)));
}

} // namespace heddle::compiler
