// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS // clGetExtensionFunctionAddress: loaders and drivers have
                                          // it
#include "tools/heddle/doctor_loader.h"

#include "runtime/program/files.h"
#include "tools/heddle/doctor_child.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <string_view>

namespace heddle::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualFolder = "/etc/OpenCL/vendors";

using Say = std::function<void(const std::string&)>;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::string path_of(void* library) {
  link_map* map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name)
    return {};
  std::error_code error;
  const auto path = fs::canonical(map->l_name, error);
  return error ? map->l_name : path.string();
}

std::string platform_text(decltype(&clGetPlatformInfo) get, cl_platform_id platform,
                          cl_platform_info what) {
  char text[1024] = {};
  return get(platform, what, sizeof text - 1, text, nullptr) == CL_SUCCESS ? text : "";
}

// clGetICDLoaderInfoOCLICD: a query of both loaders, which no header declares.
std::string loader_text(void* library) {
  constexpr cl_uint kVersion = 2, kName = 3;
  using Query = cl_int(cl_uint, size_t, void*, size_t*);
  auto* query = find<Query>(library, "clGetICDLoaderInfoOCLICD");
  if (!query)
    if (auto* extension =
            find<decltype(clGetExtensionFunctionAddress)>(library, "clGetExtensionFunctionAddress"))
      query = reinterpret_cast<Query*>(extension("clGetICDLoaderInfoOCLICD"));
  char name[128] = {}, version[128] = {};
  if (!query || query(kName, sizeof name - 1, name, nullptr) != CL_SUCCESS ||
      query(kVersion, sizeof version - 1, version, nullptr) != CL_SUCCESS)
    return {};
  return std::string(name) + " " + version;
}

void ask_platforms(void* library, const Say& say) {
  const auto ids = find<decltype(clGetPlatformIDs)>(library, "clGetPlatformIDs");
  const auto info = find<decltype(clGetPlatformInfo)>(library, "clGetPlatformInfo");
  const auto devices = find<decltype(clGetDeviceIDs)>(library, "clGetDeviceIDs");
  const auto device_info = find<decltype(clGetDeviceInfo)>(library, "clGetDeviceInfo");
  if (!ids || !info || !devices || !device_info)
    return say(row({"failure", "lacks functions of OpenCL"}));
  cl_uint count = 0;
  if (ids(0, nullptr, &count) != CL_SUCCESS)
    count = 0; // CL_PLATFORM_NOT_FOUND_KHR
  std::vector<cl_platform_id> platforms(count);
  if (count != 0 && ids(count, platforms.data(), nullptr) != CL_SUCCESS)
    return say(row({"failure", "does not list its platforms"}));
  for (auto* const platform : platforms) {
    say(row({"platform", platform_text(info, platform, CL_PLATFORM_NAME),
             platform_text(info, platform, CL_PLATFORM_VERSION)}));
    cl_device_id found[64];
    cl_uint number = 0;
    if (devices(platform, CL_DEVICE_TYPE_ALL, 64, found, &number) != CL_SUCCESS)
      continue;
    for (cl_uint i = 0; i < std::min<cl_uint>(number, 64); ++i) {
      char name[1024] = {};
      device_info(found[i], CL_DEVICE_NAME, sizeof name - 1, name, nullptr);
      say(row({"device", name}));
    }
  }
}

bool holds(const std::vector<std::byte>& bytes, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()).find(text) !=
         std::string_view::npos;
}

bool ends_with_icd(const std::string& name) { return name.size() > 4 && name.ends_with(".icd"); }

// The library that an .icd file names, as the loader gives it to the dynamic loader.
std::string library_in(const std::string& file, const LoaderAnswer& loader) {
  const auto bytes = files::read(file);
  if (!bytes)
    return {};
  std::string line(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  line.resize(std::min(line.size(), line.find('\n')));
  const auto folder = fs::path(loader.path).parent_path();
  // The dynamic loader puts the folder of the library that opens another one in its place.
  for (const std::string_view token : {"$ORIGIN", "${ORIGIN}"})
    if (const auto at = line.find(token); at != std::string::npos)
      line.replace(at, token.size(), folder.string());
  // PyOpenCL's loader has its own folder in its run path.
  std::error_code error;
  if (loader.reads_pyopencl_home && line.find('/') == std::string::npos &&
      fs::exists(folder / line, error))
    return (folder / line).string();
  return line;
}

void add_folder(IcdFiles& found, const std::string& folder, const LoaderAnswer& loader) {
  found.folders.push_back(folder);
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (ends_with_icd(entry->path().string()))
      names.push_back(entry->path().string());
  std::sort(names.begin(), names.end());
  for (const auto& name : names)
    found.files.push_back({name, folder, library_in(name, loader)});
}

} // namespace

