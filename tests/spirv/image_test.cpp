// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers in modules: what OpenCL C written through SPIR-V does not lead to. The rest
// is in spirv/through/*.
#include "tests/api/images.h"
#include "tests/spirv/module_builder.h"

#include <gtest/gtest.h>

#include <functional>

namespace {

using namespace heddle::test;

constexpr Word kImage = 25, kSamplerType = 26, kSampledImageType = 27, kConstantSampler = 45,
               kSampledImage = 86, kSample = 88, kRead = 98, kWrite = 99, kOrder = 102,
               kFormat = 101, kSizeLod = 103, kSize = 104, kLevels = 106;
constexpr Word kNone = 0, kLod = 2, kSigned = 0x1000, kUnsigned = 0x2000;
enum Access : Word { ReadOnly, WriteOnly, ReadWrite };

struct ImageModule : KernelModule {
  ImageModule() : KernelModule("", {13, 14, 20, 43, 44, 46, 47}) {
    types();
    i32x2 = type(OpTypeVector, {i32, 2});
    i32x3 = type(OpTypeVector, {i32, 3});
    i32x4 = type(OpTypeVector, {i32, 4});
    f32x2 = type(OpTypeVector, {f32, 2});
    f32x4 = type(OpTypeVector, {f32, 4});
    global_i32x4 = type(OpTypePointer, {CrossWorkgroup, i32x4});
    sampler = type(kSamplerType);
    zero = constant32(0);
    origin = result(OpConstantComposite, i32x2, {zero, zero});
  }
  Word image(Word access, Word dim = 1, Word is_array = 0) {
    return type(kImage, {void_type, dim, 0, is_array, 0, 0, 0, access});
  }
  Word number(float value) {
    Word bits = 0;
    std::memcpy(&bits, &value, 4);
    return result(OpConstant, f32, {bits});
  }
  // Stores a vector of four to out[index], which is a constant.
  void store(Word out, Word index, Word value) {
    const Word place = result(OpInBoundsPtrAccessChain, global_i32x4, {out, index});
    add(OpStore, {place, value, 2, 16});
  }
  Word i32x2, i32x3, i32x4, f32x2, f32x4, global_i32x4, sampler, zero, origin;
};

Program build(cl_context context, const Words& words, cl_int expected = CL_SUCCESS) {
  cl_int error = CL_SUCCESS;
  Program program(clCreateProgramWithIL(context, words.data(), 4 * words.size(), &error));
  check(error, "clCreateProgramWithIL");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), expected)
      << build_log(program);
  return program;
}

template <class T>
Image image_of(cl_context context, std::vector<T>& texels, const cl_image_desc& d,
               const cl_image_format& format) {
  return make_image(context, d, format, texels.data(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR);
}

using Ints = std::vector<int>;

// Modules before 1.4 do not tell whether integers are signed: the image's format does.
TEST(SpirvImages, IntegersOfEitherSign) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  for (const Word operand : {kNone, kSigned, kUnsigned}) {
    ImageModule m;
    const Word source = m.image(ReadOnly), target = m.image(WriteOnly);
    const Word color = m.result(OpConstantComposite, m.i32x4,
                                {m.constant32(300), m.constant32(static_cast<Word>(-5)),
                                 m.constant32(100), m.constant32(static_cast<Word>(-200))});
    const auto p = m.begin({source, target, m.global_i32x4});
    m.store(p[2], m.zero, m.result(kRead, m.i32x4, {p[0], m.origin, operand}));
    m.add(kWrite, {p[1], m.origin, color, operand});
    m.end();
    const auto program = build(context, m.words());
    for (const cl_channel_type type : {CL_SIGNED_INT8, CL_UNSIGNED_INT8, CL_SIGNED_INT16,
                                       CL_UNSIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT32}) {
      const bool is_signed = type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32;
      if (operand != kNone && is_signed != (operand == kSigned))
        continue; // undefined
      const unsigned bits = 8u << ((type - CL_SIGNED_INT8) % 3);
      const cl_image_format format = {CL_RGBA, type};
      const auto d = describe(CL_MEM_OBJECT_IMAGE2D, 1, 1);
      std::vector<cl_uchar> texel(bits / 2, 0);
      for (unsigned i = 0; i < 4; ++i)
        texel[i * bits / 8 + bits / 8 - 1] = static_cast<cl_uchar>(0x7E + i); // the highest byte
      const auto in = image_of(context, texel, d, format), out = make_image(context, d, format);
      const auto result = make_buffer(context, 16);
      const auto kernel = make_kernel(program, "k");
      set_args(kernel, in, out, result);
      run(queue, kernel, {{1}, {}, {}});
      Ints expected(4);
      for (unsigned i = 0; i < 4; ++i) {
        const cl_uint word = (0x7Eu + i) << 24;
        expected[i] = is_signed ? static_cast<int>(word) >> (32 - bits)
                                : static_cast<int>(word >> (32 - bits));
      }
      EXPECT_EQ(read<int>(queue, result, 4), expected) << type << " " << operand;

      std::vector<cl_uchar> written(bits / 2);
      const Triple one = {1, 1, 1};
      check(clEnqueueReadImage(queue, out, CL_TRUE, kNoOrigin.data(), one.data(), 0, 0,
                               written.data(), 0, nullptr, nullptr),
            "clEnqueueReadImage");
      const cl_long most = is_signed ? (cl_long{1} << (bits - 1)) - 1 : (cl_long{1} << bits) - 1;
      for (unsigned i = 0; i < 4; ++i) {
        const int given = Ints{300, -5, 100, -200}[i];
        const auto value = is_signed ? std::max(-most - 1, std::min<cl_long>(given, most))
                                     : std::min<cl_long>(static_cast<cl_uint>(given), most);
        cl_ulong found = 0, wanted = static_cast<cl_ulong>(value);
        std::memcpy(&found, written.data() + i * bits / 8, bits / 8);
        EXPECT_EQ(found, wanted & ((cl_ulong{1} << bits) - 1))
            << type << " " << operand << " " << i;
      }
    }
  }
}

