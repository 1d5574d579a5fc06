// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases that have the same kernel on images and on buffers, named NAME/image and NAME/buffer.
#pragma once

#include "tests/bench/frame/workload.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heddle::bench {

// Texels of `channels` values: bytes that stand for 0 to 1, or floats.
struct PictureSize {
  int width, height, depth = 0; // a depth of 0: two dimensions
  int channels = 1;
  size_t texels() const {
    return static_cast<size_t>(width) * static_cast<size_t>(height) *
           static_cast<size_t>(std::max(depth, 1));
  }
  size_t values() const { return texels() * static_cast<size_t>(channels); }
  // The global size of a kernel with a work-item for each texel.
  std::vector<size_t> range() const {
    std::vector<size_t> range = {static_cast<size_t>(width), static_cast<size_t>(height)};
    if (depth != 0)
      range.push_back(static_cast<size_t>(depth));
    return range;
  }
};

// A picture of a workload, and the argument that a kernel gets for IN(name) or OUT(name) of the
// prelude.
struct Picture {
  PictureSize size;
  bool has_bytes;
  BufferId bytes;
  Argument argument;
};

// A workload whose source begins with the prelude. It defines, for images or for buffers:
//   Pixel                     float of one channel, float2 or float4
//   IN(name), OUT(name)       parameters; also name_width, name_height, name_depth
//   LOAD(name, x, y)          the Pixel at the nearest place inside
//   SAMPLE(name, x, y)        bilinear at these coordinates, of which pixels have their centers at
//                             0.5; clamped to the edge; in three dimensions SAMPLE3
//   SAMPLE_IN_BORDER(...)     the same, but 0 outside
//   STORE(name, x, y, pixel)  and STORE3(name, x, y, z, pixel)
// The suffix _RG is for a second format in a kernel: IN_RG, LOAD_RG of two channels.
class PictureWorkload : public Workload {
 public:
  PictureWorkload(bool uses_images, bool has_bytes, int channels);

  Picture input_picture(const PictureSize& size, uint64_t seed);
  Picture result_picture(const PictureSize& size);
  // name(arguments...), with the sizes that IN and OUT ask for.
  template <typename... Args>
  void launch(const char* kernel, std::vector<size_t> global, std::vector<size_t> local,
              const Args&... args) {
    Workload::launch(kernel, std::move(global), std::move(local));
    (add(args), ...);
  }
  // The values of a picture as floats.
  std::vector<float> values(const Picture& picture) const;
  // The difference that decides, in values: of bytes one and a half codes.
  std::string compare(const Picture& picture, const std::vector<float>& expected) const;

  const bool uses_images, has_bytes;

 private:
  Picture make(const PictureSize& size, BufferId bytes);
  void add(const Picture& picture);
  template <typename T>
  void add(const T& value) {
    steps.back().arguments.push_back(argument(value));
  }
};

// The values of a picture on the host, clamped to its edges.
struct Values {
  PictureSize size;
  std::vector<float> at;
  float operator()(int x, int y, int channel) const { return (*this)(x, y, 0, channel); }
  float operator()(int x, int y, int z, int channel) const {
    x = std::clamp(x, 0, size.width - 1);
    y = std::clamp(y, 0, size.height - 1);
    z = std::clamp(z, 0, std::max(size.depth, 1) - 1);
    return at[((static_cast<size_t>(z) * static_cast<size_t>(size.height) +
                static_cast<size_t>(y)) *
                   static_cast<size_t>(size.width) +
               static_cast<size_t>(x)) *
                  static_cast<size_t>(size.channels) +
              static_cast<size_t>(channel)];
  }
};

// The same for each pixel of a picture: value(x, y, channel).
template <typename Value>
std::vector<float> each_value(const PictureSize& size, const Value& value) {
  std::vector<float> all;
  all.reserve(size.values());
  for (int y = 0; y != size.height; ++y)
    for (int x = 0; x != size.width; ++x)
      for (int c = 0; c != size.channels; ++c)
        all.push_back(value(x, y, c));
  return all;
}

struct RegisterPictures {
  using Make = std::function<std::unique_ptr<Workload>(Scale, bool uses_images)>;
  RegisterPictures(const std::string& name, const Make& make)
      : image(name + "/image", [=](Scale scale) { return make(scale, true); }),
        buffer(name + "/buffer", [=](Scale scale) { return make(scale, false); }) {}
  Register image, buffer;
};

} // namespace heddle::bench
