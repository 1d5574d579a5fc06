// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/find_kernels.h"

#include "compiler/interface/image_abi.h"
#include "compiler/interface/pipe_ring.h"
#include "compiler/ir/recover_kernels.h"
#include "compiler/lower/kernel_attributes.h"
#include "compiler/lower/lower_blocks.h"
#include "compiler/lower/specialize_images.h"
#include "compiler/support/build.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

#include <CL/cl.h>

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

llvm::StringRef text_at(const llvm::Function& function, const char* list, unsigned index) {
  const auto* node = function.getMetadata(list);
  if (node == nullptr || index >= node->getNumOperands())
    return {};
  const auto* text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(index).get());
  return text != nullptr ? text->getString() : llvm::StringRef();
}

std::uint64_t type_qualifiers(llvm::StringRef words) {
  std::uint64_t bits = CL_KERNEL_ARG_TYPE_NONE;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  words.split(parts, ' ', -1, false);
  for (const auto part : parts) {
    if (part == "const")
      bits |= CL_KERNEL_ARG_TYPE_CONST;
    else if (part == "restrict")
      bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
    else if (part == "volatile")
      bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
    else if (part == "pipe")
      bits |= CL_KERNEL_ARG_TYPE_PIPE;
  }
  return bits;
}

std::uint32_t access_qualifier(llvm::StringRef word) {
  if (word == "read_only")
    return CL_KERNEL_ARG_ACCESS_READ_ONLY;
  if (word == "write_only")
    return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  if (word == "read_write")
    return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return CL_KERNEL_ARG_ACCESS_NONE;
}

// CL_MEM_OBJECT_* of a type of OpenCL C, or 0 if it is no image.
std::uint32_t image_type(llvm::StringRef name) {
  return llvm::StringSwitch<std::uint32_t>(name)
      .Case("image1d_t", CL_MEM_OBJECT_IMAGE1D)
      .Case("image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER)
      .Case("image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY)
      .Cases({"image2d_t", "image2d_depth_t"}, CL_MEM_OBJECT_IMAGE2D)
      .Cases({"image2d_array_t", "image2d_array_depth_t"}, CL_MEM_OBJECT_IMAGE2D_ARRAY)
      .Case("image3d_t", CL_MEM_OBJECT_IMAGE3D)
      .Default(0);
}

// Of an image or a sampler: sets all that describe_value does. `type` is the name without typedefs.
// False if it is neither.
bool describe_image(llvm::StringRef type, KernelArgument& out) {
  out.image_type = image_type(type);
  if (out.image_type == 0 && type != "sampler_t")
    return false;
  out.kind = out.image_type != 0 ? ArgumentKind::image : ArgumentKind::sampler;
  out.address_qualifier =
      out.image_type != 0 ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
  out.is_depth_image = type.contains("_depth_");
  out.size = 8;
  out.alignment = 8;
  return true;
}

// Sets kind, size and alignment. False if the argument cannot be passed.
bool describe_value(const llvm::Argument& argument, const llvm::DataLayout& layout,
                    KernelArgument& out) {
  auto* type = argument.getType();
  out.address_qualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  if (argument.hasByValAttr()) {
    type = argument.getParamByValType();
    out.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type));
    out.alignment = static_cast<std::uint32_t>(
        std::max(layout.getABITypeAlign(type), argument.getParamAlign().valueOrOne()).value());
    return true;
  }
  if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
    out.size = 8;
    out.alignment = 8;
    if (out.type_qualifier & CL_KERNEL_ARG_TYPE_PIPE) { // lower_target_ext_types made it a pointer
      out.kind = ArgumentKind::pipe;
      out.address_qualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL;
      return true;
    }
    if (out.kind == ArgumentKind::queue) // likewise
      return true;
    switch (pointer->getAddressSpace()) {
    case 1:
      out.kind = ArgumentKind::global_pointer;
      out.address_qualifier = CL_KERNEL_ARG_ADDRESS_GLOBAL;
      return true;
    case 2:
      out.kind = ArgumentKind::constant_pointer;
      out.address_qualifier = CL_KERNEL_ARG_ADDRESS_CONSTANT;
      return true;
    case 3:
      out.kind = ArgumentKind::local_pointer;
      out.address_qualifier = CL_KERNEL_ARG_ADDRESS_LOCAL;
      // The alignment of the pointee, which Clang assumes of the pointer.
      out.alignment = static_cast<std::uint32_t>(argument.getParamAlign().valueOrOne().value());
      return true;
    default:
      return false;
    }
  }
  if (!type->isSized() || llvm::isa<llvm::TargetExtType>(type))
    return false;
  out.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type));
  out.alignment = static_cast<std::uint32_t>(layout.getABITypeAlign(type).value());
  return true;
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
  const auto& layout = function.getParent()->getDataLayout();
  std::uint32_t end = 0;
  for (auto& argument : function.args()) {
    const auto index = argument.getArgNo();
    auto& described = out.arguments.emplace_back();
    described.name = text_at(function, "kernel_arg_name", index);
    described.type_name = text_at(function, "kernel_arg_type", index);
    if (text_at(function, "kernel_arg_base_type", index) == "queue_t")
      described.kind = ArgumentKind::queue;
    described.type_qualifier = type_qualifiers(text_at(function, "kernel_arg_type_qual", index));
    described.access_qualifier =
        access_qualifier(text_at(function, "kernel_arg_access_qual", index));
    if (!describe_image(text_at(function, "kernel_arg_base_type", index), described) &&
        !describe_value(argument, layout, described))
      return build.error("kernel '" + out.name + "': argument " + llvm::Twine(index) + " ('" +
                         described.name + "') has type '" + described.type_name +
                         "', which this device does not support");
    const auto slot = described.kind == ArgumentKind::local_pointer ? 8 : described.alignment;
    end = static_cast<std::uint32_t>(llvm::alignTo(end, slot));
    described.offset = end;
    end += described.size;
  }
  out.packed_bytes = end;
  const auto pipes = llvm::count_if(
      out.arguments, [](const auto& argument) { return argument.kind == ArgumentKind::pipe; });
  if (pipes > HEDDLE_PIPE_MAX_ARGUMENTS)
    return build.error("kernel '" + out.name + "' has " + llvm::Twine(pipes) +
                       " pipes for arguments, more than this device's " +
                       llvm::Twine(HEDDLE_PIPE_MAX_ARGUMENTS));
  return true;
}