LoaderAnswer ask_loader(const std::string& library) {
  LoaderAnswer loader;
  const auto answer = ask_child([&](const Say& say) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return say(row({"failure", dlerror()}));
    say(row({"path", path_of(handle)}));
    ask_platforms(handle, say);
    say(row({"name", loader_text(handle)}));
  });
  loader.failure = answer.failure;
  for (const auto& words : answer.rows) {
    if (words[0] == "path")
      loader.path = words[1];
    else if (words[0] == "name")
      loader.name = words[1];
    else if (words[0] == "failure")
      loader.failure = words[1];
    else if (words[0] == "platform")
      loader.platforms.push_back({words[1], words[2], {}});
    else if (words[0] == "device" && !loader.platforms.empty())
      loader.platforms.back().devices.push_back(words[1]);
  }
  if (const auto bytes = files::read(loader.path)) {
    loader.reads_filenames = holds(*bytes, "OCL_ICD_FILENAMES");
    loader.reads_pyopencl_home = holds(*bytes, "PYOPENCL_HOME");
    loader.takes_one_file = holds(*bytes, "OCL_ICD_DEFAULT_PLATFORM"); // a variable of ocl-icd
  }
  return loader;
}

IcdFiles find_icd_files(const LoaderAnswer& loader) {
  IcdFiles found;
  const auto vendors = variable("OCL_ICD_VENDORS");
  auto usual = loader.takes_one_file ? variable("OPENCL_VENDOR_PATH") : std::string();
  if (usual.empty())
    usual = kUsualFolder;
  std::error_code error;
  if (vendors.empty()) {
    add_folder(found, usual, loader);
    if (const auto home = variable("PYOPENCL_HOME"); loader.reads_pyopencl_home && !home.empty())
      add_folder(found, home + "/.libs", loader);
  } else if (!loader.takes_one_file || fs::is_directory(vendors, error)) {
    add_folder(found, vendors, loader);
  } else if (ends_with_icd(vendors)) {
    auto file = vendors;
    if (file.find('/') == std::string::npos && fs::exists(usual + "/" + file, error))
      file = usual + "/" + file;
    found.files.push_back({file, "OCL_ICD_VENDORS", library_in(file, loader)});
  } else {
    found.files.push_back({"", "OCL_ICD_VENDORS", vendors});
  }
  auto names = loader.reads_filenames ? variable("OCL_ICD_FILENAMES") : std::string();
  while (!names.empty()) {
    const auto name = names.substr(0, names.find(':'));
    names.erase(0, name.size() + 1);
    if (!name.empty())
      found.files.push_back({"", "OCL_ICD_FILENAMES", name});
  }
  return found;
}

DriverAnswer ask_driver(const std::string& library) {
  DriverAnswer driver;
  const auto answer = ask_child([&](const Say& say) {
    void* handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
      return say(row({"failure", dlerror()}));
    say(row({"path", path_of(handle)}));
    const auto extension =
        find<decltype(clGetExtensionFunctionAddress)>(handle, "clGetExtensionFunctionAddress");
    if (!extension)
      return say(row({"failure", "is no OpenCL driver: it lacks clGetExtensionFunctionAddress"}));
    const auto ids =
        reinterpret_cast<decltype(&clIcdGetPlatformIDsKHR)>(extension("clIcdGetPlatformIDsKHR"));
    auto info = reinterpret_cast<decltype(&clGetPlatformInfo)>(extension("clGetPlatformInfo"));
    if (!info)
      info = find<decltype(clGetPlatformInfo)>(handle, "clGetPlatformInfo");
    if (!ids || !info)
      return say(row({"failure", "is no OpenCL driver: it lacks clIcdGetPlatformIDsKHR"}));
    cl_uint count = 0;
    cl_platform_id platforms[16];
    if (ids(16, platforms, &count) == CL_SUCCESS)
      for (cl_uint i = 0; i < std::min<cl_uint>(count, 16); ++i)
        say(row({"platform", platform_text(info, platforms[i], CL_PLATFORM_NAME)}));
  });
  driver.failure = answer.failure;
  for (const auto& words : answer.rows) {
    if (words[0] == "path")
      driver.path = words[1];
    else if (words[0] == "failure")
      driver.failure = words[1];
    else if (words[0] == "platform")
      driver.platforms.push_back(words[1]);
  }
  return driver;
}

} // namespace heddle::doctor
