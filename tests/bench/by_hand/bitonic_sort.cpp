// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting: blocks with sorting networks over whole vectors, and one array distributed into such
// blocks by its highest bits.
#include "tests/bench/by_hand/hand.h"
#include "tests/bench/by_hand/vectors.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace heddle::bench {
namespace {

void order(Uints& a, Uints& b) {
  const Uints low = least(a, b);
  b = most(a, b);
  a = low;
}

// Sorts each lane of kLanes vectors with Batcher's odd-even merge sort.
void sort_columns(Uints* v) {
#pragma GCC unroll 16
  for (size_t run = 1; run < kLanes; run *= 2)
#pragma GCC unroll 16
    for (size_t stride = run; stride != 0; stride /= 2)
#pragma GCC unroll 16
      for (size_t i = stride % run; i + stride < kLanes; ++i)
        if ((i - stride % run) / stride % 2 == 0 && i / (2 * run) == (i + stride) / (2 * run))
          order(v[i], v[i + stride]);
}

// The position of lane l of the first vector after sort_lanes' steps; that of the second vector is
// the next one.
constexpr size_t place_after_steps(size_t l) {
  size_t place = l % 2 * kLanes;
  for (size_t bit = 2, reversed = kLanes / 2; bit < kLanes; bit *= 2, reversed /= 2)
    place += l & bit ? reversed : 0;
  return place;
}

// Sorts the lanes of a and of b, each of which is first increasing, then decreasing. Each step
// brings the compared halves of both vectors together.
template <size_t kGroup = kLanes / 2>
void sort_lanes(Uints& a, Uints& b) {
  Uints low = shuffle<[](size_t l) { return l / kGroup * 2 * kGroup + l % kGroup; }>(a, b);
  b = shuffle<[](size_t l) { return l / kGroup * 2 * kGroup + l % kGroup + kGroup; }>(a, b);
  order(low, b);
  if constexpr (kGroup > 1) {
    a = low;
    sort_lanes<kGroup / 2>(a, b);
  } else {
    a = shuffle<[](size_t l) { return place_after_steps(l); }>(low, b);
    b = shuffle<[](size_t l) { return place_after_steps(l) + 1; }>(low, b);
  }
}

// Merges two sorted runs of kCount / 2 vectors.
template <size_t kCount>
void merge(Uints* run) {
  Uints v[kCount];
  for (size_t i = 0; i != kCount; ++i)
    v[i] = run[i];
#pragma GCC unroll 32
  for (size_t i = 0; i != kCount / 2; ++i) {
    Uints other = shuffle<[](size_t l) { return kLanes - 1 - l; }>(v[kCount - 1 - i]);
    order(v[i], other);
    v[kCount - 1 - i] = other;
  }
#pragma GCC unroll 8
  for (size_t stride = kCount / 4; stride != 0; stride /= 2)
#pragma GCC unroll 32
    for (size_t i = 0; i != kCount; ++i)
      if ((i & stride) == 0)
        order(v[i], v[i + stride]);
#pragma GCC unroll 32
  for (size_t i = 0; i != kCount; i += 2) {
    sort_lanes(v[i], v[i + 1]);
    run[i] = v[i];
    run[i + 1] = v[i + 1];
  }
}

template <size_t kRun, size_t kVectors>
void merge_all(Uints* v) {
  for (size_t i = 0; i != kVectors; i += kRun)
    merge<kRun>(v + i);
  if constexpr (kRun != kVectors)
    merge_all<2 * kRun, kVectors>(v);
}

template <size_t kKeys>
void sort_block(uint32_t* keys) {
  constexpr size_t kVectors = kKeys / kLanes;
  Uints v[kVectors];
  for (size_t i = 0; i != kVectors; i += kLanes) {
    Uints square[kLanes];
    std::memcpy(square, keys + i * kLanes, sizeof square);
    sort_columns(square);
    transpose_lanes(square);
    std::memcpy(v + i, square, sizeof square);
  }
  merge_all<2, kVectors>(v);
  std::memcpy(keys, v, sizeof v);
}

const ByHand local("bitonic_local", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  return [=] {
    parallel(in.size() / 512, 8, [=](size_t first, size_t last) {
      for (size_t i = first * 512; i != last * 512; i += 512) {
        std::memcpy(&out[i], &in[i], 512 * sizeof(uint32_t));
        sort_block<512>(&out[i]);
      }
    });
  };
});

// Any number of keys.
void sort_bucket(uint32_t* out, const uint32_t* in, size_t count) {
  if (count > 512) { // far more keys here than elsewhere
    std::copy_n(in, count, out);
    std::sort(out, out + count);
    return;
  }
  alignas(kVectorBytes) uint32_t keys[512];
  std::copy_n(in, count, keys);
  std::fill(keys + count, keys + (count <= 256 ? 256 : 512), ~0u);
  if (count <= 256)
    sort_block<256>(keys);
  else
    sort_block<512>(keys);
  std::copy_n(keys, count, out);
}

// Distributes keys into buckets of about 128 by their highest bits; chunks are counted and moved in
// parallel.
struct BucketSort {
  static constexpr size_t kChunk = 1 << 13;
  size_t size, chunks = (size + kChunk - 1) / kChunk, buckets = std::bit_floor(size) / 128;
  int shift = 32 - std::countr_zero(buckets);
  std::vector<uint32_t> moved = std::vector<uint32_t>(size);
  std::vector<uint32_t> ends = std::vector<uint32_t>(chunks * buckets); // by chunk, then bucket

  template <typename Body>
  void each(const uint32_t* in, const Body& body) {
    parallel(chunks, 1, [&](size_t first, size_t last) {
      for (size_t c = first; c != last; ++c)
        body(&ends[c * buckets], in + c * kChunk, in + std::min(size, (c + 1) * kChunk));
    });
  }

  void run(uint32_t* out, const uint32_t* in) {
    each(in, [&](uint32_t* counts, const uint32_t* key, const uint32_t* end) {
      std::fill_n(counts, buckets, 0);
      for (; key != end; ++key)
        ++counts[*key >> shift];
    });
    uint32_t before = 0;
    for (size_t b = 0; b != buckets; ++b)
      for (size_t c = 0; c != chunks; ++c) {
        before += ends[c * buckets + b];
        ends[c * buckets + b] = before - ends[c * buckets + b];
      }
    each(in, [&](uint32_t* places, const uint32_t* key, const uint32_t* end) {
      for (; key != end; ++key)
        moved[places[*key >> shift]++] = *key;
    });
    const uint32_t* last_ends = &ends[(chunks - 1) * buckets]; // each place is now its bucket's end
    parallel(buckets, 16, [&](size_t first, size_t last) {
      for (size_t b = first; b != last; ++b) {
        const size_t start = b == 0 ? 0 : last_ends[b - 1];
        sort_bucket(out + start, &moved[start], last_ends[b] - start);
      }
    });
  }
};

const ByHand global("bitonic_sort", [](Workload& w) {
  const auto in = w.view<const uint32_t>(0);
  const auto out = w.view<uint32_t>(1);
  const auto sorter = std::make_shared<BucketSort>(BucketSort{in.size()});
  return [=] { sorter->run(out.data(), in.data()); };
});

} // namespace
} // namespace heddle::bench