// Attributes of images that passes read, and values that the request promises.
void set_known_arguments(const heddle_request& request, Kernel& kernel) {
  auto& body = *kernel.body;
  for (const auto& argument : kernel.metadata.arguments) {
    const auto index = static_cast<unsigned>(&argument - kernel.metadata.arguments.data());
    const heddle_known_argument* known = nullptr;
    for (std::size_t i = 0; i < request.known_argument_count; ++i)
      if (request.known_arguments[i].index == index)
        known = &request.known_arguments[i];
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

// As if the program required the local size that the request promises.
void set_known_local_size(const heddle_request& request, Kernel& kernel) {
  const auto& known = request.local_size;
  auto& required = kernel.metadata.required_group_size;
  if (known[0] != 0 && (required[0] == 0 || std::ranges::equal(required, known))) {
    std::copy(std::begin(known), std::end(known), required.begin());
    kernel.launch.has_whole_groups = request.whole_groups != 0;
    kernel.launch.has_partial_groups = request.whole_groups == 0;
  } else if (!kernel.metadata.has_swapped_dimensions || required[0] == 0) {
    return;
  }
  if (kernel.metadata.has_swapped_dimensions)
    std::swap(required[0], required[1]);
  auto& context = kernel.body->getContext();
  llvm::SmallVector<llvm::Metadata*, 3> sizes;
  for (const auto size : required)
    sizes.push_back(llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), size)));
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
    if (ok)
      set_known_arguments(build.request, kernel);
    kernel.metadata.has_swapped_dimensions =
        build.options.optimize && build.request.swap_dimensions != 0;
    set_known_local_size(build.request, kernel);
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
