// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: flags, sub-buffers, copies and fills, rectangular copies against a model, mapping.
#include "harness.h"

#include <array>
#include <cstring>
#include <numeric>
#include <random>

using namespace conformance;

namespace {

class Buffers : public DeviceTest {
 protected:
  cl_int creation_error(cl_mem_flags flags, size_t size, void* host) {
    cl_int error = CL_SUCCESS;
    Memory buffer(clCreateBuffer(context, flags, size, host, &error));
    EXPECT_EQ(buffer.get() == nullptr, error != CL_SUCCESS);
    return error;
  }
};

std::vector<cl_uchar> counting(size_t size, unsigned seed = 0) {
  std::vector<cl_uchar> data(size);
  std::mt19937 random(seed);
  for (cl_uchar& byte : data)
    byte = cl_uchar(random());
  return data;
}

TEST_F(Buffers, Queries) {
  SPEC("API, Memory Object Queries: clGetMemObjectInfo");
  std::vector<cl_uchar> host(4096);
  Memory buffer = make_buffer(4096, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, host.data());
  EXPECT_EQ(info<cl_mem_object_type>(clGetMemObjectInfo, buffer.get(), CL_MEM_TYPE),
            cl_mem_object_type(CL_MEM_OBJECT_BUFFER));
  EXPECT_EQ(info<cl_mem_flags>(clGetMemObjectInfo, buffer.get(), CL_MEM_FLAGS),
            cl_mem_flags(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR));
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, buffer.get(), CL_MEM_SIZE), 4096u);
  EXPECT_EQ(info<void*>(clGetMemObjectInfo, buffer.get(), CL_MEM_HOST_PTR), host.data());
  EXPECT_EQ(info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT), 0u);
  EXPECT_EQ(info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_REFERENCE_COUNT), 1u);
  EXPECT_EQ(info<cl_context>(clGetMemObjectInfo, buffer.get(), CL_MEM_CONTEXT), context.get());
  EXPECT_EQ(info<cl_mem>(clGetMemObjectInfo, buffer.get(), CL_MEM_ASSOCIATED_MEMOBJECT), nullptr);
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, buffer.get(), CL_MEM_OFFSET), 0u);
  Memory plain = make_buffer(64);
  EXPECT_EQ(info<void*>(clGetMemObjectInfo, plain.get(), CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(info<cl_mem_flags>(clGetMemObjectInfo, make_buffer(64, 0).get(), CL_MEM_FLAGS) &
                CL_MEM_WRITE_ONLY,
            0u);
}

TEST_F(Buffers, CreationErrors) {
  SPEC("API, Creating Buffer Objects: errors of clCreateBuffer");
  std::array<char, 64> host{};
  EXPECT_EQ(creation_error(CL_MEM_READ_WRITE, 0, nullptr), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(creation_error(CL_MEM_READ_WRITE, 64, host.data()), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(CL_MEM_USE_HOST_PTR, 64, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(CL_MEM_COPY_HOST_PTR, 64, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(creation_error(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host.data()),
            CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host.data()),
            CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(creation_error(CL_MEM_READ_WRITE, ~size_t(0), nullptr), CL_INVALID_BUFFER_SIZE);
}

TEST_F(Buffers, EveryWayToGetDataIn) {
  SPEC("API, Creating Buffer Objects: memory flags");
  std::vector<cl_uchar> data = counting(1000);
  for (cl_mem_flags flags :
       {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR}) {
    std::vector<cl_uchar> host = data;
    Memory buffer = make_buffer(host.size(), CL_MEM_READ_WRITE | flags, host.data());
    if (flags & CL_MEM_COPY_HOST_PTR) // the data is copied at creation
      std::fill(host.begin(), host.end(), cl_uchar(0));
    EXPECT_EQ(read<cl_uchar>(buffer, data.size()), data) << "flags " << flags;
  }
}

TEST_F(Buffers, MappingAHostPointerGivesThatPointer) {
  SPEC("API, Mapping Buffer Objects: the pointer is derived from host_ptr, and the memory there is "
       "up to date");
  alignas(128) static std::array<cl_int, 1024> host;
  std::iota(host.begin(), host.end(), 0);
  Memory buffer = make_buffer(sizeof host, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, host.data());
  Kernel kernel =
      make_kernel("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }", "twice");
  set_arguments(kernel, buffer);
  run(kernel, {1024});
  cl_int error = CL_SUCCESS;
  void* mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 256, 1024, 0, nullptr,
                                    nullptr, &error);
  ASSERT_CL(error);
  EXPECT_EQ(mapped, reinterpret_cast<char*>(host.data()) + 256);
  for (int i = 64; i < 64 + 256; ++i)
    ASSERT_EQ(host[i], 2 * i);
  ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
}

TEST_F(Buffers, MapWriteUnmap) {
  SPEC("API, Mapping Buffer Objects and Unmapping Mapped Memory Objects");
  Memory buffer = make_buffer(std::vector<cl_int>(256, 1));
  cl_int error = CL_SUCCESS;
  auto* first = static_cast<cl_int*>(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0,
                                                        512, 0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  auto* second = static_cast<cl_int*>(clEnqueueMapBuffer(queue, buffer, CL_TRUE,
                                                         CL_MAP_WRITE_INVALIDATE_REGION, 512, 512,
                                                         0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT), 2u);
  EXPECT_EQ(first[5], 1) << "CL_MAP_WRITE shows the contents";
  first[5] = 50;
  for (int i = 0; i < 128; ++i)
    second[i] = 1000 + i;
  ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, first, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, second, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(info<cl_uint>(clGetMemObjectInfo, buffer.get(), CL_MEM_MAP_COUNT), 0u);
  const auto result = read<cl_int>(buffer, 256);
  EXPECT_EQ(result[4], 1);
  EXPECT_EQ(result[5], 50);
  EXPECT_EQ(result[255], 1127);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1000, 100, 0, nullptr, nullptr,
                               &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
}

TEST_F(Buffers, SubBuffersAlias) {
  SPEC("API, Creating Buffer Objects: clCreateSubBuffer");
  const size_t align = info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  Memory parent = make_buffer(std::vector<cl_uchar>(4 * align, 1));
  const cl_buffer_region region = {align, 2 * align};
  cl_int error = CL_SUCCESS;
  Memory sub(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_mem>(clGetMemObjectInfo, sub.get(), CL_MEM_ASSOCIATED_MEMOBJECT), parent.get());
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, sub.get(), CL_MEM_OFFSET), align);
  EXPECT_EQ(info<size_t>(clGetMemObjectInfo, sub.get(), CL_MEM_SIZE), 2 * align);
  Kernel kernel =
      make_kernel("kernel void fill(global uchar* a) { a[get_global_id(0)] = 9; }", "fill");
  set_arguments(kernel, sub);
  run(kernel, {2 * align});
  std::vector<cl_uchar> wanted(4 * align, 1);
  std::fill(wanted.begin() + align, wanted.begin() + 3 * align, cl_uchar(9));
  EXPECT_EQ(read<cl_uchar>(parent, 4 * align), wanted);

  auto error_of = [&](cl_mem from, cl_buffer_region where, cl_mem_flags flags) {
    cl_int result = CL_SUCCESS;
    Memory none(clCreateSubBuffer(from, flags, CL_BUFFER_CREATE_TYPE_REGION, &where, &result));
    return result;
  };
  EXPECT_EQ(error_of(sub, {0, align}, 0), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(error_of(parent, {align, 0}, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(error_of(parent, {align, 4 * align}, 0), CL_INVALID_VALUE);
  EXPECT_EQ(error_of(parent, {1, 16}, 0), CL_MISALIGNED_SUB_BUFFER_OFFSET);
  EXPECT_EQ(error_of(parent, {0, align}, CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE);
  Memory read_only = make_buffer(4 * align, CL_MEM_READ_ONLY);
  EXPECT_EQ(error_of(read_only, {0, align}, CL_MEM_READ_WRITE), CL_INVALID_VALUE);
  // Inherited if unspecified.
  Memory child(clCreateSubBuffer(read_only, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  ASSERT_CL(error);
  EXPECT_EQ(info<cl_mem_flags>(clGetMemObjectInfo, child.get(), CL_MEM_FLAGS),
            cl_mem_flags(CL_MEM_READ_ONLY));
}

TEST_F(Buffers, ReadWriteCopyWithOffsets) {
  SPEC("API, Reading, Writing and Copying Buffer Objects");
  std::vector<cl_uchar> model = counting(1024);
  Memory buffer = make_buffer(model);
  const auto part = counting(100, 1);
  ASSERT_CL(
      clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 33, 100, part.data(), 0, nullptr, nullptr));
  std::memcpy(model.data() + 33, part.data(), 100);
  ASSERT_CL(clEnqueueCopyBuffer(queue, buffer, buffer, 10, 700, 300, 0, nullptr,
                                nullptr)); // disjoint parts
  std::memcpy(model.data() + 700, model.data() + 10, 300);
  EXPECT_EQ(read<cl_uchar>(buffer, 1024), model);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 10, 200, 300, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, buffer, 1000, 0, 100, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1000, 25, model.data(), 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(
      clEnqueueReadBuffer(queue, buffer, CL_TRUE, ~size_t(0), 2, model.data(), 0, nullptr, nullptr),
      CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 16, nullptr, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

TEST_F(Buffers, FillPatterns) {
  SPEC("API, Filling Buffer Objects");
  for (size_t pattern_size : {1, 2, 4, 8, 16, 32, 64, 128}) {
    std::vector<cl_uchar> model(2048, 0xEE);
    Memory buffer = make_buffer(model);
    const auto pattern = counting(pattern_size, unsigned(pattern_size));
    ASSERT_CL(clEnqueueFillBuffer(queue, buffer, pattern.data(), pattern_size, 3 * pattern_size,
                                  5 * pattern_size, 0, nullptr, nullptr));
    for (size_t i = 0; i < 5 * pattern_size; ++i)
      model[3 * pattern_size + i] = pattern[i % pattern_size];
    EXPECT_EQ(read<cl_uchar>(buffer, 2048), model) << pattern_size;
  }
  Memory buffer = make_buffer(2048);
  const std::array<char, 256> pattern{};
  for (auto [pattern_size, offset, size] : {std::array<size_t, 3>{3, 0, 12},
                                            {0, 0, 16},
                                            {256, 0, 256},
                                            {4, 2, 8},
                                            {4, 0, 6},
                                            {4, 2044, 8}})
    EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, pattern.data(), pattern_size, offset, size, 0,
                                  nullptr, nullptr),
              CL_INVALID_VALUE)
        << pattern_size << " " << offset << " " << size;
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, nullptr, 4, 0, 16, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

// The specification's formula: byte (x, y, z) of a region is at origin + x + y * row pitch + z *
// slice pitch.
using Triple = std::array<size_t, 3>;
void copy_rect_model(const cl_uchar* from, Triple from_origin, size_t from_row, size_t from_slice,
                     cl_uchar* to, Triple to_origin, size_t to_row, size_t to_slice,
                     Triple region) {
  for (size_t z = 0; z < region[2]; ++z)
    for (size_t y = 0; y < region[1]; ++y)
      for (size_t x = 0; x < region[0]; ++x)
        to[(to_origin[2] + z) * to_slice + (to_origin[1] + y) * to_row + to_origin[0] + x] =
            from[(from_origin[2] + z) * from_slice + (from_origin[1] + y) * from_row +
                 from_origin[0] + x];
}

TEST_F(Buffers, RectanglesMatchTheModel) {
  SPEC("API, Reading, Writing and Copying Buffer Objects: clEnqueue{Read,Write,Copy}BufferRect");
  std::mt19937 random(7);
  auto up_to = [&](size_t limit) { return size_t(random() % limit); };
  for (int round = 0; round < 60; ++round) {
    const Triple region = {1 + up_to(20), 1 + up_to(6), 1 + up_to(4)};
    const Triple from = {up_to(9), up_to(4), up_to(3)}, to = {up_to(9), up_to(4), up_to(3)};
    const size_t from_row = region[0] + from[0] + up_to(5),
                 from_slice = from_row * (region[1] + from[1] + up_to(3));
    const size_t to_row = region[0] + to[0] + up_to(5),
                 to_slice = to_row * (region[1] + to[1] + up_to(3));
    const size_t from_size = from_slice * (region[2] + from[2]),
                 to_size = to_slice * (region[2] + to[2]);
    const auto source = counting(from_size, round);
    const auto background = counting(to_size, round + 1000);
    auto model = background;
    copy_rect_model(source.data(), from, from_row, from_slice, model.data(), to, to_row, to_slice,
                    region);

    Memory source_buffer = make_buffer(source), copy = make_buffer(background),
           written = make_buffer(background);
    ASSERT_CL(clEnqueueCopyBufferRect(queue, source_buffer, copy, from.data(), to.data(),
                                      region.data(), from_row, from_slice, to_row, to_slice, 0,
                                      nullptr, nullptr));
    EXPECT_EQ(read<cl_uchar>(copy, to_size), model) << "copy, round " << round;
    ASSERT_CL(clEnqueueWriteBufferRect(queue, written, CL_FALSE, to.data(), from.data(),
                                       region.data(), to_row, to_slice, from_row, from_slice,
                                       source.data(), 0, nullptr, nullptr));
    EXPECT_EQ(read<cl_uchar>(written, to_size), model) << "write, round " << round;
    auto host = background;
    ASSERT_CL(clEnqueueReadBufferRect(queue, source_buffer, CL_TRUE, from.data(), to.data(),
                                      region.data(), from_row, from_slice, to_row, to_slice,
                                      host.data(), 0, nullptr, nullptr));
    EXPECT_EQ(host, model) << "read, round " << round;
  }
}

TEST_F(Buffers, RectangleDefaultsAndErrors) {
  SPEC("API, Reading, Writing and Copying Buffer Objects: a pitch of 0 is computed from the "
       "region; errors");
  const auto data = counting(8 * 4 * 2);
  Memory buffer = make_buffer(data);
  std::vector<cl_uchar> host(64), large(256);
  const Triple zero = {0, 0, 0}, region = {8, 4, 2};
  ASSERT_CL(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero.data(), zero.data(), region.data(),
                                    0, 0, 0, 0, host.data(), 0, nullptr, nullptr));
  EXPECT_EQ(host, data);
  auto error_of = [&](Triple r, size_t row, size_t slice, void* pointer) {
    return clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero.data(), zero.data(), r.data(), row,
                                   slice, 0, 0, pointer, 0, nullptr, nullptr);
  };
  EXPECT_EQ(error_of({8, 0, 2}, 0, 0, large.data()), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({8, 4, 3}, 0, 0, large.data()), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({8, 4, 2}, 7, 0, large.data()), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({8, 4, 2}, 8, 31, large.data()), CL_INVALID_VALUE);
  EXPECT_EQ(error_of({8, 4, 2}, 0, 0, nullptr), CL_INVALID_VALUE);
}

TEST_F(Buffers, HostAccessFlags) {
  SPEC("API, Reading, Writing and Copying Buffer Objects: CL_INVALID_OPERATION for CL_MEM_HOST_* "
       "flags");
  Memory write_only = make_buffer(64, CL_MEM_HOST_WRITE_ONLY),
         read_only = make_buffer(64, CL_MEM_HOST_READ_ONLY),
         none = make_buffer(64, CL_MEM_HOST_NO_ACCESS);
  std::array<char, 64> host{};
  auto reading = [&](cl_mem b) {
    return clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr);
  };
  auto writing = [&](cl_mem b) {
    return clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 64, host.data(), 0, nullptr, nullptr);
  };
  EXPECT_EQ(reading(write_only), CL_INVALID_OPERATION);
  EXPECT_EQ(reading(none), CL_INVALID_OPERATION);
  EXPECT_CL(reading(read_only));
  EXPECT_EQ(writing(read_only), CL_INVALID_OPERATION);
  EXPECT_EQ(writing(none), CL_INVALID_OPERATION);
  EXPECT_CL(writing(write_only));
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(clEnqueueMapBuffer(queue, write_only, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr,
                               &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueMapBuffer(queue, read_only, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr,
                               &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
}

TEST_F(Buffers, DestructorCallbacksRunInReverseOrder) {
  SPEC("API, Retaining and Releasing Memory Objects: clSetMemObjectDestructorCallback");
  static std::vector<int> order;
  order.clear();
  int numbers[] = {1, 2, 3};
  Memory buffer = make_buffer(64);
  for (int& number : numbers)
    ASSERT_CL(clSetMemObjectDestructorCallback(
        buffer, [](cl_mem, void* data) { order.push_back(*static_cast<int*>(data)); }, &number));
  ASSERT_CL(clFinish(queue));
  EXPECT_TRUE(order.empty());
  buffer.reset();
  EXPECT_EQ(order, (std::vector<int>{3, 2, 1}));
}

TEST_F(Buffers, Migration) {
  SPEC("API, Migrating Memory Objects");
  Memory buffer = make_buffer(std::vector<cl_int>(16, 3));
  const cl_mem list[] = {buffer};
  ASSERT_CL(
      clEnqueueMigrateMemObjects(queue, 1, list, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueMigrateMemObjects(queue, 1, list, 0, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(buffer, 16), std::vector<cl_int>(16, 3));
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 0, list, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, list, 1u << 20, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
}

} // namespace
