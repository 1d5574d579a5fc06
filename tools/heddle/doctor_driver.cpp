// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/options.h"
#include "runtime/device/version.h"
#include "tools/heddle/doctor_sections.h"
#include "tools/heddle/doctor_trial.h"
#include "tools/heddle/installation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace heddle::doctor {
namespace {

const std::string& own_driver() { return command::installation().driver; }

// How to have programs use this driver, for one shell and for good.
std::string how_to_register() {
  const auto command = "'" + command::installation().command + "'";
  return "for this shell: export OCL_ICD_VENDORS=" + own_driver() +
         "\nfor every program: " + command + " icd | sudo tee /etc/OpenCL/vendors/heddle.icd";
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return !a.empty() && !b.empty() && std::filesystem::equivalent(a, b, error);
}

bool is_about_heddle(const IcdFile& icd) {
  return icd.library.find("heddle") != std::string::npos ||
         std::filesystem::path(icd.file).filename().string().find("heddle") != std::string::npos;
}

bool is_system_folder(const std::string& path) {
  for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/"})
    if (path.starts_with(folder))
      return true;
  return false;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const auto& word : words)
    text += (text.empty() ? "" : between) + word;
  return text;
}

std::string quoted_names(const std::vector<std::string>& names) {
  return names.empty() ? "no platform" : "platform '" + joined(names, "', '") + "'";
}

// The dynamic loader's words often begin with the library.
std::string without_library(const std::string& failure, const std::string& library) {
  return failure.starts_with(library + ": ") ? failure.substr(library.size() + 2) : failure;
}

std::string how_to_mend(const IcdFile& icd) {
  if (icd.file.empty())
    return "correct or unset " + icd.from;
  if (icd.library.find_first_of(" \t\r") != std::string::npos)
    return "spaces, tabs and carriage returns in its first line are part of the path: remove them";
  if (is_about_heddle(icd))
    return "write the path of a driver into it, or remove it; this one: " + own_driver();
  return "its platform is missing: install it again, or remove " + icd.file;
}

void say_what_drivers_answer(Section& section, const IcdFiles& found) {
  std::map<std::string, std::string> opened; // by the path of the library, the file that named it
  bool own_is_there = false;
  for (const auto& icd : found.files) {
    const auto name = icd.file.empty() ? "driver of " + icd.from : icd.file;
    if (icd.library.empty()) {
      auto& fact = section.add(name, std::string(), "cannot be read, or its first line is empty");
      fact.level = is_about_heddle(icd) ? Level::problem : Level::note;
      fact.advice = "its first line must be the path of a driver";
      continue;
    }
    const auto answer = ask_driver(icd.library);
    auto& fact = section.add(name, icd.library);
    if (!answer.failure.empty()) {
      fact.text = icd.library + ": " + without_library(answer.failure, icd.library);
      fact.level = is_about_heddle(icd) ? Level::problem : Level::note;
      const auto newer = how_to_get_newer_libraries(answer.failure);
      fact.advice = newer.empty() ? how_to_mend(icd) : newer;
      continue;
    }
    fact.text = icd.library + ": opens, " + quoted_names(answer.platforms);
    own_is_there = own_is_there || is_same_file(answer.path, own_driver());
    if (const auto [before, first] = opened.emplace(answer.path, name); !first) {
      fact.level = Level::note;
      fact.advice = "the same driver as in " + before->second + ": programs may see it twice";
    } else if (!is_same_file(answer.path, own_driver()) &&
               std::find(answer.platforms.begin(), answer.platforms.end(), "Heddle") !=
                   answer.platforms.end()) {
      fact.level = Level::note;
      fact.advice = "another installation of Heddle than this command's";
    }
  }
  if (!own_is_there && !own_driver().empty()) {
    auto& fact = section.add("this driver", false, "nothing that the loader reads names it");
    fact.level = Level::problem;
    fact.advice = how_to_register();
  }
}

} // namespace

