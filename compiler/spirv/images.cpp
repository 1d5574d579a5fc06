// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers, by the functions that Clang calls for read_image, write_image and get_image.
#include "compiler/spirv/readers.h"
#include "llvm/IR/Constants.h"

#include <algorithm>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// What the enumerants of SPIR-V are counted from in OpenCL.
constexpr Word kFirstChannelOrder = 0x10B0, kFirstChannelDataType = 0x10D0;
// CL_UNSIGNED_INT8 to CL_UNSIGNED_INT32, as SPIR-V counts.
constexpr Word kFirstUnsigned = 10, kLastUnsigned = 12;

// The operands behind the mask of an access, in the order of the bits.
constexpr Word kLod = 0x2, kGrad = 0x4, kSignExtend = 0x1000, kZeroExtend = 0x2000,
               kNontemporal = 0x4000;

// Components of a coordinate, without the layer of an array.
unsigned dimensions(const Type& image) {
  return image.dim == spv::Dim::Dim3D ? 3 : image.dim == spv::Dim::Dim2D ? 2 : 1;
}

void constant_sampler(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).op == Op::OpTypeSampler, "the type is a sampler");
  t.require(instruction[3] <= 4 && instruction[4] <= 1 && instruction[5] <= 1,
            "addressing, normalization and filter of a sampler are known");
  auto& made = t.new_id(instruction[2]);
  made.kind = IdKind::sampler;
  made.type = instruction[1];
  // The bits of OpenCL C's CLK_ADDRESS_*, CLK_NORMALIZED_COORDS_* and CLK_FILTER_*.
  made.index = 2 * instruction[3] + instruction[4] + (instruction[5] == 0 ? 0x10 : 0x20);
}

// An image and a sampler have no value together; OpSampledImage is kept until it is used.
void sampled_image(Translation& t, const Instruction& instruction) {
  const auto& result = t.result_type(instruction);
  t.require(result.op == Op::OpTypeSampledImage, "the result is a sampled image");
  const auto& image = image_of_value(t, instruction[3]);
  t.require(image.llvm == t.type(result.element).llvm && image.access == 0,
            "the image has the result's type and is read only");
  t.require(t.type_of_value(instruction[4]).op == Op::OpTypeSampler, "the operand is a sampler");
  auto& made = t.new_id(instruction[2]);
  made.kind = IdKind::other;
  made.type = instruction[1];
  t.sampled_images[instruction[2]] = {instruction[3], instruction[4]};
}

std::pair<Word, Word> image_and_sampler(const Translation& t, Word number) {
  const auto found = t.sampled_images.find(number);
  t.require(found != t.sampled_images.end(), "the operand is the result of OpSampledImage");
  return found->second;
}

// As the functions of OpenCL C want it: as many components as the image has dimensions and a layer,
// but four instead of three. More are allowed, and ignored.
llvm::Value* coordinate(Translation& t, Word number, const Type& image, bool with_layer) {
  auto* given = t.value(number);
  auto* component = given->getType()->getScalarType();
  t.require(component->isFloatTy() || component->isIntegerTy(32),
            "a coordinate has components of 32 bits");
  const unsigned used = dimensions(image) + (with_layer && image.is_array ? 1 : 0);
  const unsigned wanted = used == 3 ? 4 : used;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
  const unsigned count = vector != nullptr ? vector->getNumElements() : 1;
  t.require(count >= used, "a coordinate has a component for each dimension");
  if (vector == nullptr || count == wanted)
    return given;
  if (wanted == 1)
    return t.builder.CreateExtractElement(given, std::uint64_t{0});
  int mask[4];
  for (unsigned i = 0; i < wanted; ++i)
    mask[i] = static_cast<int>(i < used ? i : count); // the fourth is of the second operand: zero
  return t.builder.CreateShuffleVector(given, llvm::Constant::getNullValue(given->getType()),
                                       llvm::ArrayRef<int>(mask, wanted));
}

struct ImageOperands {
  llvm::Value* lod = nullptr; // unless it is level 0
  Word gradients[2] = {0, 0}; // ids, or 0
  bool is_signed = false, is_unsigned = false;
};