// Samples with a sampler of the module, then with the argument.
Words sampling_module() {
  ImageModule m;
  const Word image = m.image(ReadOnly);
  const Word sampled = m.type(kSampledImageType, {image});
  const Word linear = m.result(kConstantSampler, m.sampler, {1, 0, 1}); // clamped to the edge
  const Word one = m.constant32(1), level = m.number(0.0f);
  const Word place = m.result(OpConstantComposite, m.f32x2, {m.number(1.0f), m.number(0.5f)});
  const auto p = m.begin({image, m.sampler, m.global_i32x4});
  const Word samplers[] = {linear, p[1]}, indices[] = {m.zero, one};
  for (int i = 0; i < 2; ++i) {
    const Word both = m.result(kSampledImage, sampled, {p[0], samplers[i]});
    const Word color = m.result(kSample, m.f32x4, {both, place, kLod, level});
    m.store(p[2], indices[i], m.result(OpBitcast, m.i32x4, {color}));
  }
  m.end();
  return m.words();
}

TEST(SpirvImages, SamplersOfTheModuleAndArguments) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, sampling_module());
  const auto kernel = make_kernel(program, "k");
  std::vector<float> texels = {1, 3};
  const auto in =
      image_of(context, texels, describe(CL_MEM_OBJECT_IMAGE2D, 2, 1), {CL_R, CL_FLOAT});
  cl_int error = CL_SUCCESS;
  const Sampler nearest(
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
  check(error, "clCreateSampler");
  const auto out = make_buffer(context, 32);
  set_args(kernel, in, nearest, out);
  run(queue, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<float>(queue, out, 8), (std::vector<float>{2, 0, 0, 1, 3, 0, 0, 1}));

  const auto text = [&](cl_uint argument, cl_kernel_arg_info query) {
    char name[64] = {};
    check(clGetKernelArgInfo(kernel, argument, query, sizeof name, name, nullptr), "argument");
    return std::string(name);
  };
  EXPECT_EQ(text(0, CL_KERNEL_ARG_TYPE_NAME), "image2d_t");
  EXPECT_EQ(text(1, CL_KERNEL_ARG_TYPE_NAME), "sampler_t");
}

Words querying_module() {
  ImageModule m;
  const Word array = m.image(ReadWrite, 1, 1), volume = m.image(ReadOnly, 2);
  const Word one = m.constant32(1), two = m.constant32(2);
  const Word last = m.result(OpConstantComposite, m.i32x3, {m.constant32(4), two, one});
  const auto p = m.begin({array, volume, m.global_i32x4});
  const Word size = m.result(kSize, m.i32x3, {p[0]});
  const Word half_size = m.result(kSizeLod, m.i32x3, {p[1], one});
  const auto part = [&](Word from, Word index) {
    return m.result(OpCompositeExtract, m.i32, {from, index});
  };
  const auto four = [&](Word a, Word b, Word c, Word d) {
    return m.result(80, m.i32x4, {a, b, c, d}); // OpCompositeConstruct
  };
  m.store(p[2], m.zero,
          four(part(size, 0), part(size, 1), part(size, 2), m.result(kOrder, m.i32, {p[0]})));
  m.store(p[2], one,
          four(part(half_size, 0), part(half_size, 1), part(half_size, 2),
               m.result(kFormat, m.i32, {p[0]})));
  // A coordinate of three components where OpenCL C has four.
  const Word texel = m.result(kRead, m.f32x4, {p[0], last});
  const Word first = m.result(OpCompositeExtract, m.f32, {texel, 0});
  m.store(
      p[2], two,
      four(m.result(kLevels, m.i32, {p[1]}), m.result(OpBitcast, m.i32, {first}), m.zero, m.zero));
  m.end();
  return m.words();
}

