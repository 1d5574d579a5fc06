// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A benchmark case as data: kernels, buffers, launches, and the check of the results. It is
// independent of OpenCL, so that hand-written code has the same inputs and the same check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace heddle::bench {

// kSmall: the whole suite takes seconds on the slowest driver; kFull: the measured size.
enum class Scale { kSmall, kFull };

// Bytes aligned to a cache line.
class Bytes {
 public:
  explicit Bytes(size_t size)
      : data_(static_cast<std::byte*>(::operator new (size, std::align_val_t{kAlign}))),
        size_(size) {}
  std::byte* data() const { return data_.get(); }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kAlign = 4096;
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{kAlign}); }
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_;
};

struct Buffer {
  Bytes bytes;
  bool result; // written by the kernels
};

// A view of a buffer's bytes: 2D with a depth of 0, or 3D; rows without gaps. The texels are
// accessed as normalized values (uint8_t), unsigned integers or floats.
struct Image {
  enum class Channels { kUnorm8, kUint8, kFloat };
  size_t buffer; // in Workload::buffers; a kernel gets it as a buffer or as images, never both
  Channels channels;
  unsigned count; // of channels: 1, 2 (R, RG), 4 (RGBA)
  size_t width, height, depth;
};

// An index into Workload::buffers; inputs and results are numbered in the order of declaration.
struct BufferId {
  size_t index;
};

// An index into Workload::images.
struct ImageId {
  size_t index;
};

struct LocalMemory {
  size_t bytes;
};

struct Argument {
  enum class Kind { kBuffer, kImage, kLocal, kValue } kind;
  size_t number = 0; // the buffer, the image, or the bytes of local memory
  std::vector<std::byte> value;
};

using Sizes = std::array<size_t, 3>;

struct Step {
  std::string kernel;
  unsigned dimensions;
  Sizes global, local; // local {0, 0, 0}: the driver's choice
  std::vector<Argument> arguments;
};

// A run executes all steps in order. It must not depend on the results of earlier runs, since runs
// are repeated without initializing the buffers.
class Workload {
 public:
  Workload() = default;
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  std::string source;
  std::string options = "-cl-std=CL1.2";
  // Extensions or OpenCL C features ("a|b": either); the case is skipped without one of them.
  std::vector<std::string> needs;
  std::string work; // what one run does, for the reader of a table
  std::vector<Buffer> buffers;
  std::vector<Image> images;
  std::vector<Step> steps;
  // An empty string if the results are correct, otherwise a description of the error. Reads results
  // by view().
  std::function<std::string()> verify;

  template <typename T>
  BufferId input(const std::vector<T>& values) {
    const auto id = add(values.size() * sizeof(T), false);
    std::memcpy(buffers.back().bytes.data(), values.data(), values.size() * sizeof(T));
    return id;
  }
  template <typename T>
  BufferId result(size_t count) {
    const auto id = add(count * sizeof(T), true);
    poison();
    return id;
  }
  ImageId image(BufferId buffer, Image::Channels channels, unsigned count, size_t width,
                size_t height, size_t depth = 0) {
    images.push_back({buffer.index, channels, count, width, height, depth});
    return {images.size() - 1};
  }
  template <typename T>
  std::span<T> view(size_t index) const {
    const auto& bytes = buffers[index].bytes;
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <typename T>
  std::span<T> view(BufferId id) const {
    return view<T>(id.index);
  }
  // The value of a scalar argument.
  template <typename T>
  T value(size_t step, size_t argument) const {
    T result;
    std::memcpy(&result, steps[step].arguments[argument].value.data(), sizeof(T));
    return result;
  }
  bool is_about_groups = false; // of the size that the case has
  // Whether neither the kernels nor the case need the groups that it has.
  bool takes_any_group() const;
  // Fills the results with values that no case computes, to detect runs without effect.
  void poison() {
    for (auto& buffer : buffers)
      if (buffer.result)
        std::memset(buffer.bytes.data(), 0x7B, buffer.bytes.size());
  }

  template <typename... Args>
  void launch(const char* kernel, std::vector<size_t> global, std::vector<size_t> local,
              const Args&... args) {
    Step step{kernel, static_cast<unsigned>(global.size()), {1, 1, 1}, {0, 0, 0}, {}};
    for (size_t d = 0; d != global.size(); ++d)
      step.global[d] = global[d];
    for (size_t d = 0; d != local.size(); ++d)
      step.local[d] = local[d];
    (step.arguments.push_back(argument(args)), ...);
    steps.push_back(std::move(step));
  }

  // A value, an identifier of memory, or what this returned before.
  static Argument argument(const Argument& argument) { return argument; }
  static Argument argument(BufferId id) { return {Argument::Kind::kBuffer, id.index, {}}; }
  static Argument argument(ImageId id) { return {Argument::Kind::kImage, id.index, {}}; }
  static Argument argument(LocalMemory local) { return {Argument::Kind::kLocal, local.bytes, {}}; }
  template <typename T>
  static Argument argument(const T& value) {
    Argument result{Argument::Kind::kValue, 0, std::vector<std::byte>(sizeof(T))};
    std::memcpy(result.value.data(), &value, sizeof(T));
    return result;
  }

 private:
  BufferId add(size_t bytes, bool result) {
    buffers.push_back({Bytes(bytes), result});
    return {buffers.size() - 1};
  }
};

// A local size of one to three dimensions, and its text: "64x4".
using LocalSize = std::vector<size_t>;
std::string text_of(const LocalSize& size);
// Nothing if it is no local size.
LocalSize parse_local_size(const std::string& text);

// Gives the launches with as many dimensions groups of this size. False if there is none of them,
// if the size does not divide all their global sizes, or if they have that size already.
bool use_groups(Workload& workload, const LocalSize& size);

// The names of a group are "group/case"; a group has the weight of one case in a geometric mean.
struct Case {
  std::string name;
  std::function<std::unique_ptr<Workload>(Scale)> make;
};

// All cases, sorted by name. A case's file registers it with one `const Register`.
const std::vector<Case>& all_cases();

struct Register {
  Register(std::string name, std::function<std::unique_ptr<Workload>(Scale)> make);
};

} // namespace heddle::bench
