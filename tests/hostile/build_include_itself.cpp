// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header that includes itself, on disk and as a header program.
#include "tests/hostile/hostile.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace heddle::hostile;

static void body() {
  Session session;
  namespace fs = std::filesystem;
  const auto folder = fs::temp_directory_path() / ("heddle-include-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "self.h") << "#include \"self.h\"\n";
  const auto user = make_program(session.context,
                                 "#include \"self.h\"\nkernel void k(global int* x) { *x = 1; }");
  expect_status(
      clBuildProgram(user, 0, nullptr, ("-I " + folder.string()).c_str(), nullptr, nullptr),
      CL_BUILD_PROGRAM_FAILURE, "a header that includes itself");
  expect(!build_log(user).empty(), "no log");
  fs::remove_all(folder);
  const auto header = make_program(session.context, "#include \"loop.h\"\n");
  const auto source = make_program(session.context,
                                   "#include \"loop.h\"\nkernel void k(global int* x) { *x = 1; }");
  const cl_program headers[] = {header};
  const char* names[] = {"loop.h"};
  expect_status(clCompileProgram(source, 0, nullptr, "", 1, headers, names, nullptr, nullptr),
                CL_COMPILE_PROGRAM_FAILURE, "a header program that includes itself");
  expect(!build_log(source).empty(), "no log");
  // A folder in place of a header.
  const auto odd = make_program(session.context, "#include \"/\"\nkernel void k() {}");
  expect_status(clBuildProgram(odd, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE,
                "a folder as header");
  expect_works(session, "after endless includes");
}

int main() { return run_program(body); }
