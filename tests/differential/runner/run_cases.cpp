// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the kernels of a case file on the loader's first driver, and prints a digest of each
// kernel's buffers. A crash or a hang ends only this process: the last line shows where.
//
//   run_cases FILE [--kernels a,b] [--dump DIRECTORY] [--seconds N]
//   run_cases --features           prints the driver's extensions and OpenCL C features
//   run_cases --build-log FILE     builds only and prints the log
//
// With IMAGES_AS_BUFFERS in the environment kernels get buffers in place of images, and the program
// is built with -DBUFFERS.
//
// Lines on standard output: `build`, `built` | `unbuilt`, then for each kernel `begin NAME` and
// `done NAME DIGEST` | `fail NAME REASON`, at last `end`. Each step has N seconds of processor time
// (20 without --seconds), after which the process ends with SIGPROF.
#include "tests/api/support.h"
#include "tests/differential/runner/case_file.h"
#include "tests/differential/runner/contents.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <sys/time.h>
#include <unistd.h>

namespace heddle::differential {
namespace {

using test::check;

struct Options {
  std::string file;
  std::string dump;
  std::vector<std::string> kernels; // empty: all
  unsigned seconds = 20;
  bool features = false;
  bool build_log = false;
};

void say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// FNV-1a over 8 bytes at a time.
class Digest {
 public:
  void add(const unsigned char* bytes, size_t size) {
    for (size_t i = 0; i != size; ++i)
      value_ = (value_ ^ bytes[i]) * 0x100000001b3u;
  }
  std::string text() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value_));
    return digits;
  }

 private:
  uint64_t value_ = 0xcbf29ce484222325u;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

Options read_options(int count, char** words) {
  Options options;
  for (int i = 1; i != count; ++i) {
    const std::string word = words[i];
    const bool last = i + 1 == count;
    if (word == "--features")
      options.features = true;
    else if (word == "--build-log")
      options.build_log = true;
    else if (word == "--kernels" && !last)
      options.kernels = split(words[++i]);
    else if (word == "--dump" && !last)
      options.dump = words[++i];
    else if (word == "--seconds" && !last)
      options.seconds = static_cast<unsigned>(std::strtoul(words[++i], nullptr, 10));
    else if (word.rfind("--", 0) != 0 && options.file.empty())
      options.file = word;
    else
      throw std::runtime_error("what is '" + word + "'?");
  }
  if (options.file.empty() && !options.features)
    throw std::runtime_error("no file given");
  return options;
}

void print_features() {
  say(test::device_text(CL_DEVICE_EXTENSIONS));
  size_t size = 0;
  if (clGetDeviceInfo(test::device(), CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size) ==
      CL_SUCCESS) {
    std::vector<cl_name_version> features(size / sizeof(cl_name_version));
    clGetDeviceInfo(test::device(), CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr);
    for (const auto& feature : features)
      say(feature.name);
  }
  const auto single = test::info<cl_device_fp_config>(test::device(), CL_DEVICE_SINGLE_FP_CONFIG);
  if (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    say("correctly_rounded_divide_sqrt");
  if (single & CL_FP_DENORM)
    say("fp32_denormals");
}

bool images_are_buffers() { return std::getenv("IMAGES_AS_BUFFERS") != nullptr; }

// An image of rows of 64 elements.
constexpr size_t kImageWidth = 64;

size_t image_height(const Argument& argument) {
  return argument.count / argument.channels / kImageWidth;
}

test::Buffer make_image(cl_context context, const Argument& argument,
                        std::vector<unsigned char> contents) {
  static const std::map<std::string, cl_channel_type> kTypes = {
      {"char", CL_SIGNED_INT8},   {"uchar", CL_UNSIGNED_INT8},
      {"short", CL_SIGNED_INT16}, {"ushort", CL_UNSIGNED_INT16},
      {"int", CL_SIGNED_INT32},   {"uint", CL_UNSIGNED_INT32},
      {"float", CL_FLOAT}};
  const auto type = kTypes.find(argument.type);
  if (type == kTypes.end())
    throw std::runtime_error("no images of '" + argument.type + "'");
  const cl_image_format format = {
      static_cast<cl_channel_order>(argument.channels == 1 ? CL_R : CL_RGBA), type->second};
  cl_image_desc d{};
  d.image_type = CL_MEM_OBJECT_IMAGE2D;
  d.image_width = kImageWidth;
  d.image_height = image_height(argument);
  cl_int status = CL_SUCCESS;
  test::Buffer image(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &d,
                                   contents.data(), &status));
  check(status, "clCreateImage");
  return image;
}

// The image's contents, and what follows those of a buffer.
std::vector<unsigned char> read_image(cl_command_queue queue, cl_mem image,
                                      const Argument& argument) {
  auto bytes = initial_contents(argument);
  std::fill(bytes.begin(), bytes.end() - kGuardBytes, 0);
  const size_t origin[] = {0, 0, 0}, region[] = {kImageWidth, image_height(argument), 1};
  check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr,
                           nullptr),
        "clEnqueueReadImage");
  return bytes;
}

