// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers as arguments of kernels (OpenCL API 5.9.2, 5.9.4).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace heddle::test {
namespace {

const char* const kSource = R"(
kernel void copy(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(to, at, read_imageui(from, s, at));
}
kernel void add(read_write image2d_t a, uint x) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(a, at, read_imageui(a, at) + x);
}
kernel void line(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c,
                 read_only image2d_array_t d, read_only image3d_t e, global int* out) {
  out[0] = get_image_width(a);
  out[1] = get_image_width(b);
  out[2] = get_image_array_size(c);
  out[3] = get_image_array_size(d);
  out[4] = get_image_depth(e);
}
kernel void depth(read_only image2d_depth_t a, read_only image2d_array_depth_t b) {}
)";

constexpr cl_image_format kUints = {CL_RGBA, CL_UNSIGNED_INT32};

class ImageArguments : public ApiTest {
 protected:
  Kernel kernel(const char* name) { return make_kernel(program_, name); }
  cl_int set(cl_kernel kernel, cl_uint index, cl_mem image) {
    return clSetKernelArg(kernel, index, sizeof image, &image);
  }
  Image make(cl_mem_object_type type, const cl_image_format& format = kUints,
             cl_mem_flags flags = CL_MEM_READ_WRITE) {
    auto d = describe(type, 8, 4, 2);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      d.mem_object = buffer_;
    return make_image(context_, d, format, nullptr, flags);
  }
  Sampler sampler_{
      clCreateSampler(context_, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, nullptr)};
  Buffer buffer_ = make_buffer(context_, 1024);
  Program program_ = build(context_, kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
};

TEST_F(ImageArguments, KernelsReadAndWrite) {
  const auto a = make(CL_MEM_OBJECT_IMAGE2D), b = make(CL_MEM_OBJECT_IMAGE2D);
  Texels texels({8, 4, 1}, 16);
  texels.number(1);
  write_image(queue_, a, {8, 4, 1}, texels);
  const auto copy = kernel("copy");
  set_args(copy, a, sampler_.get(), b);
  run(queue_, copy, {{8, 4}, {}, {}});
  EXPECT_TRUE(read_image(queue_, b, {8, 4, 1}, 16) == texels);
  const auto add = kernel("add");
  set_args(add, b, cl_uint{1});
  run(queue_, add, {{8, 4}, {}, {}});
  for (size_t y = 0; y != 4; ++y)
    for (size_t x = 0; x != 32; ++x) {
      cl_uint value = 0;
      std::memcpy(&value, texels.at(0, y, 0) + x * 4, 4);
      ++value;
      std::memcpy(texels.at(0, y, 0) + x * 4, &value, 4);
    }
  EXPECT_TRUE(read_image(queue_, b, {8, 4, 1}, 16) == texels);
}

TEST_F(ImageArguments, EachType) {
  const auto line = kernel("line");
  const auto out = make_buffer(context_, 20);
  std::vector<Image> images;
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D})
    images.push_back(make(type));
  for (cl_uint index = 0; index != 5; ++index)
    for (cl_uint i = 0; i != 5; ++i)
      EXPECT_EQ(set(line, index, images[i]), i == index ? CL_SUCCESS : CL_INVALID_MEM_OBJECT);
  // The valid images are still set.
  check(set(line, 5, out), "clSetKernelArg");
  run(queue_, line, {{1}, {}, {}});
  EXPECT_EQ(read<cl_int>(queue_, out, 5), (std::vector<cl_int>{8, 8, 2, 2, 2}));
}

TEST_F(ImageArguments, DepthImages) {
  const auto depth = kernel("depth");
  const cl_image_format format = {CL_DEPTH, CL_FLOAT}, red = {CL_R, CL_FLOAT};
  const auto flat = make(CL_MEM_OBJECT_IMAGE2D, format), plain = make(CL_MEM_OBJECT_IMAGE2D, red);
  const auto layers = make(CL_MEM_OBJECT_IMAGE2D_ARRAY, format);
  EXPECT_EQ(set(depth, 0, flat), CL_SUCCESS);
  EXPECT_EQ(set(depth, 0, plain), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(depth, 0, layers), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(depth, 1, layers), CL_SUCCESS);
  EXPECT_EQ(set(kernel("copy"), 0, flat), CL_INVALID_MEM_OBJECT);
}

