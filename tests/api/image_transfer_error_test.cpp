// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of commands on images (OpenCL API 5.3.3 to 5.3.7).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

#include <functional>
#include <string>

namespace heddle::test {
namespace {

using Pointer = const size_t*;

// A command on one region of an image, with otherwise valid arguments.
struct Command {
  std::string name;
  std::function<cl_int(cl_command_queue, cl_mem, Pointer origin, Pointer region, cl_uint waits,
                       const cl_event* list)>
      call;
};

class ImageCommandErrors : public ApiTest {
 protected:
  std::vector<Command> commands() {
    return {
        {"read",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueReadImage(q, image, CL_TRUE, o, r, 0, 0, host_.data(), n, list, nullptr);
         }},
        {"write",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueWriteImage(q, image, CL_TRUE, o, r, 0, 0, host_.data(), n, list,
                                      nullptr);
         }},
        {"fill",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueFillImage(q, image, host_.data(), o, r, n, list, nullptr);
         }},
        {"copy from",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueCopyImage(q, image, other_, o, kNoOrigin.data(), r, n, list, nullptr);
         }},
        {"copy to",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueCopyImage(q, other_, image, kNoOrigin.data(), o, r, n, list, nullptr);
         }},
        {"to buffer",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueCopyImageToBuffer(q, image, buffer_, o, r, 0, n, list, nullptr);
         }},
        {"from buffer",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           return clEnqueueCopyBufferToImage(q, buffer_, image, 0, o, r, n, list, nullptr);
         }},
        {"map",
         [&](auto q, auto image, auto o, auto r, auto n, auto list) {
           cl_int status = 1;
           size_t row = 0, slice = 0;
           void* place = clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, o, r, &row, &slice, n,
                                           list, nullptr, &status);
           if (place)
             clEnqueueUnmapMemObject(q, image, place, 0, nullptr, nullptr);
           return status;
         }},
    };
  }
  std::vector<unsigned char> host_ = std::vector<unsigned char>(65536);
  Image other_ = make_image(context_, describe(CL_MEM_OBJECT_IMAGE3D, 16, 16, 16));
  Buffer buffer_ = make_buffer(context_, 65536);
};

