// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL loader (libOpenCL.so.1), the .icd files that it reads, and what their libraries
// answer.
#pragma once

#include <string>
#include <vector>

namespace heddle::doctor {

struct PlatformAnswer {
  std::string name;
  std::string version;
  std::vector<std::string> devices;
};

struct LoaderAnswer {
  std::string path; // of the file that was opened; empty if none could be
  std::string name; // "ocl-icd 2.3.1"; empty if it does not say
  std::string failure;
  std::vector<PlatformAnswer> platforms; // in the loader's order
  // What the loader looks at beside the usual folder, by the names of variables in it.
  bool reads_filenames = false;     // OCL_ICD_FILENAMES
  bool reads_pyopencl_home = false; // PYOPENCL_HOME: the loader in PyOpenCL's wheel
  bool takes_one_file = false;      // OCL_ICD_VENDORS may name one file or library (ocl-icd)
};

// `library`: a path, or a name that the dynamic loader finds.
LoaderAnswer ask_loader(const std::string& library);

struct IcdFile {
  std::string file;    // the .icd file; empty where a variable names the library itself
  std::string from;    // the folder or the variable that it is found by
  std::string library; // what is opened: its first line, $ORIGIN replaced; empty if unreadable
};

struct IcdFiles {
  std::vector<std::string> folders; // that the loader reads
  std::vector<IcdFile> files;       // sorted by name in each folder; loaders take any order
};

// As the loader finds them with the environment of this process.
IcdFiles find_icd_files(const LoaderAnswer& loader);

struct DriverAnswer {
  std::string path;    // of the file that was opened, without symbolic links
  std::string failure; // the dynamic loader's words, or how the attempt ended; empty: it opens
  std::vector<std::string> platforms;
};

DriverAnswer ask_driver(const std::string& library);

} // namespace heddle::doctor