TEST_F(ImageArguments, Errors) {
  const auto copy = kernel("copy"), add = kernel("add");
  const auto image = make(CL_MEM_OBJECT_IMAGE2D);
  const auto other_context = make_context();
  const auto foreign = make_image(other_context, describe(CL_MEM_OBJECT_IMAGE2D, 4, 4));
  const Sampler foreign_sampler(
      clCreateSampler(other_context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, nullptr));
  const cl_mem handle = image;
  EXPECT_EQ(clSetKernelArg(copy, 0, 4, &handle), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(copy, 0, sizeof handle, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(copy, 0, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(copy, 0, buffer_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set(copy, 0, foreign), CL_INVALID_CONTEXT);
  EXPECT_EQ(set(copy, 3, image), CL_INVALID_ARG_INDEX);
  const auto set_sampler = [&](size_t size, const void* value) {
    return clSetKernelArg(copy, 1, size, value);
  };
  const cl_sampler none = nullptr;
  EXPECT_EQ(set_sampler(4, sampler_.address()), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(set_sampler(8, nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_sampler(8, &none), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_sampler(8, &handle), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_sampler(8, foreign_sampler.address()), CL_INVALID_CONTEXT);
  EXPECT_EQ(set_sampler(8, sampler_.address()), CL_SUCCESS);
  const auto read_only = make(CL_MEM_OBJECT_IMAGE2D, kUints, CL_MEM_READ_ONLY);
  const auto write_only = make(CL_MEM_OBJECT_IMAGE2D, kUints, CL_MEM_WRITE_ONLY);
  EXPECT_EQ(set(copy, 0, write_only), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(copy, 2, read_only), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(add, 0, read_only), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(add, 0, write_only), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set(copy, 0, read_only), CL_SUCCESS);
  EXPECT_EQ(enqueue(queue_, copy, {{8, 4}, {}, {}}), CL_INVALID_KERNEL_ARGS); // no destination
  EXPECT_EQ(set(copy, 2, write_only), CL_SUCCESS);
  EXPECT_EQ(enqueue(queue_, copy, {{8, 4}, {}, {}}), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArgSVMPointer(copy, 0, &handle), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

// A kernel does not keep its arguments, but a command does.
TEST_F(ImageArguments, Lifetimes) {
  const auto add = kernel("add");
  auto image = make(CL_MEM_OBJECT_IMAGE2D);
  std::atomic<bool> is_gone = false;
  check(clSetMemObjectDestructorCallback(
            image, [](cl_mem, void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; },
            &is_gone),
        "callback");
  set_args(add, image, cl_uint{1});
  cl_int status = 1;
  const Event gate(clCreateUserEvent(context_, &status));
  const auto copy = Kernel(clCloneKernel(add, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  check(enqueue(queue_, copy, {{8, 4}, {}, {}}, nullptr, {gate}), "enqueue");
  image.reset();
  EXPECT_FALSE(is_gone);
  check(clSetUserEventStatus(gate, CL_COMPLETE), "gate");
  check(clFinish(queue_), "finish");
  // The thread that ran the command may release it after clFinish has returned.
  for (int i = 0; i < 5000 && !is_gone; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(is_gone);
  EXPECT_EQ(enqueue(queue_, add, {{8, 4}, {}, {}}), CL_INVALID_KERNEL_ARGS);
}

// OpenCL C's names of channel orders and types are OpenCL's values, also those of extensions.
TEST_F(ImageArguments, FormatsInKernels) {
  const auto program = build(context_, R"(
#if !__opencl_c_ext_image_unorm_int_2_101010 || !__opencl_c_ext_image_unsigned_10x6_12x4_14x2
#error no feature
#endif
constant int names[] = {CLK_UNORM_INT_2_101010_EXT, CLK_UNORM_INT10X6_EXT, CLK_UNSIGNED_INT14X2_EXT};
kernel void format(read_only image3d_t image, global int* out) {
  out[0] = get_image_channel_order(image);
  out[1] = get_image_channel_data_type(image);
  for (int i = 0; i < 3; ++i)
    out[2 + i] = names[i];
})");
  const auto kernel = make_kernel(program, "format");
  const auto out = make_buffer(context_, 20);
  for (const auto& format : supported_formats(context_, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D)) {
    const auto image = make(CL_MEM_OBJECT_IMAGE3D, format, CL_MEM_READ_ONLY);
    set_args(kernel, image, out);
    run(queue_, kernel, {{1}, {}, {}});
    const auto got = read<cl_uint>(queue_, out, 5);
    EXPECT_EQ(got[0], format.image_channel_order);
    EXPECT_EQ(got[1], format.image_channel_data_type);
    EXPECT_EQ(got[2], 0x10E5u);
    EXPECT_EQ(got[3], 0x10E1u);
    EXPECT_EQ(got[4], 0x10E8u);
  }
}

TEST_F(ImageArguments, Info) {
  const auto copy = kernel("copy"), add = kernel("add");
  const auto access = [](cl_kernel kernel, cl_uint index) {
    cl_kernel_arg_access_qualifier value = 0;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof value, &value,
                             nullptr),
          "clGetKernelArgInfo");
    return value;
  };
  const auto address = [](cl_kernel kernel, cl_uint index) {
    cl_kernel_arg_address_qualifier value = 0;
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof value, &value,
                             nullptr),
          "clGetKernelArgInfo");
    return value;
  };
  const auto type = [](cl_kernel kernel, cl_uint index) {
    char name[64] = {};
    check(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr),
          "clGetKernelArgInfo");
    return std::string(name);
  };
  EXPECT_EQ(access(copy, 0), cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_ONLY});
  EXPECT_EQ(access(copy, 1), cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
  EXPECT_EQ(access(copy, 2), cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_WRITE_ONLY});
  EXPECT_EQ(access(add, 0), cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_READ_WRITE});
  EXPECT_EQ(address(copy, 0), cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(address(copy, 1), cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_PRIVATE});
  EXPECT_EQ(type(copy, 0), "image2d_t");
  EXPECT_EQ(type(copy, 1), "sampler_t");
}

} // namespace
} // namespace heddle::test