TEST_F(ImageCommandErrors, WhatAllHaveInCommon) {
  const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 8, 4));
  const auto foreign_context = make_context();
  const auto foreign = make_image(foreign_context, describe(CL_MEM_OBJECT_IMAGE2D, 8, 4));
  Event foreign_event(clCreateUserEvent(foreign_context, nullptr));
  const Triple region = {8, 4, 1};
  const Pointer o = kNoOrigin.data(), r = region.data();
  const cl_event none = nullptr;
  for (const auto& command : commands()) {
    SCOPED_TRACE(command.name);
    EXPECT_EQ(command.call(queue_, image, o, r, 0, nullptr), CL_SUCCESS);
    EXPECT_EQ(command.call(nullptr, image, o, r, 0, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(command.call(queue_, nullptr, o, r, 0, nullptr), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(command.call(queue_, buffer_, o, r, 0, nullptr), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(command.call(queue_, foreign, o, r, 0, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(command.call(queue_, image, nullptr, r, 0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(command.call(queue_, image, o, nullptr, 0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(command.call(queue_, image, o, r, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(command.call(queue_, image, o, r, 0, foreign_event.address()),
              CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(command.call(queue_, image, o, r, 1, &none), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(command.call(queue_, image, o, r, 1, foreign_event.address()), CL_INVALID_CONTEXT);
  }
}

TEST_F(ImageCommandErrors, RegionsOutside) {
  const size_t huge = ~size_t{0};
  for (const auto type : kImageTypes) {
    const AnyImage made(context_, type, {8, 4, 3}, kRgba8, 4);
    for (const auto& command : commands()) {
      SCOPED_TRACE(testing::Message() << command.name << ' ' << type);
      const auto call = [&](const Triple& origin, const Triple& region) {
        return command.call(queue_, made.image, origin.data(), region.data(), 0, nullptr);
      };
      EXPECT_EQ(call(kNoOrigin, made.size), CL_SUCCESS);
      for (size_t i = 0; i != 3; ++i) {
        auto origin = kNoOrigin;
        auto region = made.size;
        region[i] = 0;
        EXPECT_EQ(call(origin, region), CL_INVALID_VALUE);
        region[i] = made.size[i] + 1;
        EXPECT_EQ(call(origin, region), CL_INVALID_VALUE);
        region[i] = huge;
        EXPECT_EQ(call(origin, region), CL_INVALID_VALUE);
        region = {1, 1, 1};
        origin[i] = made.size[i];
        EXPECT_EQ(call(origin, region), CL_INVALID_VALUE);
        origin[i] = huge;
        EXPECT_EQ(call(origin, region), CL_INVALID_VALUE);
      }
    }
  }
}

TEST_F(ImageCommandErrors, HostMemory) {
  const Triple region = {4, 2, 2};
  for (const auto type : {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D}) {
    const bool deep = type == CL_MEM_OBJECT_IMAGE3D;
    const auto image = make_image(context_, describe(type, 4, 2, 2));
    auto size = region;
    size[2] = deep ? 2 : 1;
    for (const bool reads : {false, true}) {
      const auto call = [&](size_t row, size_t slice, void* host) {
        return reads ? clEnqueueReadImage(queue_, image, CL_TRUE, kNoOrigin.data(), size.data(),
                                          row, slice, host, 0, nullptr, nullptr)
                     : clEnqueueWriteImage(queue_, image, CL_TRUE, kNoOrigin.data(), size.data(),
                                           row, slice, host, 0, nullptr, nullptr);
      };
      auto* host = host_.data();
      EXPECT_EQ(call(0, 0, nullptr), CL_INVALID_VALUE);
      EXPECT_EQ(call(15, 0, host), CL_INVALID_VALUE);
      EXPECT_EQ(call(17, 0, host), CL_SUCCESS);
      EXPECT_EQ(call(16, 32, host), deep ? CL_SUCCESS : CL_INVALID_VALUE);
      EXPECT_EQ(call(17, 33, host), CL_INVALID_VALUE);
      EXPECT_EQ(call(~size_t{0}, 0, host), CL_INVALID_VALUE);
      if (deep) {
        EXPECT_EQ(call(0, ~size_t{0}, host), CL_INVALID_VALUE);
      }
    }
  }
}

TEST_F(ImageCommandErrors, HostAccess) {
  const Triple one = {1, 1, 1};
  for (const cl_mem_flags flag :
       {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS}) {
    const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 4, 4), kRgba8, nullptr,
                                  CL_MEM_READ_WRITE | flag);
    for (const auto& command : commands()) {
      SCOPED_TRACE(command.name);
      const bool reads = command.name == "read" || command.name == "map";
      const bool writes = command.name == "write";
      const bool is_forbidden =
          (reads && flag != CL_MEM_HOST_READ_ONLY) || (writes && flag != CL_MEM_HOST_WRITE_ONLY);
      EXPECT_EQ(command.call(queue_, image, kNoOrigin.data(), one.data(), 0, nullptr),
                is_forbidden ? CL_INVALID_OPERATION : CL_SUCCESS);
    }
    cl_int status = 1;
    size_t row = 0;
    void* place =
        clEnqueueMapImage(queue_, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, kNoOrigin.data(),
                          one.data(), &row, nullptr, 0, nullptr, nullptr, &status);
    EXPECT_EQ(status, flag == CL_MEM_HOST_WRITE_ONLY ? CL_SUCCESS : CL_INVALID_OPERATION);
    if (place)
      check(clEnqueueUnmapMemObject(queue_, image, place, 0, nullptr, nullptr), "unmap");
  }
}

TEST_F(ImageCommandErrors, Copies) {
  const auto image = make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 16, 16));
  const auto floats =
      make_image(context_, describe(CL_MEM_OBJECT_IMAGE2D, 16, 16), {CL_RGBA, CL_FLOAT});
  const auto copy = [&](cl_mem from, cl_mem to, Triple at, Triple to_at, Triple region) {
    return clEnqueueCopyImage(queue_, from, to, at.data(), to_at.data(), region.data(), 0, nullptr,
                              nullptr);
  };
  EXPECT_EQ(copy(image, floats, {0, 0, 0}, {0, 0, 0}, {99, 1, 1}), CL_IMAGE_FORMAT_MISMATCH);
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {3, 3, 0}, {4, 4, 1}), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}), CL_MEM_COPY_OVERLAP);
  // Address ranges that overlap, but not the elements.
  EXPECT_EQ(copy(image, image, {0, 0, 0}, {8, 2, 0}, {8, 8, 1}), CL_SUCCESS);
  const Triple region = {16, 16, 1};
  const auto small = make_buffer(context_, 1024);
  const auto to = [&](size_t offset) {
    return clEnqueueCopyImageToBuffer(queue_, image, small, kNoOrigin.data(), region.data(), offset,
                                      0, nullptr, nullptr);
  };
  const auto from = [&](size_t offset) {
    return clEnqueueCopyBufferToImage(queue_, small, image, offset, kNoOrigin.data(), region.data(),
                                      0, nullptr, nullptr);
  };
  EXPECT_EQ(to(0), CL_SUCCESS);
  EXPECT_EQ(from(0), CL_SUCCESS);
  for (const size_t offset : {size_t{1}, size_t{1025}, ~size_t{0}}) {
    EXPECT_EQ(to(offset), CL_INVALID_VALUE);
    EXPECT_EQ(from(offset), CL_INVALID_VALUE);
  }
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue_, image, nullptr, kNoOrigin.data(), region.data(), 0,
                                       0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  auto d = describe(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16);
  d.mem_object = small;
  const auto line = make_image(context_, d);
  const Triple one = {1, 1, 1};
  EXPECT_EQ(clEnqueueCopyImageToBuffer(queue_, line, small, kNoOrigin.data(), one.data(), 512, 0,
                                       nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferToImage(queue_, small, line, 512, kNoOrigin.data(), one.data(), 0,
                                       nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
}

TEST_F(ImageCommandErrors, FillsAndMaps) {
  const Triple one = {1, 1, 1};
  EXPECT_EQ(clEnqueueFillImage(queue_, other_, nullptr, kNoOrigin.data(), one.data(), 0, nullptr,
                               nullptr),
            CL_INVALID_VALUE);
  const auto map = [&](cl_map_flags flags, size_t* row, size_t* slice) {
    cl_int status = 1;
    void* place = clEnqueueMapImage(queue_, other_, CL_TRUE, flags, kNoOrigin.data(), one.data(),
                                    row, slice, 0, nullptr, nullptr, &status);
    if (place)
      check(clEnqueueUnmapMemObject(queue_, other_, place, 0, nullptr, nullptr), "unmap");
    return status;
  };
  size_t row = 0, slice = 0;
  EXPECT_EQ(map(CL_MAP_READ, &row, &slice), CL_SUCCESS);
  EXPECT_EQ(map(CL_MAP_READ, nullptr, &slice), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ, &row, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(map(CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, &row, &slice), CL_INVALID_VALUE);
  EXPECT_EQ(map(cl_map_flags{1} << 20, &row, &slice), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue_, other_, host_.data(), 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(memory_info<cl_uint>(other_, CL_MEM_MAP_COUNT), 0u);
}

} // namespace
} // namespace heddle::test