// The buffers and images of one launch, in the order of its arguments; empty if the argument is not
// a buffer.
std::vector<test::Buffer> set_arguments(cl_context context, cl_kernel kernel,
                                        const Launch& launch) {
  std::vector<test::Buffer> buffers;
  for (const auto& argument : launch.arguments) {
    const auto index = static_cast<cl_uint>(buffers.size());
    auto& buffer = buffers.emplace_back();
    if (argument.kind == ArgumentKind::Value) {
      check(clSetKernelArg(kernel, index, argument.value.size(), argument.value.data()),
            "clSetKernelArg of a value");
    } else if (argument.kind == ArgumentKind::Local) {
      check(clSetKernelArg(kernel, index, argument.count * scalar_size(argument.type), nullptr),
            "clSetKernelArg of local memory");
    } else {
      const auto contents = initial_contents(argument);
      buffer = argument.kind == ArgumentKind::Image && !images_are_buffers()
                   ? make_image(context, argument, contents)
                   : test::make_buffer(context, contents.size(), contents.data());
      check(test::set_arg(kernel, index, buffer), "clSetKernelArg of a buffer");
    }
  }
  return buffers;
}

// The default device queue, for programs whose kernels enqueue others; null without.
test::Queue make_device_queue(cl_context context, const std::string& source) {
  if (source.find("enqueue_kernel") == std::string::npos)
    return {};
  constexpr cl_queue_properties kBytes = 1 << 24;
  const auto most = test::info<cl_uint>(test::device(), CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
      CL_QUEUE_SIZE, std::min<cl_queue_properties>(kBytes, most), 0};
  cl_int error = CL_SUCCESS;
  test::Queue queue(
      clCreateCommandQueueWithProperties(context, test::device(), properties, &error));
  check(error, "clCreateCommandQueueWithProperties of a device queue");
  return queue;
}

void require_zeros(const std::vector<unsigned char>& bytes, size_t size) {
  for (size_t i = 0; i != size; ++i)
    if (bytes[i] != 0)
      throw std::runtime_error("the kernel marks byte " + std::to_string(i) +
                               " of its checks with " + std::to_string(bytes[i]));
}

std::string digest_of(cl_command_queue queue, const Launch& launch,
                      const std::vector<test::Buffer>& buffers, const std::string& dump) {
  Digest digest;
  for (size_t i = 0; i != buffers.size(); ++i) {
    if (!buffers[i])
      continue;
    const auto& argument = launch.arguments[i];
    const size_t size = argument.count * scalar_size(argument.type) + kGuardBytes;
    const auto bytes = argument.kind == ArgumentKind::Image && !images_are_buffers()
                           ? read_image(queue, buffers[i], argument)
                           : test::read<unsigned char>(queue, buffers[i], size);
    if (argument.kind == ArgumentKind::Check)
      require_zeros(bytes, size - kGuardBytes);
    const size_t first = argument.kind == ArgumentKind::Scratch ? size - kGuardBytes : 0;
    digest.add(bytes.data() + first, size - first);
    if (!dump.empty()) {
      std::ofstream file(dump + "/" + launch.kernel + "." + std::to_string(i), std::ios::binary);
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
    }
  }
  return digest.text();
}

std::string run(cl_context context, cl_command_queue queue, cl_program program,
                const Launch& launch, const std::string& dump) {
  const auto kernel = test::make_kernel(program, launch.kernel.c_str());
  const auto buffers = set_arguments(context, kernel, launch);
  const size_t* const local = launch.local[0] ? launch.local.data() : nullptr;
  test::Event event;
  check(clEnqueueNDRangeKernel(queue, kernel, launch.dimensions, launch.offset.data(),
                               launch.global.data(), local, 0, nullptr, event.out()),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  const cl_int status = test::event_status(event);
  if (status != CL_COMPLETE)
    throw std::runtime_error("the command ended with status " + std::to_string(status));
  return digest_of(queue, launch, buffers, dump);
}

// Ends the process after this processor time, or if it sleeps for long: the machine's load must not
// cause findings.
void limit(size_t seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(static_cast<unsigned>(seconds * 10));
}

bool chosen(const Options& options, const std::string& kernel) {
  return options.kernels.empty() ||
         std::find(options.kernels.begin(), options.kernels.end(), kernel) != options.kernels.end();
}

int run_file(const Options& options) {
  const auto cases = read_case_file(options.file);
  limit(options.seconds + cases.launches.size() * 5);
  say("build");
  const auto context = test::make_context();
  const auto queue = test::make_queue(context);
  const auto device_queue = make_device_queue(context, cases.source);
  const auto program = test::make_program(context, cases.source);
  const auto device = test::device();
  const auto options_used = cases.options + (images_are_buffers() ? " -DBUFFERS" : "");
  const cl_int built = clBuildProgram(program, 1, &device, options_used.c_str(), nullptr, nullptr);
  if (options.build_log || built != CL_SUCCESS)
    std::fputs(test::build_log(program).c_str(), stderr);
  say(built == CL_SUCCESS ? "built" : "unbuilt");
  if (options.build_log || built != CL_SUCCESS)
    return built == CL_SUCCESS ? 0 : 1;
  for (const auto& launch : cases.launches) {
    if (!chosen(options, launch.kernel))
      continue;
    limit(options.seconds);
    say("begin " + launch.kernel);
    try {
      say("done " + launch.kernel + " " + run(context, queue, program, launch, options.dump));
    } catch (const std::runtime_error& error) {
      say("fail " + launch.kernel + " " + error.what());
    }
  }
  say("end");
  return 0;
}

} // namespace
} // namespace heddle::differential

int main(int count, char** words) {
  using namespace heddle::differential;
  try {
    const Options options = read_options(count, words);
    if (options.features) {
      print_features();
      return 0;
    }
    return run_file(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_cases: %s\n", error.what());
    return 2;
  }
}
