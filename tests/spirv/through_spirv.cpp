// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded into any OpenCL program, has its OpenCL C go through SPIR-V: what is built from source
// is compiled to a module by Clang, and the program that the driver gets is made of that.
//
//   LD_PRELOAD=libheddle_through_spirv.so PROGRAM
//
// HEDDLE_THROUGH_SPIRV=clang (the default: Clang's and LLVM 22's SPIR-V backend) or translator
// (clang-15 and llvm-spirv-15). HEDDLE_THROUGH_SPIRV_LOG names a file that gets a line for each
// build. HEDDLE_THROUGH_SPIRV_STRICT: what cannot be translated is not built. The lines are
// "spirv", or "source" and why the program was built from source all the same.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define NEXT(name) next<decltype(&name)>(#name)

struct Entry {
  std::string source;
  cl_context context = nullptr;
  cl_program module = nullptr; // what stands for the program once it has been built
};

std::mutex mutex;
std::map<cl_program, Entry> entries;

cl_program real(cl_program program) {
  const std::lock_guard lock(mutex);
  const auto found = entries.find(program);
  return found != entries.end() && found->second.module ? found->second.module : program;
}

void report(const std::string& line) {
  if (const char* path = std::getenv("HEDDLE_THROUGH_SPIRV_LOG"))
    if (std::FILE* file = std::fopen(path, "a")) {
      std::fprintf(file, "%s\n", line.c_str());
      std::fclose(file);
    }
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string device_text(cl_device_id device, cl_device_info name) {
  std::size_t size = 0;
  clGetDeviceInfo(device, name, 0, nullptr, &size);
  std::string text(size, '\0');
  clGetDeviceInfo(device, name, size, text.data(), nullptr);
  return text.c_str();
}

// "-cl-ext=-all,+NAME,...": what the device has. With `defines_features` also -D for each feature
// of OpenCL C 3.0: Clang knows some of them only as macros that its header defines for SPIR-V.
std::string extensions_of(cl_device_id device, bool defines_features) {
  std::string list = "-cl-ext=-all", definitions;
  std::istringstream words(device_text(device, CL_DEVICE_EXTENSIONS));
  for (std::string word; words >> word;)
    list += ",+" + word;
  std::size_t size = 0;
  clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr);
  for (const auto& feature : features) {
    list += std::string(",+") + feature.name;
    definitions += std::string(" -D") + feature.name + "=1";
  }
  return defines_features ? list + definitions : list;
}

// Options that Clang itself takes. Values are quoted for the shell.
std::string clang_options(const char* options, bool& has_language) {
  std::string result;
  std::vector<std::string> words(1);
  char quote = 0;
  for (const char* c = options ? options : ""; *c; ++c) {
    if (*c == quote)
      quote = 0;
    else if (!quote && (*c == '"'))
      quote = *c;
    else if (!quote && std::isspace(static_cast<unsigned char>(*c)))
      words.emplace_back();
    else
      words.back() += *c == '\\' && c[1] ? *++c : *c;
  }
  for (const auto& word : words) {
    if (word.empty())
      continue;
    if (word == "-cl-kernel-arg-info" || word == "-cl-strict-aliasing" || word == "-g" ||
        word.rfind("-heddle", 0) == 0 || word.rfind("-cl-nv", 0) == 0 ||
        word.rfind("-cl-intel", 0) == 0 || word.rfind("-O", 0) == 0 ||
        word == "-cl-no-subgroup-ifp")
      continue;
    if (word == "-cl-opt-disable") // the driver's matter
      continue;
    has_language |= word.rfind("-cl-std=", 0) == 0;
    result += " '" + word + "'";
  }
  return result;
}

