// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/kernel_arguments.h"

#include "compiler/interface/pipe_ring.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <CL/cl.h>

#include <algorithm>

namespace heddle::compiler {
namespace {

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

} // namespace

bool describe_arguments(llvm::Function& function, unsigned count, Build& build,
                        KernelDeclaration& out) {
  const auto& layout = function.getParent()->getDataLayout();
  std::uint32_t end = 0;
  for (unsigned index = 0; index != count; ++index) {
    auto& argument = *function.getArg(index);
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

} // namespace heddle::compiler
