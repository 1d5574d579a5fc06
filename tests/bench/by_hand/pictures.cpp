// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures: rows are converted to floats once, with copies of the edges, and filtered in loops that
// the compiler vectorizes; reads between pixels take one pixel's channels as a vector.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>
#include <string>

namespace heddle::bench {
namespace {

// Under the names of both kernels, which have the same buffers.
struct PictureByHand {
  PictureByHand(const std::string& name, const Prepare& prepare)
      : image((name + "/image").c_str(), prepare), buffer((name + "/buffer").c_str(), prepare) {}
  ByHand image, buffer;
};

using Pixel = float __attribute__((vector_size(16)));
using Bytes4 = uint8_t __attribute__((vector_size(4)));
using Ints4 = int32_t __attribute__((vector_size(16)));

Pixel pixel_of(const uint8_t* from) { return __builtin_convertvector(load<Bytes4>(from), Pixel); }
// Of values from 0 to 255.
void store_pixel(uint8_t* to, Pixel value) {
  store(to, __builtin_convertvector(__builtin_convertvector(value + 0.5f, Ints4), Bytes4));
}

// A row of `width` pixels of kChannels values with `reach` more at both ends.
template <int kChannels, typename T>
void widen_row(float* __restrict to, const T* __restrict row, int width, int reach) {
  for (int i = 0; i != reach; ++i)
    for (int c = 0; c != kChannels; ++c) {
      to[i * kChannels + c] = row[c];
      to[(reach + width + i) * kChannels + c] = row[(width - 1) * kChannels + c];
    }
  float* __restrict inside = to + reach * kChannels;
  for (int i = 0; i != width * kChannels; ++i)
    inside[i] = row[i];
}

template <typename T>
void store_row(T* __restrict to, const float* __restrict values, int count) {
  for (int i = 0; i != count; ++i)
    if constexpr (sizeof(T) == 1)
      to[i] = static_cast<T>(static_cast<int>(std::min(values[i] + 0.5f, 255.0f)));
    else
      to[i] = values[i];
}

constexpr int kRows = 16; // of a task

template <typename T, int kChannels>
std::function<void()> convolution(Workload& w) {
  const T* in = w.view<const T>(0).data();
  T* out = w.view<T>(1).data();
  const float* mask = w.view<const float>(2).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  return [=] {
    parallel(static_cast<size_t>(height / kRows), 1, [=](size_t first, size_t last) {
      const auto row = static_cast<size_t>((width + 4) * kChannels);
      std::vector<float> rows(row * 5), sum(static_cast<size_t>(width * kChannels));
      const auto fill = [&](int y) {
        widen_row<kChannels>(&rows[static_cast<size_t>((y + 5) % 5) * row],
                             in + std::clamp(y, 0, height - 1) * width * kChannels, width, 2);
      };
      const int begin = static_cast<int>(first) * kRows, end = static_cast<int>(last) * kRows;
      for (int y = begin - 2; y != begin + 2; ++y)
        fill(y);
      for (int y = begin; y != end; ++y) {
        fill(y + 2);
        const float* from[5];
        for (int j = 0; j != 5; ++j)
          from[j] = &rows[static_cast<size_t>((y + j + 3) % 5) * row];
        constexpr int kStep = static_cast<int>(kLanes);
        for (int i = 0; i < width * kChannels; i += 4 * kStep) {
          Floats part[4] = {};
          for (int j = 0; j != 5; ++j)
            for (int k = 0; k != 5; ++k)
              for (int p = 0; p != 4; ++p)
                part[p] +=
                    load<Floats>(from[j] + i + p * kStep + k * kChannels) * all(mask[j * 5 + k]);
          for (int p = 0; p != 4; ++p)
            store(&sum[static_cast<size_t>(i + p * kStep)], part[p]);
        }
        store_row(out + y * width * kChannels, sum.data(), width * kChannels);
      }
    });
  };
}
const PictureByHand rgba8("image_convolve_rgba8", convolution<uint8_t, 4>);
const PictureByHand r32f("image_convolve_r32f", convolution<float, 1>);

// Sums of nine rows of bytes fit 16 bits; the intermediate picture is rounded as the case's.
const PictureByHand box_blur("image_box_blur", [](Workload& w) -> std::function<void()> {
  const uint8_t* in = w.view<const uint8_t>(0).data();
  uint8_t* out = w.view<uint8_t>(1).data();
  uint8_t* between = w.view<uint8_t>(2).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  const auto ninth = [](uint8_t* __restrict to, const uint16_t* __restrict sums, int count) {
    for (int i = 0; i != count; ++i)
      to[i] = static_cast<uint8_t>((sums[i] * 7282u + 32768u) >> 16);
  };
  return [=] {
    const auto count = static_cast<size_t>(width * 4);
    parallel(static_cast<size_t>(height), kRows, [=](size_t first, size_t last) {
      std::vector<uint8_t> row(count + 32);
      std::vector<uint16_t> sums(count);
      for (size_t y = first; y != last; ++y) {
        const uint8_t* from = in + y * count;
        for (size_t i = 0; i != 16; ++i)
          row[i] = from[i % 4], row[count + 16 + i] = from[count - 4 + i % 4];
        std::copy_n(from, count, row.begin() + 16);
        uint16_t* __restrict sum = sums.data();
        const uint8_t* __restrict values = row.data();
        for (size_t i = 0; i != count; ++i) {
          unsigned total = 0;
          for (size_t d = 0; d != 9; ++d)
            total += values[i + 4 * d];
          sum[i] = static_cast<uint16_t>(total);
        }
        ninth(between + y * count, sum, static_cast<int>(count));
      }
    });
    parallel(static_cast<size_t>(height), kRows, [=](size_t first, size_t last) {
      std::vector<uint16_t> sums(count);
      const auto row = [&](int y) {
        return between + static_cast<size_t>(std::clamp(y, 0, height - 1)) * count;
      };
      uint16_t* __restrict sum = sums.data();
      for (int y = static_cast<int>(first) - 4; y != static_cast<int>(first) + 4; ++y)
        for (size_t i = 0; i != count; ++i)
          sum[i] = static_cast<uint16_t>(sum[i] + row(y)[i]);
      for (int y = static_cast<int>(first); y != static_cast<int>(last); ++y) {
        const uint8_t* __restrict add = row(y + 4);
        for (size_t i = 0; i != count; ++i)
          sum[i] = static_cast<uint16_t>(sum[i] + add[i]);
        ninth(out + static_cast<size_t>(y) * count, sum, static_cast<int>(count));
        const uint8_t* __restrict remove = row(y - 4);
        for (size_t i = 0; i != count; ++i)
          sum[i] = static_cast<uint16_t>(sum[i] - remove[i]);
      }
    });
  };
});

// e^x for x from -80 to 0, within a few ulp.
Floats exponential(Floats x) {
  x *= 1.44269504f;
  x = most(x, all(-120.0f));
  const Ints whole = __builtin_convertvector(x - 0.5f, Ints);
  const Floats f = x - __builtin_convertvector(whole, Floats);
  Floats p = all(1.535336188e-4f);
  for (const float c :
       {1.339887440e-3f, 9.618437357e-3f, 5.550332548e-2f, 2.402264791e-1f, 6.931472028e-1f, 1.0f})
    p = p * f + c;
  return p * bits_as<Floats>((whole + 127) << 23);
}

const PictureByHand nlmeans("image_nlmeans", [](Workload& w) -> std::function<void()> {
  const float* in = w.view<const float>(0).data();
  float* out = w.view<float>(1).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  const float strength = w.value<float>(0, 8);
  constexpr int kReach = 4, kSide = 2 * kReach + 1, kStep = static_cast<int>(kLanes);
  return [=] {
    parallel(static_cast<size_t>(height), 4, [=](size_t first, size_t last) {
      const int row = width + 2 * kReach;
      std::vector<float> rows(static_cast<size_t>(row * kSide + kStep));
      std::vector<float> columns(static_cast<size_t>(row + kStep)), sum(columns), weights(columns);
      for (int y = static_cast<int>(first); y != static_cast<int>(last); ++y) {
        for (int j = 0; j != kSide; ++j)
          widen_row<1>(&rows[static_cast<size_t>(j * row)],
                       in + std::clamp(y + j - kReach, 0, height - 1) * width, width, kReach);
        std::ranges::fill(sum, 0.0f);
        std::ranges::fill(weights, 0.0f);
        for (int j = -3; j <= 3; ++j)
          for (int i = -3; i <= 3; ++i) {
            const float* here = &rows[static_cast<size_t>(kReach * row)];
            const float* there = here + j * row + i;
            // Sums of three squares in each column from x = -1 on.
            for (int x = kReach - 1; x < kReach + width + 1; x += kStep) {
              Floats total = {};
              for (int v = -1; v <= 1; ++v) {
                const auto d = load<Floats>(here + v * row + x) - load<Floats>(there + v * row + x);
                total += d * d;
              }
              store(&columns[static_cast<size_t>(x)], total);
            }
            for (int x = kReach; x < kReach + width; x += kStep) {
              const float* c = &columns[static_cast<size_t>(x)];
              const auto distance = load<Floats>(c - 1) + load<Floats>(c) + load<Floats>(c + 1);
              const auto weight = exponential(-distance * strength);
              float* s = &sum[static_cast<size_t>(x)];
              float* t = &weights[static_cast<size_t>(x)];
              store(s, load<Floats>(s) + weight * load<Floats>(there + x));
              store(t, load<Floats>(t) + weight);
            }
          }
        for (int x = 0; x != width; ++x)
          out[y * width + x] =
              sum[static_cast<size_t>(x + kReach)] / weights[static_cast<size_t>(x + kReach)];
      }
    });
  };
});

const PictureByHand copy("image_copy", [](Workload& w) -> std::function<void()> {
  const auto from = w.view<const uint8_t>(0);
  const auto to = w.view<uint8_t>(1);
  return [=] {
    parallel(from.size(), 1 << 18, [=](size_t first, size_t last) {
      std::memcpy(&to[first], &from[first], last - first);
    });
  };
});

const PictureByHand nv12("image_nv12_to_rgb", [](Workload& w) -> std::function<void()> {
  const uint8_t* luma = w.view<const uint8_t>(0).data();
  const uint8_t* chroma = w.view<const uint8_t>(1).data();
  uint8_t* out = w.view<uint8_t>(2).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  return [=] {
    parallel(static_cast<size_t>(height), kRows, [=](size_t first, size_t last) {
      const auto byte = [](float value) {
        return static_cast<uint8_t>(
            static_cast<int>(std::min(std::max(value, 0.0f), 255.0f) + 0.5f));
      };
      for (size_t y = first; y != last; ++y) {
        const uint8_t* __restrict l = luma + y * static_cast<size_t>(width);
        const uint8_t* __restrict c = chroma + y / 2 * static_cast<size_t>(width);
        uint8_t* __restrict to = out + y * static_cast<size_t>(width) * 4;
        for (int x = 0; x != width; ++x) {
          const float base = 1.164f * (static_cast<float>(l[x]) - 16);
          const float u = static_cast<float>(c[x & ~1]) - 128;
          const float v = static_cast<float>(c[x | 1]) - 128;
          to[x * 4] = byte(base + 1.596f * v);
          to[x * 4 + 1] = byte(base - 0.391f * u - 0.813f * v);
          to[x * 4 + 2] = byte(base + 2.018f * u);
          to[x * 4 + 3] = 255;
        }
      }
    });
  };
});

const PictureByHand histogram("image_histogram", [](Workload& w) -> std::function<void()> {
  const auto from = w.view<const uint8_t>(0);
  const auto bins = w.view<uint32_t>(1);
  return [=] {
    std::ranges::fill(bins, 0u);
    parallel(from.size(), 1 << 17, [=](size_t first, size_t last) {
      uint32_t counts[4][256] = {};
      for (size_t i = first; i + 4 <= last; i += 4)
        for (size_t k = 0; k != 4; ++k)
          ++counts[k][from[i + k]];
      for (size_t i = first + (last - first) / 4 * 4; i != last; ++i)
        ++counts[0][from[i]];
      for (size_t i = 0; i != 256; ++i)
        __atomic_fetch_add(&bins[i], counts[0][i] + counts[1][i] + counts[2][i] + counts[3][i],
                           __ATOMIC_RELAXED);
    });
  };
});

struct Place {
  int first, second;
  float weight; // of the second
};
Place place_of(float at, int size) {
  const float lower = std::floor(at - 0.5f);
  const int i = static_cast<int>(lower);
  return {std::clamp(i, 0, size - 1), std::clamp(i + 1, 0, size - 1), at - 0.5f - lower};
}
std::vector<Place> places(int count, float step, int size) {
  std::vector<Place> all;
  for (int i = 0; i != count; ++i)
    all.push_back(place_of((static_cast<float>(i) + 0.5f) * step, size));
  return all;
}

const PictureByHand resize("image_resize", [](Workload& w) -> std::function<void()> {
  const uint8_t* in = w.view<const uint8_t>(0).data();
  uint8_t* out = w.view<uint8_t>(1).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  const int from_width = w.value<int32_t>(0, 5), from_height = w.value<int32_t>(0, 6);
  const auto xs = places(width, w.value<float>(0, 8), from_width);
  const auto ys = places(height, w.value<float>(0, 9), from_height);
  return [=] {
    parallel(static_cast<size_t>(height), kRows, [&](size_t first, size_t last) {
      // The rows in floats, mixed, and then the columns.
      std::vector<float> mixed(static_cast<size_t>(from_width * 4));
      for (size_t y = first; y != last; ++y) {
        const uint8_t* __restrict upper = in + ys[y].first * from_width * 4;
        const uint8_t* __restrict lower = in + ys[y].second * from_width * 4;
        float* __restrict row = mixed.data();
        const float b = ys[y].weight;
        for (int i = 0; i != from_width * 4; ++i)
          row[i] = (1 - b) * static_cast<float>(upper[i]) + b * static_cast<float>(lower[i]);
        uint8_t* to = out + y * static_cast<size_t>(width) * 4;
        for (size_t x = 0; x != xs.size(); ++x) {
          const auto left = load<Pixel>(row + xs[x].first * 4);
          const auto right = load<Pixel>(row + xs[x].second * 4);
          store_pixel(to + x * 4, left + (right - left) * xs[x].weight);
        }
      }
    });
  };
});

const PictureByHand rotate("image_rotate", [](Workload& w) -> std::function<void()> {
  const uint8_t* in = w.view<const uint8_t>(0).data();
  uint8_t* out = w.view<uint8_t>(1).data();
  const int width = w.value<int32_t>(0, 1), height = w.value<int32_t>(0, 2);
  const float c = w.value<float>(0, 8), s = w.value<float>(0, 9);
  return [=] {
    const auto pixel = [=](int x, int y) {
      return x >= 0 && x < width && y >= 0 && y < height ? pixel_of(in + (y * width + x) * 4)
                                                         : Pixel{};
    };
    const float mx = 0.5f * static_cast<float>(width), my = 0.5f * static_cast<float>(height);
    parallel(static_cast<size_t>(height), kRows, [=](size_t first, size_t last) {
      for (size_t y = first; y != last; ++y)
        for (int x = 0; x != width; ++x) {
          const float u = static_cast<float>(x) + 0.5f - mx, v = static_cast<float>(y) + 0.5f - my;
          const float px = c * u + s * v + mx - 0.5f, py = c * v - s * u + my - 0.5f;
          const float left = std::floor(px), upper = std::floor(py), a = px - left, b = py - upper;
          const int i = static_cast<int>(left), j = static_cast<int>(upper);
          Pixel value;
          if (i >= 0 && i + 1 < width && j >= 0 && j + 1 < height) {
            const uint8_t* from = in + (j * width + i) * 4;
            value = (1 - b) * ((1 - a) * pixel_of(from) + a * pixel_of(from + 4)) +
                    b * ((1 - a) * pixel_of(from + width * 4) + a * pixel_of(from + width * 4 + 4));
          } else {
            value = (1 - b) * ((1 - a) * pixel(i, j) + a * pixel(i + 1, j)) +
                    b * ((1 - a) * pixel(i, j + 1) + a * pixel(i + 1, j + 1));
          }
          store_pixel(out + (y * static_cast<size_t>(width) + static_cast<size_t>(x)) * 4, value);
        }
    });
  };
});

const PictureByHand volume("image_resample_3d", [](Workload& w) -> std::function<void()> {
  const float* in = w.view<const float>(0).data();
  float* out = w.view<float>(1).data();
  const int side = w.value<int32_t>(0, 1), from = w.value<int32_t>(0, 5);
  const auto at = places(side, w.value<float>(0, 8), from);
  return [=] {
    const auto count = static_cast<size_t>(side);
    parallel(count * count, 32, [&](size_t first, size_t last) {
      std::vector<float> mixed(static_cast<size_t>(from));
      for (size_t r = first; r != last; ++r) {
        const auto &z = at[r / count], &y = at[r % count];
        const auto row = [&](int k, int j) { return in + (k * from + j) * from; };
        const float* __restrict rows[4] = {row(z.first, y.first), row(z.first, y.second),
                                           row(z.second, y.first), row(z.second, y.second)};
        float* __restrict mix = mixed.data();
        for (int i = 0; i != from; ++i)
          mix[i] = (1 - z.weight) * ((1 - y.weight) * rows[0][i] + y.weight * rows[1][i]) +
                   z.weight * ((1 - y.weight) * rows[2][i] + y.weight * rows[3][i]);
        float* __restrict to = out + r * count;
        for (size_t x = 0; x != count; ++x)
          to[x] = mix[at[x].first] + at[x].weight * (mix[at[x].second] - mix[at[x].first]);
      }
    });
  };
});

const PictureByHand pyramid("image_pyramid", [](Workload& w) -> std::function<void()> {
  std::vector<uint8_t*> levels;
  for (size_t i = 0; i != w.buffers.size(); ++i)
    levels.push_back(w.view<uint8_t>(i).data());
  const int side = w.value<int32_t>(0, 5);
  return [=] {
    int size = side / 2;
    for (size_t level = 1; level != levels.size(); ++level, size /= 2) {
      const uint8_t* in = levels[level - 1];
      uint8_t* out = levels[level];
      parallel(static_cast<size_t>(size), kRows, [=](size_t first, size_t last) {
        const auto row = static_cast<size_t>(size) * 8;
        for (size_t y = first; y != last; ++y) {
          const uint8_t* __restrict upper = in + 2 * y * row, * __restrict lower = upper + row;
          uint8_t* __restrict to = out + y * row / 2;
          for (size_t x = 0; x != static_cast<size_t>(size); ++x)
            for (size_t c = 0; c != 4; ++c) {
              const size_t i = x * 8 + c;
              to[x * 4 + c] = static_cast<uint8_t>(
                  (upper[i] + upper[i + 4] + lower[i] + lower[i + 4] + 2u) / 4);
            }
        }
      });
    }
  };
});

} // namespace
} // namespace heddle::bench
