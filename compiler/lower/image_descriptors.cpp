// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/image_descriptors.h"

#include "compiler/interface/image_abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <CL/cl.h>

#include <utility>

// Not in the headers of Debian 12.
#ifndef CL_UNORM_INT10X6_EXT
enum : std::uint32_t {
  CL_UNORM_INT10X6_EXT = 0x10E1,
  CL_UNSIGNED_INT10X6_EXT = 0x10E6,
  CL_UNSIGNED_INT12X4_EXT = 0x10E7,
  CL_UNSIGNED_INT14X2_EXT = 0x10E8,
  CL_UNORM_INT12X4_EXT = 0x10E9,
  CL_UNORM_INT14X2_EXT = 0x10EA,
};
#endif
#ifndef CL_UNSIGNED_INT_RAW10_EXT
enum : std::uint32_t { CL_UNSIGNED_INT_RAW10_EXT = 0x10E3, CL_UNSIGNED_INT_RAW12_EXT = 0x10E4 };
#endif
#ifndef CL_UNORM_INT_2_101010_EXT
enum : std::uint32_t { CL_UNORM_INT_2_101010_EXT = 0x10E5 };
#endif

namespace heddle::compiler {
namespace {

struct Format {
  std::uint32_t word, bytes;
};

constexpr Format kFormats[] = {
#define HEDDLE_IMAGE_FORMAT(order, type, coding, layout, bytes, kind, access)                      \
  {HEDDLE_IMAGE_FORMAT_WORD(coding, layout), bytes},
#include "compiler/interface/image_formats.def"
};

// The value of the field at an offset. The channel order and data type are not folded: several have
// the same word.
std::optional<std::uint32_t> field(std::uint64_t offset, std::uint32_t format) {
  if (offset == offsetof(abi::Image, format))
    return format;
  if (offset == offsetof(abi::Image, element_size))
    for (const auto& known : kFormats)
      if (known.word == format)
        return known.bytes;
  return std::nullopt;
}

} // namespace

std::optional<std::uint32_t> known_image_format(const llvm::Value& image) {
  const auto* argument = llvm::dyn_cast<llvm::Argument>(&image);
  if (argument == nullptr)
    return std::nullopt;
  std::uint32_t format = 0;
  const auto attribute =
      argument->getParent()->getAttributes().getParamAttr(argument->getArgNo(), kImageAttribute);
  if (!attribute.isValid() || attribute.getValueAsString().getAsInteger(10, format))
    return std::nullopt;
  return format;
}

void fold_descriptor_loads(llvm::Value& image, std::optional<std::uint32_t> format,
                           bool marks_invariant) {
  llvm::SmallVector<std::pair<llvm::Value*, std::uint64_t>, 8> places{{&image, 0}};
  const auto& layout = llvm::cast<llvm::Argument>(image).getParent()->getDataLayout();
  while (!places.empty()) {
    const auto [place, offset] = places.pop_back_val();
    for (auto* user : llvm::make_early_inc_range(place->users())) {
      if (auto* address = llvm::dyn_cast<llvm::GEPOperator>(user)) {
        llvm::APInt distance(layout.getIndexTypeSizeInBits(address->getType()), 0);
        if (address->accumulateConstantOffset(layout, distance))
          places.emplace_back(address, offset + distance.getZExtValue());
        continue;
      }
      auto* load = llvm::dyn_cast<llvm::LoadInst>(user);
      if (load == nullptr)
        continue;
      if (const auto value = format ? field(offset, *format) : std::nullopt;
          value && load->getType()->isIntegerTy(32)) {
        load->replaceAllUsesWith(llvm::ConstantInt::get(load->getType(), *value));
        load->eraseFromParent();
      } else if (marks_invariant) {
        load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(load->getContext(), {}));
      }
    }
  }
}

} // namespace heddle::compiler