ImageOperands image_operands(Translation& t, Words words) {
  ImageOperands made;
  if (words.empty())
    return made;
  const auto mask = words[0];
  t.require((mask & ~(kLod | kGrad | kSignExtend | kZeroExtend | kNontemporal)) == 0,
            "the image operands are those of kernels");
  std::size_t at = 1;
  const auto next = [&] {
    t.require(at < words.size(), "each image operand is there");
    return words[at++];
  };
  if ((mask & kLod) != 0) {
    auto* lod = t.value(next());
    const auto* constant = llvm::dyn_cast<llvm::Constant>(lod);
    if (constant == nullptr || !constant->isNullValue()) // level 0 is what is read without it
      made.lod = lod;
  }
  if ((mask & kGrad) != 0) {
    made.gradients[0] = next();
    made.gradients[1] = next();
  }
  t.require((mask & kLod) == 0 || (mask & kGrad) == 0, "a level or gradients are given, not both");
  made.is_signed = (mask & kSignExtend) != 0;
  made.is_unsigned = (mask & kZeroExtend) != 0;
  return made;
}

// Whether the image's integers are unsigned, where the module does not tell.
llvm::Value* has_unsigned_channels(Translation& t, const Argument& image) {
  auto* number = t.builder.CreateSub(
      t.call_builtin("get_image_channel_data_type", t.builder.getInt32Ty(), {image}),
      t.builder.getInt32(kFirstChannelDataType + kFirstUnsigned));
  return t.builder.CreateICmpULE(number, t.builder.getInt32(kLastUnsigned - kFirstUnsigned));
}

void read_image(Translation& t, const Instruction& instruction) {
  const bool has_sampler = instruction.op == Op::OpImageSampleExplicitLod;
  const auto from =
      has_sampler ? image_and_sampler(t, instruction[3]) : std::pair<Word, Word>{instruction[3], 0};
  const auto& image = image_of_value(t, from.first);
  t.require(image.access != 1, "the image can be read");
  t.require(!has_sampler || image.dim != spv::Dim::Buffer, "a buffer is read without a sampler");
  const auto operands = image_operands(t, instruction.from(5));
  auto* result = t.result_type(instruction).llvm;
  auto* component = result->getScalarType();
  t.require(component->isFloatTy() || component->isHalfTy() || component->isIntegerTy(32),
            "the result has components of 32 bits or halves");
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
  t.require(vector != nullptr ? vector->getNumElements() == 4 : image.is_depth,
            "the result has four components");
  t.require(!image.is_depth || component->isFloatTy(), "depth is read as a float");

  llvm::SmallVector<Argument, 6> arguments = {image_argument(t, from.first)};
  if (has_sampler)
    arguments.push_back({t.value(from.second), mangled_named("ocl_sampler")});
  auto* place = coordinate(t, instruction[4], image, true);
  const bool is_float_place = place->getType()->getScalarType()->isFloatTy();
  t.require(has_sampler || !is_float_place, "the coordinate without a sampler is of integers");
  arguments.push_back(t.argument(place, Sign::is_signed));
  const bool has_gradients = operands.gradients[0] != 0;
  if (operands.lod != nullptr || has_gradients)
    t.require(has_sampler && is_float_place, "a level is read with a sampler, at floats");
  if (operands.lod != nullptr) {
    t.require(operands.lod->getType()->isFloatTy(), "the level is a float");
    arguments.push_back(t.argument(operands.lod, Sign::is_signed));
  }
  if (has_gradients)
    for (const auto gradient : operands.gradients) {
      auto* given = coordinate(t, gradient, image, false);
      t.require(given->getType()->getScalarType()->isFloatTy(), "a gradient is of floats");
      arguments.push_back(t.argument(given, Sign::is_signed));
    }

  const auto four = [&](llvm::Type* type) { return llvm::FixedVectorType::get(type, 4); };
  const auto read = [&](const char* name, llvm::Type* type) -> llvm::Value* {
    return t.call_builtin(name, type, arguments, Effect::reads);
  };
  llvm::Value* made = nullptr;
  if (component->isIntegerTy()) {
    if (!operands.is_unsigned)
      made = read("read_imagei", result);
    if (operands.is_unsigned)
      made = read("read_imageui", result);
    else if (!operands.is_signed)
      made = t.builder.CreateSelect(has_unsigned_channels(t, arguments[0]),
                                    read("read_imageui", result), made);
  } else if (image.is_depth) {
    made = read("read_imagef", t.builder.getFloatTy());
    if (vector != nullptr)
      made = t.builder.CreateInsertElement(llvm::Constant::getNullValue(result), made,
                                           std::uint64_t{0});
  } else {
    made = read("read_imagef", four(t.builder.getFloatTy()));
    if (component->isHalfTy())
      made = t.builder.CreateFPTrunc(made, result);
  }
  t.define_result(instruction, made);
}

