// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, writes, copies and maps of image regions against a model (OpenCL API 5.3.3 to 5.3.8).
#include "tests/api/api_test.h"
#include "tests/api/images.h"

namespace heddle::test {
namespace {

constexpr size_t kElement = 4;
constexpr Triple kSize = {13, 7, 5};

class ImageTransfer : public ApiTest {
 protected:
  AnyImage make(cl_mem_object_type type) {
    return AnyImage(context_, type, kSize, kRgba8, kElement);
  }
  Texels contents(const AnyImage& image) {
    return read_image(queue_, image.image, image.size, kElement);
  }
  // An image with random contents, which are also in `model`.
  AnyImage numbered(cl_mem_object_type type, Texels& model, unsigned start) {
    auto made = make(type);
    model = Texels(made.size, kElement);
    model.number(start);
    write_image(queue_, made.image, made.size, model);
    return made;
  }
};

struct Part {
  Triple origin, region;
};

// A region inside of the image, not at its borders where it is larger than one element.
Part inner(const Triple& size) {
  Part part{};
  for (size_t i = 0; i != 3; ++i) {
    part.origin[i] = size[i] > 2 ? 1 : 0;
    part.region[i] = size[i] > 2 ? size[i] - 2 : 1;
  }
  return part;
}

// Pitches of the host that are larger than needed.
struct Pitches {
  size_t row, slice, row_step;
};
Pitches pitches(cl_mem_object_type type, const Triple& region) {
  const auto row = region[0] * kElement + 12;
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    return {row, row + 20, row + 20};
  return {row, has_slices(type) ? row * region[1] + 20 : 0, row};
}

TEST_F(ImageTransfer, ReadsAndWritesOfRegions) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    Texels model({1, 1, 1}, kElement);
    const auto made = numbered(type, model, 5);
    const auto part = inner(made.size);
    const auto pitch = pitches(type, part.region);
    std::vector<unsigned char> host(8192, 0xaa);
    const auto at = [&](size_t y, size_t z) { return &host[z * pitch.slice + y * pitch.row_step]; };
    ASSERT_EQ(clEnqueueReadImage(queue_, made.image, CL_TRUE, part.origin.data(),
                                 part.region.data(), pitch.row, pitch.slice, host.data(), 0,
                                 nullptr, nullptr),
              CL_SUCCESS);
    const auto row_bytes = part.region[0] * kElement;
    for (size_t z = 0; z != part.region[2]; ++z)
      for (size_t y = 0; y != part.region[1]; ++y) {
        EXPECT_EQ(std::memcmp(at(y, z),
                              model.at(part.origin[0], part.origin[1] + y, part.origin[2] + z),
                              row_bytes),
                  0);
        EXPECT_EQ(at(y, z)[row_bytes], 0xaa);
        for (size_t i = 0; i != row_bytes; ++i)
          at(y, z)[i] = static_cast<unsigned char>(i * 3 + y * 5 + z);
        std::memcpy(model.at(part.origin[0], part.origin[1] + y, part.origin[2] + z), at(y, z),
                    row_bytes);
      }
    ASSERT_EQ(clEnqueueWriteImage(queue_, made.image, CL_TRUE, part.origin.data(),
                                  part.region.data(), pitch.row, pitch.slice, host.data(), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_TRUE(contents(made) == model);
  }
}

TEST_F(ImageTransfer, CopiesBetweenAllTypes) {
  for (const auto from : kImageTypes)
    for (const auto to : kImageTypes) {
      SCOPED_TRACE(testing::Message() << from << " to " << to);
      Texels source({1, 1, 1}, kElement), target = source;
      const auto a = numbered(from, source, 7);
      const auto b = numbered(to, target, 8);
      auto part = inner(a.size);
      const auto other = inner(b.size);
      for (size_t i = 0; i != 3; ++i)
        part.region[i] = std::min(part.region[i], other.region[i]);
      ASSERT_EQ(clEnqueueCopyImage(queue_, a.image, b.image, part.origin.data(),
                                   other.origin.data(), part.region.data(), 0, nullptr, nullptr),
                CL_SUCCESS);
      target.copy(other.origin, source, part.origin, part.region);
      EXPECT_TRUE(contents(b) == target);
    }
}

TEST_F(ImageTransfer, CopiesFromAndToBuffers) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    Texels model({1, 1, 1}, kElement);
    const auto made = numbered(type, model, 9);
    const auto part = inner(made.size);
    Texels packed(part.region, kElement);
    const auto buffer = make_buffer(context_, packed.bytes() + 24);
    ASSERT_EQ(clEnqueueCopyImageToBuffer(queue_, made.image, buffer, part.origin.data(),
                                         part.region.data(), 24, 0, nullptr, nullptr),
              CL_SUCCESS);
    packed.copy({0, 0, 0}, model, part.origin, part.region);
    const auto bytes = read<unsigned char>(queue_, buffer, packed.bytes(), 24);
    EXPECT_EQ(std::memcmp(bytes.data(), packed.data(), packed.bytes()), 0);

