// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs run in that has OpenCL loaders, drivers or libraries of its own: conda, containers,
// Windows' subsystem, an old C library.
#include "tools/heddle/doctor_sections.h"
#include "tools/heddle/installation.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gnu/libc-version.h>
#include <string>

namespace heddle::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVendors = "/etc/OpenCL/vendors";

bool has_icd_files(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".icd")
      return true;
  return false;
}

bool names_driver(const fs::path& folder, const std::string& driver) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string line;
    std::ifstream file(entry->path());
    if (entry->path().extension() == ".icd" && std::getline(file, line) &&
        fs::equivalent(line, driver, error))
      return true;
  }
  return false;
}

// conda's loader reads a folder of the environment, not /etc/OpenCL/vendors.
void add_conda(Section& section) {
  const char* prefix = std::getenv("CONDA_PREFIX");
  if (!prefix || !*prefix)
    return;
  std::error_code error;
  const auto folder = fs::path(prefix) / "etc/OpenCL/vendors";
  auto& fact = section.add("conda", std::string(prefix));
  if (!fs::exists(fs::path(prefix) / "lib/libOpenCL.so.1", error)) {
    fact.text = fact.text.empty() ? std::string(prefix) + " has no loader of its own" : fact.text;
    return;
  }
  const auto& here = command::installation();
  // conda's package ocl-icd-system makes this folder a link to the system's.
  if (names_driver(folder, here.driver)) {
    fact.text = std::string(prefix) + ": its loader finds this driver";
    return;
  }
  fact.text = std::string(prefix) + ": its loader reads " + folder.string() +
              ", where this driver is not named";
  fact.level = Level::note;
  fact.advice = "for programs of this environment: mkdir -p '" + folder.string() + "' && '" +
                here.command + "' icd > '" + (folder / "heddle.icd").string() +
                "'\nor show it all drivers of the system: conda install ocl-icd-system";
}

void add_container(Section& section) {
  const char* kind = std::getenv("container");
  std::error_code error;
  std::string name = kind && *kind                             ? kind
                     : fs::exists("/.dockerenv", error)        ? "docker"
                     : fs::exists("/run/.containerenv", error) ? "podman"
                     : std::getenv("KUBERNETES_SERVICE_HOST")  ? "kubernetes"
                                                               : "";
  if (name.empty())
    return;
  auto& fact = section.add("container", name);
  if (has_icd_files(kVendors)) {
    fact.text = name + ": has drivers of its own in " + kVendors;
    return;
  }
  fact.text = name + ": the host's " + kVendors + " is not in it";
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  if (vendors && *vendors)
    return; // the loader is told otherwise
  fact.level = Level::note;
  fact.advice = "install the driver in the image: mkdir -p " + std::string(kVendors) + " && '" +
                command::installation().command + "' icd > " + kVendors + "/heddle.icd";
}

void add_subsystem(Section& section) {
  std::ifstream file("/proc/sys/kernel/osrelease");
  std::string release;
  if (std::getline(file, release) && release.find("icrosoft") != std::string::npos)
    section.add("Windows", release,
                release + ": the CPU is a device like on Linux; drivers that are installed in "
                          "Windows are not seen here");
}

} // namespace

void report_surroundings(Report& report) {
  auto& section = report.add("surroundings");
  section.add("C library", std::string(gnu_get_libc_version()),
              std::string("glibc ") + gnu_get_libc_version());
  add_conda(section);
  add_container(section);
  add_subsystem(section);
}

std::string how_to_get_newer_libraries(const std::string& failure) {
  for (const char* name : {"`GLIBC_", "`GLIBCXX_", "`CXXABI_"})
    if (failure.find(name) != std::string::npos)
      return std::string("it was built for a newer system than this one (glibc ") +
             gnu_get_libc_version() +
             "): install the wheel, which needs glibc 2.35, or build it here";
  return {};
}

} // namespace heddle::doctor