// A module of the source; empty, with the reason in `why`, if it cannot be had.
std::string translate(const std::string& source, const char* options, cl_device_id device,
                      std::string& why) {
  char folder[] = "/tmp/through-spirv-XXXXXX";
  if (!mkdtemp(folder))
    return "";
  const std::string base = std::string(folder) + "/k";
  std::ofstream(base + ".cl", std::ios::binary) << source;
  const char* mode = std::getenv("HEDDLE_THROUGH_SPIRV");
  const bool is_translator = mode && std::strcmp(mode, "translator") == 0;
  bool has_language = false;
  const auto words = clang_options(options, has_language);
  // What the driver's own front end has beyond Clang's builtins.
  const char* extra = std::getenv("HEDDLE_THROUGH_SPIRV_INCLUDE");
  const bool has_features = words.find("-cl-std=CL3") != std::string::npos ||
                            words.find("-cl-std=CLC++2021") != std::string::npos;
  std::string command =
      std::string(is_translator ? "clang-15 --target=spir64" : "clang-22 --target=spirv64") +
      " -w -x cl" + (has_language ? "" : " -cl-std=CL1.2") +
      " -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -cl-kernel-arg-info"
      " -fno-discard-value-names -gline-tables-only -O1 -Xclang " +
      (is_translator ? "-no-opaque-pointers -Xclang " : "") + extensions_of(device, has_features) +
      words + (extra ? std::string(" -include ") + extra : "") +
      " -U__SPIR__ -U__SPIRV__ -D__OPENCL_VERSION__=310 -Dcl_khr_extended_async_copies=1"
      " -Dcl_khr_async_work_group_copy_fence=1 -emit-llvm -c " +
      base + ".cl -o " + base + ".bc 2> " + base + ".log && " +
      (is_translator ? "llvm-spirv-15 --spirv-ext=+all "
                     : "llc-22 --spirv-ext=all -filetype=obj ") +
      base + ".bc -o " + base + ".spv 2>> " + base + ".log";
  unsetenv("LD_PRELOAD"); // it is in this process already, and not for the compilers
  const int status = std::system(command.c_str());
  auto module = read_file(base + ".spv");
  if (status != 0 || module.empty()) {
    module.clear();
    why = read_file(base + ".log").substr(0, 300);
    for (auto& c : why)
      if (c == '\n')
        c = ' ';
  }
  if (const char* keep = std::getenv("HEDDLE_THROUGH_SPIRV_KEEP"))
    (void)std::system(("cp " + base + ".* " + keep + "/ 2>/dev/null").c_str());
  (void)std::system(("rm -rf " + std::string(folder)).c_str());
  return module;
}

} // namespace

extern "C" {

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* error) {
  auto program = NEXT(clCreateProgramWithSource)(context, count, strings, lengths, error);
  if (!program)
    return program;
  Entry entry;
  entry.context = context;
  for (cl_uint i = 0; i < count; ++i)
    entry.source.append(strings[i], lengths && lengths[i] ? lengths[i] : std::strlen(strings[i]));
  while (!entry.source.empty() && entry.source.back() == '\0')
    entry.source.pop_back();
  const std::lock_guard lock(mutex);
  entries[program] = std::move(entry);
  return program;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                      void* user_data) {
  Entry entry;
  {
    const std::lock_guard lock(mutex);
    const auto found = entries.find(program);
    if (found != entries.end())
      entry = found->second;
  }
  const auto build = NEXT(clBuildProgram);
  cl_device_id device = nullptr;
  if (count != 0 && devices)
    device = devices[0];
  else
    clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, nullptr);
  std::string why = "not made of source";
  if (!entry.context || !device)
    return build(program, count, devices, options, notify, user_data);
  const auto bytes = translate(entry.source, options, device, why);
  if (bytes.empty()) {
    report("source " + why);
    if (std::getenv("HEDDLE_THROUGH_SPIRV_STRICT"))
      return CL_BUILD_PROGRAM_FAILURE;
    return build(program, count, devices, options, notify, user_data);
  }
  cl_int error = CL_SUCCESS;
  auto module = clCreateProgramWithIL(entry.context, bytes.data(), bytes.size(), &error);
  if (!module) {
    report("refused " + std::to_string(error));
    return error;
  }
  {
    const std::lock_guard lock(mutex);
    entries[program].module = module;
  }
  const cl_int status = build(module, count, devices, options, nullptr, nullptr);
  if (status == CL_SUCCESS) {
    report("spirv");
  } else {
    std::size_t size = 0;
    clGetProgramBuildInfo(module, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(module, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    report("failed " + log.substr(0, log.find('\n')));
  }
  if (notify)
    notify(program, user_data);
  return notify ? CL_SUCCESS : status;
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  return NEXT(clCreateKernel)(real(program), name, error);
}

cl_int clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel* kernels,
                                cl_uint* count_ret) {
  return NEXT(clCreateKernelsInProgram)(real(program), count, kernels, count_ret);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void* value,
                        size_t* size_ret) {
  const bool of_build = name == CL_PROGRAM_BINARIES || name == CL_PROGRAM_BINARY_SIZES ||
                        name == CL_PROGRAM_NUM_KERNELS || name == CL_PROGRAM_KERNEL_NAMES;
  return NEXT(clGetProgramInfo)(of_build ? real(program) : program, name, size, value, size_ret);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t size, void* value, size_t* size_ret) {
  return NEXT(clGetProgramBuildInfo)(real(program), device, name, size, value, size_ret);
}

cl_int clReleaseProgram(cl_program program) {
  cl_uint references = 0;
  clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, nullptr);
  if (references == 1) {
    const std::lock_guard lock(mutex);
    if (const auto found = entries.find(program); found != entries.end()) {
      if (found->second.module)
        NEXT(clReleaseProgram)(found->second.module);
      entries.erase(found);
    }
  }
  return NEXT(clReleaseProgram)(program);
}

} // extern "C"
