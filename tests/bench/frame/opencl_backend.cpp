// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs cases on the first device of the loader's first platform.
#include "tests/api/support.h"
#include "tests/bench/frame/backend.h"

#include <algorithm>

namespace heddle::bench {
namespace {

using namespace heddle::test;

struct Driver {
  Context context = make_context();
  Queue queue = make_queue(context);
};

Driver& driver() {
  static Driver instance;
  return instance;
}

bool has_feature(const std::string& name) {
  size_t size = 0;
  if (clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size) != CL_SUCCESS)
    return false;
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  check(clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr),
        "CL_DEVICE_OPENCL_C_FEATURES");
  for (const auto& feature : features)
    if (name == feature.name)
      return true;
  return false;
}

// Whether one of the names, separated by '|', is an extension or feature of the driver.
bool has(const std::string& names) {
  const auto bar = names.find('|');
  const auto name = names.substr(0, bar);
  return (" " + device_text(CL_DEVICE_EXTENSIONS) + " ").find(" " + name + " ") !=
             std::string::npos ||
         has_feature(name) || (bar != std::string::npos && has(names.substr(bar + 1)));
}

cl_image_format format_of(const Image& image) {
  cl_image_format format{};
  format.image_channel_order = image.count == 1 ? CL_R : image.count == 2 ? CL_RG : CL_RGBA;
  format.image_channel_data_type = image.channels == Image::Channels::kUnorm8  ? CL_UNORM_INT8
                                   : image.channels == Image::Channels::kUint8 ? CL_UNSIGNED_INT8
                                                                               : CL_FLOAT;
  return format;
}

Owned<cl_mem> make_image(cl_context context, const Image& image) {
  cl_image_desc description{};
  description.image_type = image.depth != 0 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
  description.image_width = image.width;
  description.image_height = image.height;
  description.image_depth = image.depth;
  const auto format = format_of(image);
  cl_int status = CL_SUCCESS;
  Owned<cl_mem> made(
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &status));
  check(status, "clCreateImage");
  return made;
}

class OpenClRunner final : public Runner {
 public:
  explicit OpenClRunner(Workload& workload) : workload_(workload) {
    for (const auto& need : workload.needs)
      if (!has(need))
        throw Skipped("the driver lacks " + need);
    program_ = build(driver().context, workload.source, workload.options.c_str());
    for (const auto& buffer : workload.buffers) {
      buffers_.push_back(make_buffer(driver().context, buffer.bytes.size()));
      check(clEnqueueWriteBuffer(driver().queue, buffers_.back(), CL_TRUE, 0, buffer.bytes.size(),
                                 buffer.bytes.data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
    for (const auto& image : workload.images) {
      images_.push_back(make_image(driver().context, image));
      const size_t origin[] = {0, 0, 0};
      const size_t region[] = {image.width, image.height, std::max<size_t>(image.depth, 1)};
      check(clEnqueueWriteImage(driver().queue, images_.back(), CL_TRUE, origin, region, 0, 0,
                                workload.buffers[image.buffer].bytes.data(), 0, nullptr, nullptr),
            "clEnqueueWriteImage");
    }
    for (const auto& step : workload.steps) {
      kernels_.push_back(make_kernel(program_, step.kernel.c_str()));
      for (cl_uint i = 0; i != step.arguments.size(); ++i)
        check(set(kernels_.back(), i, step.arguments[i]), "clSetKernelArg");
    }
  }
  ~OpenClRunner() override { clFinish(driver().queue); }

  void run(size_t count) override {
    for (size_t i = 0; i != count; ++i)
      for (size_t s = 0; s != kernels_.size(); ++s) {
        const auto& step = workload_.steps[s];
        check(clEnqueueNDRangeKernel(
                  driver().queue, kernels_[s], step.dimensions, nullptr, step.global.data(),
                  step.local[0] ? step.local.data() : nullptr, 0, nullptr, nullptr),
              "clEnqueueNDRangeKernel");
      }
    check(clFinish(driver().queue), "clFinish");
  }

  void fetch() override {
    for (size_t i = 0; i != buffers_.size(); ++i)
      if (workload_.buffers[i].result)
        check(clEnqueueReadBuffer(driver().queue, buffers_[i], CL_TRUE, 0,
                                  workload_.buffers[i].bytes.size(),
                                  workload_.buffers[i].bytes.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
    for (size_t i = 0; i != images_.size(); ++i) {
      const auto& image = workload_.images[i];
      auto& buffer = workload_.buffers[image.buffer];
      const size_t origin[] = {0, 0, 0};
      const size_t region[] = {image.width, image.height, std::max<size_t>(image.depth, 1)};
      if (buffer.result)
        check(clEnqueueReadImage(driver().queue, images_[i], CL_TRUE, origin, region, 0, 0,
                                 buffer.bytes.data(), 0, nullptr, nullptr),
              "clEnqueueReadImage");
    }
  }

 private:
  cl_int set(cl_kernel kernel, cl_uint index, const Argument& argument) {
    switch (argument.kind) {
    case Argument::Kind::kBuffer: {
      const cl_mem memory = buffers_[argument.number];
      return clSetKernelArg(kernel, index, sizeof memory, &memory);
    }
    case Argument::Kind::kImage: {
      const cl_mem memory = images_[argument.number];
      return clSetKernelArg(kernel, index, sizeof memory, &memory);
    }
    case Argument::Kind::kLocal:
      return clSetKernelArg(kernel, index, argument.number, nullptr);
    case Argument::Kind::kValue:
      break;
    }
    return clSetKernelArg(kernel, index, argument.value.size(), argument.value.data());
  }

  Workload& workload_;
  Program program_;
  std::vector<heddle::test::Buffer> buffers_;
  std::vector<Owned<cl_mem>> images_;
  std::vector<Kernel> kernels_;
};

} // namespace

std::string backend_name() {
  return device_text(CL_DEVICE_NAME) + ", " + device_text(CL_DEVICE_VERSION) + ", driver " +
         device_text(CL_DRIVER_VERSION);
}

std::unique_ptr<Runner> make_runner(Workload& workload, const std::string&) {
  return std::make_unique<OpenClRunner>(workload);
}

} // namespace heddle::bench