void write_image(Translation& t, const Instruction& instruction) {
  const auto& image = image_of_value(t, instruction[1]);
  t.require(image.access != 0, "the image can be written");
  const auto operands = image_operands(t, instruction.from(4));
  t.require(operands.gradients[0] == 0 &&
                (operands.lod == nullptr || image.dim != spv::Dim::Buffer),
            "a write has no gradients, and a buffer no levels");
  auto* place = coordinate(t, instruction[2], image, true);
  t.require(place->getType()->isIntOrIntVectorTy(), "the coordinate is of integers");
  auto* color = t.value(instruction[3]);
  auto* component = color->getType()->getScalarType();
  t.require(component->isFloatTy() || component->isHalfTy() || component->isIntegerTy(32),
            "the texel has components of 32 bits or halves");
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(color->getType());
  t.require(vector != nullptr ? vector->getNumElements() == 4 : image.is_depth,
            "the texel has four components");
  t.require(!image.is_depth || component->isFloatTy(), "depth is written as a float");
  if (image.is_depth && vector != nullptr)
    color = t.builder.CreateExtractElement(color, std::uint64_t{0});
  if (component->isHalfTy())
    color = t.builder.CreateFPExt(color, llvm::FixedVectorType::get(t.builder.getFloatTy(), 4));

  const auto target = image_argument(t, instruction[1]);
  const auto write = [&](const char* name, llvm::Value* at, Sign sign) {
    llvm::SmallVector<Argument, 4> arguments = {target, t.argument(at, Sign::is_signed)};
    if (operands.lod != nullptr) {
      t.require(operands.lod->getType()->isIntegerTy(32), "the level is an integer");
      arguments.push_back(t.argument(operands.lod, Sign::is_signed));
    }
    arguments.push_back(t.argument(color, sign));
    t.call_builtin(name, t.builder.getVoidTy(), arguments, Effect::any);
  };
  if (!component->isIntegerTy())
    return write("write_imagef", place, Sign::is_signed);
  if (operands.is_signed)
    return write("write_imagei", place, Sign::is_signed);
  if (operands.is_unsigned)
    return write("write_imageui", place, Sign::is_unsigned);
  // One of both is written outside of the image, which does nothing.
  auto* is_unsigned = has_unsigned_channels(t, target);
  auto* outside = llvm::Constant::getAllOnesValue(place->getType());
  write("write_imagei", t.builder.CreateSelect(is_unsigned, outside, place), Sign::is_signed);
  write("write_imageui", t.builder.CreateSelect(is_unsigned, place, outside), Sign::is_unsigned);
}

void query_image(Translation& t, const Instruction& instruction) {
  auto* i32 = t.builder.getInt32Ty();
  if (instruction.op == Op::OpImage) {
    const auto from = image_and_sampler(t, instruction[3]).first;
    return t.define_result(instruction, t.value(from));
  }
  const auto& image = image_of_value(t, instruction[3]);
  const auto target = image_argument(t, instruction[3]);
  auto* result = t.result_type(instruction).llvm;
  const auto ask = [&](const char* name) { return t.call_builtin(name, i32, {target}); };
  switch (instruction.op) {
  case Op::OpImageQueryFormat:
    return t.define_result(instruction,
                           t.builder.CreateSub(ask("get_image_channel_data_type"),
                                               t.builder.getInt32(kFirstChannelDataType)));
  case Op::OpImageQueryOrder:
    return t.define_result(instruction,
                           t.builder.CreateSub(ask("get_image_channel_order"),
                                               t.builder.getInt32(kFirstChannelOrder)));
  case Op::OpImageQueryLevels:
    t.require(image.dim != spv::Dim::Buffer, "a buffer has no levels");
    return t.define_result(instruction, ask("get_image_num_mip_levels"));
  default:
    break;
  }
  // The sizes, those of a level, and the number of layers.
  llvm::SmallVector<llvm::Value*, 4> sizes = {ask("get_image_width")};
  if (dimensions(image) > 1)
    sizes.push_back(ask("get_image_height"));
  if (dimensions(image) > 2)
    sizes.push_back(ask("get_image_depth"));
  if (instruction.op == Op::OpImageQuerySizeLod) {
    auto* level = t.integer(instruction[4], "the level");
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(level);
    if (constant == nullptr || !constant->isZero()) {
      level = t.builder.CreateZExtOrTrunc(level, i32);
      level = t.builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, level, t.builder.getInt32(31));
      for (auto*& size : sizes)
        size = t.builder.CreateBinaryIntrinsic(
            llvm::Intrinsic::umax, t.builder.CreateLShr(size, level), t.builder.getInt32(1));
    }
  }
  if (image.is_array)
    sizes.push_back(t.call_builtin("get_image_array_size", t.builder.getInt64Ty(), {target}));
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
  t.require(result->getScalarType()->isIntegerTy() && t.type(instruction[1]).op != Op::OpTypeBool &&
                (vector != nullptr ? vector->getNumElements() : 1) == sizes.size(),
            "the result has an integer for each size");
  llvm::Value* made = sizes.size() > 1 ? llvm::PoisonValue::get(result) : nullptr;
  for (unsigned i = 0; i < sizes.size(); ++i) {
    auto* size = t.builder.CreateZExtOrTrunc(sizes[i], result->getScalarType());
    made = made == nullptr ? size : t.builder.CreateInsertElement(made, size, i);
  }
  t.define_result(instruction, made);
}

} // namespace

