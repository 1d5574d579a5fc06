// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/find_kernels.h"

#include "compiler/interface/image_abi.h"
#include "compiler/ir/recover_kernels.h"
#include "compiler/lower/kernel_arguments.h"
#include "compiler/lower/kernel_attributes.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/specialize_images.h"
#include "compiler/support/build.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include <algorithm>
#include <iterator>

namespace heddle::compiler {
namespace {

std::uint64_t number_at(const llvm::Function& function, const char* list, unsigned index) {
  const auto* node = function.getMetadata(list);
  if (node == nullptr || index >= node->getNumOperands())
    return 0;
  const auto* value = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(index));
  return value != nullptr ? value->getZExtValue() : 0;
}

bool describe(llvm::Function& function, Build& build, KernelDeclaration& out) {
  out.attributes = kernel_attributes(function);
  if (const auto* size = function.getMetadata("reqd_work_group_size"))
    for (unsigned i = 0; i < 3 && i < size->getNumOperands(); ++i)
      out.required_group_size[i] = number_at(function, "reqd_work_group_size", i);
  if (function.hasMetadata("intel_reqd_sub_group_size")) {
    const auto size = number_at(function, "intel_reqd_sub_group_size", 0);
    if (size > kLargestSubGroup || !llvm::isPowerOf2_64(size))
      return build.error("kernel '" + out.name + "': sub-groups of " + llvm::Twine(size) +
                         " work-items are required; this device has powers of two up to " +
                         llvm::Twine(kLargestSubGroup));
    out.required_sub_group_size = static_cast<std::uint32_t>(size);
  }
  return describe_arguments(function, static_cast<unsigned>(function.arg_size()), build, out);
}

// Attributes of images that passes read, and values that the request promises.
void set_known_arguments(Kernel& kernel) {
  auto& body = *kernel.body;
  for (const auto& argument : kernel.metadata.arguments) {
    const auto index = static_cast<unsigned>(&argument - kernel.metadata.arguments.data());
    const auto* known = kernel.specialization.find(index);
    auto* parameter = body.getArg(index);
    if (argument.kind == ArgumentKind::image) {
      auto& context = body.getContext();
      parameter->addAttr(llvm::Attribute::get(
          context, kImageAttribute, known != nullptr ? std::to_string(known->value) : ""));
      parameter->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(abi::Image)));
      parameter->addAttr(
          llvm::Attribute::getWithAlignment(context, llvm::Align(alignof(abi::Image))));
    } else if (argument.kind == ArgumentKind::sampler && known != nullptr) {
      parameter->replaceAllUsesWith(llvm::ConstantInt::get(parameter->getType(), known->value));
    }
  }
}

// The promised local size, if it is not against the required one.
void set_local_size(Kernel& kernel) {
  auto& known = kernel.specialization;
  auto& size = kernel.local_size;
  size = kernel.metadata.required_group_size;
  if (known.has_local_size() && (size[0] == 0 || size == known.local_size)) {
    size = known.local_size;
    known.has_long_rows &= known.has_whole_groups && size[1] == 1 && size[2] == 1 &&
                           !kernel.metadata.has_swapped_dimensions;
  } else {
    known.local_size = {};
    known.has_whole_groups = known.has_long_rows = false;
    if (!kernel.metadata.has_swapped_dimensions || size[0] == 0)
      return;
  }
  if (kernel.metadata.has_swapped_dimensions)
    std::swap(size[0], size[1]);
  auto& context = kernel.body->getContext();
  llvm::SmallVector<llvm::Metadata*, 3> sizes;
  for (const auto items : size)
    sizes.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), items)));
  kernel.body->setMetadata("reqd_work_group_size", llvm::MDNode::get(context, sizes));
}

// The function called by Clang's stub of a kernel, or the kernel itself if it has none.
llvm::Function* take_body(llvm::Module& module, llvm::Function& kernel) {
  auto* body = module.getFunction(("__clang_ocl_kern_imp_" + kernel.getName()).str());
  if (body == nullptr || body->isDeclaration() ||
      body->getFunctionType() != kernel.getFunctionType())
    return &kernel;
  // Clang puts noalias (restrict) on the stub only.
  for (auto& argument : kernel.args())
    if (argument.hasNoAliasAttr())
      body->addParamAttr(argument.getArgNo(), llvm::Attribute::NoAlias);
  for (const auto* list : kArgumentLists)
    body->setMetadata(list, kernel.getMetadata(list));
  kernel.replaceAllUsesWith(body);
  kernel.eraseFromParent();
  return body;
}

} // namespace

bool find_kernels(llvm::Module& module, Build& build, Kernels& kernels) {
  llvm::SmallVector<llvm::Function*, 8> found;
  for (auto& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL && !function.isDeclaration() &&
        (build.request.kernel == nullptr || function.getName() == build.request.kernel))
      found.push_back(&function);
  bool ok = true;
  for (auto* function : found) {
    auto& kernel = kernels.emplace_back();
    kernel.metadata.name = function->getName();
    kernel.metadata.is_block = function->hasFnAttribute(kBlockKernelAttribute);
    ok &= describe(*function, build, kernel.metadata);
    kernel.body = take_body(module, *function);
    kernel.body->setName(kernel.metadata.name + ".body");
    kernel.body->addFnAttr(kKernelAttribute, kernel.metadata.name);
    kernel.specialization = build.request.specialization;
    if (ok)
      set_known_arguments(kernel);
    kernel.metadata.has_swapped_dimensions =
        build.options.optimize && kernel.specialization.lane_dimension == LaneDimension::second;
    set_local_size(kernel);
  }
  // One calling convention for all functions, because kernels may call kernels.
  for (auto& function : module) {
    if (function.isIntrinsic())
      continue;
    function.setCallingConv(llvm::CallingConv::C);
    for (auto* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (call->getCalledOperand() == &function)
          call->setCallingConv(llvm::CallingConv::C);
  }
  return ok;
}

llvm::PreservedAnalyses FindKernelsPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& /*analyses*/) {
  find_kernels(module, compilation_.build, compilation_.kernels);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