    packed.number(11);
    check(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 24, packed.bytes(), packed.data(), 0,
                               nullptr, nullptr),
          "write");
    ASSERT_EQ(clEnqueueCopyBufferToImage(queue_, buffer, made.image, 24, part.origin.data(),
                                         part.region.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    model.copy(part.origin, packed, {0, 0, 0}, part.region);
    EXPECT_TRUE(contents(made) == model);
  }
}

TEST_F(ImageTransfer, Maps) {
  for (const auto type : kImageTypes) {
    SCOPED_TRACE(type);
    Texels model({1, 1, 1}, kElement);
    const auto made = numbered(type, model, 12);
    const auto part = inner(made.size);
    size_t row = 0, slice = 99;
    cl_int status = 1;
    auto* mapped = static_cast<unsigned char*>(clEnqueueMapImage(
        queue_, made.image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, part.origin.data(),
        part.region.data(), &row, &slice, 0, nullptr, nullptr, &status));
    ASSERT_EQ(status, CL_SUCCESS);
    EXPECT_EQ(row, image_info<size_t>(made.image, CL_IMAGE_ROW_PITCH));
    EXPECT_EQ(slice, image_info<size_t>(made.image, CL_IMAGE_SLICE_PITCH));
    EXPECT_EQ(memory_info<cl_uint>(made.image, CL_MEM_MAP_COUNT), 1u);
    const auto step = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
    for (size_t z = 0; z != part.region[2]; ++z)
      for (size_t y = 0; y != part.region[1]; ++y) {
        auto* texel = mapped + z * slice + y * step;
        auto* wanted = model.at(part.origin[0], part.origin[1] + y, part.origin[2] + z);
        EXPECT_EQ(std::memcmp(texel, wanted, part.region[0] * kElement), 0);
        texel[0] ^= 0x5a;
        wanted[0] ^= 0x5a;
      }
    EXPECT_EQ(clEnqueueUnmapMemObject(queue_, made.image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(memory_info<cl_uint>(made.image, CL_MEM_MAP_COUNT), 0u);
    EXPECT_TRUE(contents(made) == model);
  }
}

// Each level of a mipmapped image has contents of its own.
TEST_F(ImageTransfer, Mipmaps) {
  for (const auto type : kImageTypes) {
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      continue;
    SCOPED_TRACE(type);
    auto d = describe(type, 13, 7, 5);
    d.num_mip_levels = 4;
    const auto image = make_image(context_, d);
    EXPECT_EQ(image_info<cl_uint>(image, CL_IMAGE_NUM_MIP_LEVELS), 4u);
    const size_t index = type == CL_MEM_OBJECT_IMAGE1D                             ? 1
                         : has_slices(type) && type != CL_MEM_OBJECT_IMAGE1D_ARRAY ? 3
                                                                                   : 2;
    const auto size_of = [&](unsigned level) {
      auto smaller = d;
      smaller.image_width = std::max<size_t>(d.image_width >> level, 1);
      smaller.image_height = std::max<size_t>(d.image_height >> level, 1);
      smaller.image_depth = std::max<size_t>(d.image_depth >> level, 1);
      return whole(smaller);
    };
    std::vector<Texels> models;
    for (unsigned level = 0; level != 4; ++level) {
      size_t origin[4] = {0, 0, 0, 0};
      origin[index] = level;
      const auto size = size_of(level);
      auto& model = models.emplace_back(size, kElement);
      model.number(level + 20);
      ASSERT_EQ(clEnqueueWriteImage(queue_, image, CL_TRUE, origin, size.data(), 0, 0, model.data(),
                                    0, nullptr, nullptr),
                CL_SUCCESS);
    }
    // Copies the whole of level 2 into a corner of level 1.
    size_t from[4] = {0, 0, 0, 0}, to[4] = {0, 0, 0, 0};
    from[index] = 2;
    to[index] = 1;
    ASSERT_EQ(
        clEnqueueCopyImage(queue_, image, image, from, to, size_of(2).data(), 0, nullptr, nullptr),
        CL_SUCCESS);
    models[1].copy({0, 0, 0}, models[2], {0, 0, 0}, size_of(2));
    for (unsigned level = 0; level != 4; ++level) {
      size_t origin[4] = {0, 0, 0, 0};
      origin[index] = level;
      const auto size = size_of(level);
      size_t row = 0, slice = 0;
      cl_int status = 1;
      auto* mapped = static_cast<unsigned char*>(
          clEnqueueMapImage(queue_, image, CL_TRUE, CL_MAP_READ, origin, size.data(), &row, &slice,
                            0, nullptr, nullptr, &status));
      ASSERT_EQ(status, CL_SUCCESS);
      EXPECT_EQ(std::memcmp(mapped, models[level].data(), models[level].bytes()), 0) << level;
      check(clEnqueueUnmapMemObject(queue_, image, mapped, 0, nullptr, nullptr), "unmap");
      Texels got(size, kElement);
      ASSERT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, origin, size.data(), 0, 0, got.data(), 0,
                                   nullptr, nullptr),
                CL_SUCCESS);
      EXPECT_TRUE(got == models[level]) << level;
    }
    size_t origin[4] = {0, 0, 0, 0};
    origin[index] = 4;
    unsigned char texel[4];
    const Triple one = {1, 1, 1};
    EXPECT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, origin, one.data(), 0, 0, texel, 0,
                                 nullptr, nullptr),
              CL_INVALID_MIP_LEVEL);
  }
}