TEST(SpirvImages, Queries) {
  const auto context = make_context();
  const auto queue = make_queue(context);
  const auto program = build(context, querying_module());
  const auto kernel = make_kernel(program, "k");
  std::vector<cl_half> texels(5 * 3 * 2 * 2, 0);
  texels[texels.size() - 2] = 0x3E00; // 1.5
  const auto images = image_of(context, texels, describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 2),
                               {CL_RG, CL_HALF_FLOAT});
  const auto cube = make_image(context, describe(CL_MEM_OBJECT_IMAGE3D, 9, 4, 1));
  const auto out = make_buffer(context, 48);
  set_args(kernel, images, cube, out);
  run(queue, kernel, {{1}, {}, {}});
  EXPECT_EQ(read<int>(queue, out, 12), (Ints{5, 3, 2, 2, 4, 2, 1, 13, 1, 0x3FC00000, 0, 0}));
}

TEST(SpirvImages, RefusesWhatBreaksTheRules) {
  const auto context = make_context();
  const auto refused = [&](const char* rule, const std::function<void(ImageModule&)>& body) {
    ImageModule m;
    body(m);
    m.end();
    const auto program = build(context, m.words(), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(build_log(program).find(rule), std::string::npos) << build_log(program);
  };
  refused("the image can be written", [](auto& m) {
    const Word color = m.result(OpConstantNull, m.f32x4);
    const auto p = m.begin({m.image(ReadOnly)});
    m.add(kWrite, {p[0], m.origin, color});
  });
  refused("the image can be read", [](auto& m) {
    const auto p = m.begin({m.image(WriteOnly)});
    m.result(kRead, m.f32x4, {p[0], m.origin});
  });
  refused("is read only", [](auto& m) {
    const Word image = m.image(ReadWrite), sampled = m.type(kSampledImageType, {image});
    const auto p = m.begin({image, m.sampler});
    m.result(kSampledImage, sampled, {p[0], p[1]});
  });
  refused("one sample", [](auto& m) {
    m.begin({m.type(kImage, {m.void_type, 1, 0, 0, 1, 0, 0, 0})});
  });
  refused("a component for each dimension", [](auto& m) {
    const auto p = m.begin({m.image(ReadOnly, 2)});
    m.result(kRead, m.f32x4, {p[0], m.origin});
  });
  refused("the operand is the result of OpSampledImage", [](auto& m) {
    const Word image = m.image(ReadOnly);
    const auto p = m.begin({image});
    m.result(kSample, m.f32x4, {p[0], m.origin, kNone});
  });
  refused("a kernel's argument",
          [](auto& m) { m.begin({m.type(kSampledImageType, {m.image(ReadOnly)})}); });
  refused("the image operands are those of kernels", [](auto& m) {
    const auto p = m.begin({m.image(ReadOnly)});
    m.result(kRead, m.f32x4, {p[0], m.origin, 0x1, m.zero}); // Bias
  });
  refused("an image is never null", [](auto& m) {
    m.result(OpConstantNull, m.image(ReadOnly));
    m.begin({});
  });
  refused("an array has no images", [](auto& m) {
    m.type(OpTypeArray, {m.image(ReadOnly), m.constant32(2)});
    m.begin({});
  });
  refused("addressing, normalization and filter", [](auto& m) {
    m.result(kConstantSampler, m.sampler, {5, 0, 0});
    m.begin({});
  });
}

// A word changed, so that ids name something else: a log, never a crash.
TEST(SpirvImages, DamagedModulesAreRefused) {
  const auto context = make_context();
  unsigned refused = 0;
  for (const auto& words : {sampling_module(), querying_module()})
    for (size_t i = 5; i < words.size(); ++i)
      for (const Word change : {1u, 2u, 3u, 4u, 9u, 0xFFFF0000u, ~words[i]}) {
        auto damaged = words;
        damaged[i] ^= change;
        cl_int error = CL_SUCCESS;
        const Program program(
            clCreateProgramWithIL(context, damaged.data(), 4 * damaged.size(), &error));
        if (error != CL_SUCCESS)
          continue;
        if (clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr) ==
            CL_SUCCESS)
          continue;
        const auto log = build_log(program);
        EXPECT_NE(log.find("SPIR-V"), std::string::npos) << i << ": " << log;
        EXPECT_EQ(log.find("the compiler failed"), std::string::npos) << i << ": " << log;
        ++refused;
      }
  EXPECT_GT(refused, 1000u);
}

} // namespace