void report_driver(Report& report) {
  auto& section = report.add("driver");
  const auto& here = command::installation();
  section.add("command", here.command);
  auto& driver = section.add("driver", here.driver);
  auto& compiler = section.add("compiler", here.compiler);
  const bool both = !here.driver.empty() && !here.compiler.empty();
  if (here.driver.empty()) {
    driver.text = "libheddle.so is in no place that belongs to this command";
    driver.level = Level::problem;
    driver.advice = "install Heddle again; the rest below holds for the loader's drivers";
  }
  if (here.compiler.empty()) {
    compiler.text = options().COMPILER.empty()
                        ? "libheddle-compiler.so is not beside the driver"
                        : "HEDDLE_COMPILER=" + options().COMPILER + " cannot be read";
    compiler.level = Level::problem;
    compiler.advice = options().COMPILER.empty() ? "install Heddle again: nothing can be built"
                                                 : "unset HEDDLE_COMPILER";
  }
  if (!both)
    return;
  const auto trial = try_driver(here.driver, here.compiler);
  if (!trial.version.empty())
    driver.text = here.driver + ": Heddle " + trial.version;
  if (!trial.version.empty() && trial.version != version::driver()) {
    driver.level = Level::note;
    driver.advice = "this command is of Heddle " + version::driver() + ": install both again";
  }
  if (!trial.llvm_version.empty())
    compiler.text = here.compiler + ": LLVM " + trial.llvm_version;
  auto& run = section.add("a kernel", trial.failure.empty());
  if (trial.failure.empty()) {
    char text[128];
    std::snprintf(text, sizeof text,
                  "is built in %.1f ms, runs %llu work-items wide, and its results are right",
                  static_cast<double>(trial.build_microseconds) / 1000,
                  static_cast<unsigned long long>(trial.width));
    run.text = text;
    if (!trial.log.empty()) {
      run.level = Level::note;
      run.text += "; the log says: " + trial.log;
      run.advice = "kernels may run slowly: see memory and options below, or report this";
    }
  } else {
    run.text = trial.failure;
    run.level = Level::problem;
    run.advice = how_to_get_newer_libraries(trial.failure);
    if (run.advice.empty())
      run.advice = "unset the variables below that are set; if that does not help, install Heddle "
                   "again, or report this";
  }
}

void report_loader(Report& report, const LoaderAnswer& loader) {
  auto& section = report.add("loader");
  auto& library = section.add("library", loader.path);
  if (loader.path.empty()) {
    library.text = loader.failure;
    library.level = Level::problem;
    library.advice = "install a loader: sudo apt-get install ocl-icd-libopencl1";
    return;
  }
  library.text =
      loader.path + ": " + (loader.name.empty() ? "does not say its version" : loader.name);
  if (!loader.failure.empty()) {
    library.text += "; " + loader.failure;
    library.level = Level::problem;
    library.advice = "one of the drivers below brings programs down: use this one alone, "
                     "OCL_ICD_VENDORS=" +
                     own_driver();
  } else if (const char* path = std::getenv("LD_LIBRARY_PATH");
             path && *path && !is_system_folder(loader.path) && !loader.reads_pyopencl_home) {
    library.level = Level::note;
    library.advice = "not the system's loader: LD_LIBRARY_PATH leads to it";
  }
  for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES",
                           "OCL_ICD_DEFAULT_PLATFORM", "OCL_ICD_PLATFORM_SORT", "OPENCL_LAYERS"})
    if (const char* value = std::getenv(name); value && *value)
      section.add(name, std::string(value)).text = std::string(value) + " (environment)";
  const auto found = find_icd_files(loader);
  auto& folders = section.add("reads", found.folders);
  std::error_code error;
  if (found.folders.empty())
    folders.text = "no folder: the environment names the driver";
  for (const auto& folder : found.folders) {
    const bool is_there = std::filesystem::is_directory(folder, error);
    if (is_there && access(folder.c_str(), R_OK | X_OK) == 0)
      continue;
    folders.text += (folders.text.empty() ? "" : "; ") + folder +
                    (is_there ? " cannot be read" : " is not there");
    if (!is_there && !found.files.empty())
      continue; // a wheel's driver is found elsewhere
    folders.level = Level::note;
    folders.advice = is_there ? "let every user read it: sudo chmod a+rx " + folder
                              : "it is made when the first driver is registered";
  }
  say_what_drivers_answer(section, found);
}

void report_platforms(Report& report, const LoaderAnswer& loader) {
  auto& section = report.add("platforms");
  std::size_t own = loader.platforms.size();
  for (std::size_t i = 0; i < loader.platforms.size(); ++i) {
    const auto& platform = loader.platforms[i];
    if (platform.name == "Heddle" && own == loader.platforms.size())
      own = i;
    section.add(std::to_string(i), platform.name,
                platform.name + " (" + platform.version + "): " +
                    (platform.devices.empty() ? "no device" : joined(platform.devices, ", ")));
  }
  auto& first = section.add("first", loader.platforms.empty() ? "" : loader.platforms[0].name);
  if (own == loader.platforms.size()) {
    first.text = loader.platforms.empty() ? "the loader lists no platform"
                                          : first.text + loader.platforms[0].name +
                                                "; Heddle is not among the platforms";
    first.level = Level::problem;
    first.advice = "see the loader's part above";
  } else if (own != 0) {
    first.text = loader.platforms[0].name + ": programs that take the first platform get it";
    first.level = Level::note;
    first.advice = "choose the platform named Heddle (PyOpenCL: PYOPENCL_CTX=Heddle)\n"
                   "or show programs no other: export OCL_ICD_VENDORS=" +
                   own_driver();
  }
}

} // namespace heddle::doctor