void image_type(Translation& t, const Instruction& instruction) {
  Type made;
  made.op = Op::OpTypeImage;
  made.dim = static_cast<spv::Dim>(instruction[3]);
  made.is_depth = instruction[4] == 1;
  made.is_array = instruction[5] == 1;
  made.access = instruction.size() > 9 ? instruction[9] : 0;
  t.require(t.type(instruction[2]).op == Op::OpTypeVoid, "the sampled type of an image is void");
  const bool is_buffer = made.dim == spv::Dim::Buffer;
  t.require(made.dim == spv::Dim::Dim1D || made.dim == spv::Dim::Dim2D ||
                made.dim == spv::Dim::Dim3D || is_buffer,
            "an image is 1D, 2D, 3D or a buffer");
  t.require(instruction[4] <= 2 && instruction[5] <= 1 && made.access <= 2,
            "depth, array and access of an image are known");
  t.require(!made.is_depth || made.dim == spv::Dim::Dim2D, "a depth image is 2D");
  t.require(!made.is_array || (made.dim != spv::Dim::Dim3D && !is_buffer),
            "an array is of 1D or 2D images");
  t.require(instruction[6] == 0 && instruction[7] == 0 && instruction[8] == 0,
            "an image has one sample, and its format is not known");
  const Word numbers[] = {instruction[3], made.is_depth ? 1u : 0u, instruction[5], 0, 0, 0,
                          made.access};
  made.llvm = llvm::TargetExtType::get(t.context, "spirv.Image", {t.builder.getVoidTy()}, numbers);
  t.add_type(instruction[1], made);
}

// As OpenCL C has it, without its end: "image2d_array_depth".
std::string image_word(const Translation& t, const Type& image) {
  std::string text = "image" + std::to_string(dimensions(image)) + "d";
  if (image.is_array)
    text += "_array";
  if (image.dim == spv::Dim::Buffer)
    text += "_buffer";
  if (image.is_depth)
    text += "_depth";
  return text;
}

const char* access_word(const Translation& t, const Type& image) {
  constexpr const char* kWords[] = {"read_only", "write_only", "read_write"};
  return kWords[std::min<Word>(image.access, 2)];
}

const Type& image_of_value(const Translation& t, Word number) {
  const auto& found = t.type_of_value(number);
  t.require(found.op == Op::OpTypeImage, "the operand is an image");
  return found;
}

Argument image_argument(Translation& t, Word number) {
  constexpr const char* kSuffixes[] = {"_ro", "_wo", "_rw"};
  const auto& image = image_of_value(t, number);
  const auto text = "ocl_" + image_word(t, image) + kSuffixes[image.access];
  return {t.value(number), mangled_named(text)};
}

// OpConstantSampler, where it is used.
llvm::Value* sampler_value(Translation& t, Word bits) {
  t.require(t.builder.GetInsertBlock() != nullptr, "a sampler is used in functions");
  return t.call_named("__translate_sampler_initializer", t.opaque("spirv.Sampler"),
                      {t.builder.getInt32(bits)}, Effect::none);
}

void add_images(Readers& readers) {
  readers.add_outside(constant_sampler, {Op::OpConstantSampler});
  readers.add(sampled_image, {Op::OpSampledImage});
  readers.add(read_image, {Op::OpImageSampleExplicitLod, Op::OpImageRead});
  readers.add(write_image, {Op::OpImageWrite});
  readers.add(query_image, {Op::OpImage, Op::OpImageQueryFormat, Op::OpImageQueryOrder,
                            Op::OpImageQuerySizeLod, Op::OpImageQuerySize, Op::OpImageQueryLevels});
}

} // namespace heddle::compiler::spirv