// Large enough for several threads: contiguous, and with rows that end within a thread's piece.
TEST_F(ImageTransfer, LargeImages) {
  const Triple size = {1500, 1200, 1};
  const auto d = describe(CL_MEM_OBJECT_IMAGE2D, size[0], size[1]);
  const auto image = make_image(context_, d), other = make_image(context_, d);
  Texels model(size, kElement), zeros(size, kElement);
  model.number(30);
  write_image(queue_, image, size, model);
  EXPECT_TRUE(read_image(queue_, image, size, kElement) == model);
  const Triple from = {1, 2, 0}, to = {3, 0, 0}, region = {1497, 1100, 1};
  ASSERT_EQ(clEnqueueCopyImage(queue_, image, other, from.data(), to.data(), region.data(), 0,
                               nullptr, nullptr),
            CL_SUCCESS);
  zeros.copy(to, model, from, region);
  EXPECT_TRUE(read_image(queue_, other, size, kElement) == zeros);
}

// Events, their types and profiling, as of commands on buffers.
TEST_F(ImageTransfer, EventTypes) {
  const auto queue = make_queue(context_, CL_QUEUE_PROFILING_ENABLE);
  Texels model({1, 1, 1}, kElement);
  const auto a = numbered(CL_MEM_OBJECT_IMAGE2D, model, 1), b = make(CL_MEM_OBJECT_IMAGE2D);
  const auto buffer = make_buffer(context_, 1024);
  const Triple one = {1, 1, 1};
  const auto* o = kNoOrigin.data();
  float color[4] = {};
  unsigned char texel[4];
  size_t pitch = 0;
  const auto expect = [&](cl_command_type wanted, auto enqueue) {
    Event event;
    ASSERT_EQ(enqueue(event.out()), CL_SUCCESS);
    check(clWaitForEvents(1, event.address()), "wait");
    cl_command_type type = 0;
    check(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), "info");
    EXPECT_EQ(type, wanted);
    EXPECT_LE(profiling(event, CL_PROFILING_COMMAND_START),
              profiling(event, CL_PROFILING_COMMAND_END));
  };
  expect(CL_COMMAND_READ_IMAGE, [&](cl_event* e) {
    return clEnqueueReadImage(queue, a.image, CL_FALSE, o, one.data(), 0, 0, texel, 0, nullptr, e);
  });
  expect(CL_COMMAND_WRITE_IMAGE, [&](cl_event* e) {
    return clEnqueueWriteImage(queue, a.image, CL_FALSE, o, one.data(), 0, 0, texel, 0, nullptr, e);
  });
  expect(CL_COMMAND_COPY_IMAGE, [&](cl_event* e) {
    return clEnqueueCopyImage(queue, a.image, b.image, o, o, one.data(), 0, nullptr, e);
  });
  expect(CL_COMMAND_COPY_IMAGE_TO_BUFFER, [&](cl_event* e) {
    return clEnqueueCopyImageToBuffer(queue, a.image, buffer, o, one.data(), 0, 0, nullptr, e);
  });
  expect(CL_COMMAND_COPY_BUFFER_TO_IMAGE, [&](cl_event* e) {
    return clEnqueueCopyBufferToImage(queue, buffer, a.image, 0, o, one.data(), 0, nullptr, e);
  });
  expect(CL_COMMAND_FILL_IMAGE, [&](cl_event* e) {
    return clEnqueueFillImage(queue, a.image, color, o, one.data(), 0, nullptr, e);
  });
  void* mapped = nullptr;
  expect(CL_COMMAND_MAP_IMAGE, [&](cl_event* e) {
    cl_int status = 1;
    mapped = clEnqueueMapImage(queue, a.image, CL_FALSE, CL_MAP_READ, o, one.data(), &pitch,
                               nullptr, 0, nullptr, e, &status);
    return status;
  });
  expect(CL_COMMAND_UNMAP_MEM_OBJECT, [&](cl_event* e) {
    return clEnqueueUnmapMemObject(queue, a.image, mapped, 0, nullptr, e);
  });
  expect(CL_COMMAND_MIGRATE_MEM_OBJECTS, [&](cl_event* e) {
    return clEnqueueMigrateMemObjects(queue, 1, a.image.address(), 0, 0, nullptr, e);
  });
}

} // namespace
} // namespace heddle::test
