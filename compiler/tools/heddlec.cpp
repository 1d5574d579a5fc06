// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddlec: the compiler at the command line, for tests.
//
//   heddlec [-o FILE] [--stage=NAME] [--cpu=NAME] [--extensions="..."]
//           [--object | --library | --program | --unit=KERNEL]
//           [--known=ARGUMENT:VALUE,...] [--width=LANES] [--rows=ROWS] [--disjoint]
//           [--swap-dimensions|--dimension-by-strides] [--first]
//           [--local=XxYxZ [--partial-groups | --long-rows]] [--small-ids] [--short-code]
//           [--fibers] [--skip=PASS,...] [--repeat=COUNT] [--seconds=LIMIT]
//           [--time-passes[=2]] [--print-after=PASS,...|*] [--print-changed[=names]]
//           [--verify-each[=0]] [--keep=FOLDER]
//           INPUT... [-- BUILD OPTIONS]
//
// One .cl or .spv input is compiled; other inputs are bitcode and are linked. It takes the steps of
// a driver: builds the program (--program: only that), and from its bitcode a unit for each of its
// kernels (--unit: for one, from the bitcode). FILE is what the last step makes; if there are
// several units, FILE.KERNEL is that of each. --stage prints the IR after a stage of
// pass_pipeline.cpp or a pass to stdout. The log goes to stderr.
#include "compiler/pipeline.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

namespace {

using heddle::compiler::Outcome;

// The device's extensions, unless --extensions overrides them.
constexpr const char* kExtensions =
    "cl_khr_byte_addressable_store cl_khr_global_int32_base_atomics "
    "cl_khr_global_int32_extended_atomics cl_khr_local_int32_base_atomics "
    "cl_khr_local_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "
    "cl_khr_fp64 __opencl_c_fp64 __opencl_c_int64 __opencl_c_program_scope_global_variables "
    "__opencl_c_generic_address_space __opencl_c_atomic_order_acq_rel "
    "__opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device "
    "cl_khr_extended_async_copies cl_khr_async_work_group_copy_fence __opencl_c_subgroups "
    "__opencl_c_work_group_collective_functions __opencl_c_device_enqueue __opencl_c_pipes "
    "__opencl_c_atomic_scope_all_devices";

struct CommandLine {
  std::string output;
  unsigned repeat = 1;
  heddle_request request{}; // without what refers to the strings
  std::string print_after;
  std::string skipped_passes;
  std::string keep_folder;
  std::string stage;
  std::string cpu = "native";
  std::string extensions = kExtensions;
  bool builds_units = true; // of all kernels of the program
  std::string kernel;       // of a unit
  std::vector<std::string> inputs;
  std::vector<const char*> options;
};

// "64x4": zeros if it is not of this form.
std::array<std::uint64_t, 3> local_size(llvm::StringRef text) {
  std::array<std::uint64_t, 3> size{1, 1, 1};
  for (auto& number : size) {
    const auto [word, rest] = text.split('x');
    if (word.getAsInteger(10, number) || number == 0)
      return {};
    text = rest;
    if (text.empty())
      break;
  }
  return size;
}

// "ARGUMENT:VALUE,...": formats of images, words of samplers.
void know_arguments(llvm::StringRef text, heddle::Specialization& specialization) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  text.split(words, ',', -1, false);
  for (const auto word : words) {
    const auto [index, value] = word.split(':');
    heddle::KnownArgument known;
    if (!index.getAsInteger(10, known.index) && !value.getAsInteger(0, known.value))
      specialization.know(known);
  }
}

CommandLine parse(int count, char** words) {
  CommandLine line;
  auto& request = line.request;
  request.goal = HEDDLE_GOAL_PROGRAM;
  request.verify_each = HEDDLE_VERIFY_EACH_DEFAULT;
  auto& specialization = request.specialization;
  specialization.has_whole_groups = true;
  specialization.has_long_code = true;
  for (int i = 1; i < count; ++i) {
    llvm::StringRef word = words[i];
    if (word == "--") {
      line.options.assign(words + i + 1, words + count);
      break;
    }
    if (word == "-o" && i + 1 < count)
      line.output = words[++i];
    else if (word.consume_front("--stage="))
      line.stage = word.str();
    else if (word.consume_front("--seconds="))
      word.getAsInteger(10, request.max_seconds);
    else if (word.consume_front("--width="))
      word.getAsInteger(10, specialization.lanes);
    else if (word.consume_front("--known="))
      know_arguments(word, specialization);
    else if (word.consume_front("--rows="))
      word.getAsInteger(10, specialization.rows);
    else if (word.consume_front("--local="))
      specialization.local_size = local_size(word);
    else if (word == "--partial-groups")
      specialization.has_whole_groups = false;
    else if (word == "--long-rows")
      specialization.has_long_rows = true;
    else if (word == "--short-code")
      specialization.has_long_code = false;
    else if (word == "--small-ids")
      specialization.has_small_ids = true;
    else if (word == "--registers")
      request.force_promotion = 1;
    else if (word == "--fibers")
      request.force_fibers = 1;
    else if (word == "--disjoint")
      specialization.has_disjoint_arguments = true;
    else if (word == "--swap-dimensions")
      specialization.lane_dimension = heddle::LaneDimension::second;
    else if (word == "--first")
      specialization.is_first = true;
    else if (word == "--dimension-by-strides")
      specialization.lane_dimension = heddle::LaneDimension::by_strides;
    else if (word.consume_front("--repeat="))
      word.getAsInteger(10, line.repeat);
    else if (word.consume_front("--cpu="))
      line.cpu = word.str();
    else if (word.consume_front("--extensions="))
      line.extensions = word.str();
    else if (word == "--check=division")
      request.checks |= HEDDLE_CHECK_DIVISION;
    else if (word == "--check=memory")
      request.checks |= HEDDLE_CHECK_MEMORY;
    else if (word == "--check=race")
      request.checks |= HEDDLE_CHECK_RACE;
    else if (word == "--check=divergence")
      request.checks |= HEDDLE_CHECK_DIVERGENCE;
    else if (word == "--check=uninitialized")
      request.checks |= HEDDLE_CHECK_UNINITIALIZED;
    else if (word == "--check=buffers")
      request.checks |= HEDDLE_CHECK_UNINITIALIZED | HEDDLE_CHECK_BUFFERS;
    else if (word == "--time-passes")
      request.time_passes = 1;
    else if (word.consume_front("--time-passes="))
      word.getAsInteger(10, request.time_passes);
    else if (word.consume_front("--print-after="))
      line.print_after = word.str();
    else if (word.consume_front("--skip="))
      line.skipped_passes = word.str();
    else if (word == "--print-changed" || word == "--print-changed=names")
      request.print_changed = word == "--print-changed" ? 1 : 2;
    else if (word == "--verify-each" || word == "--verify-each=0")
      request.verify_each = word == "--verify-each" ? 1 : 0;
    else if (word.consume_front("--keep="))
      line.keep_folder = word.str();
    else if (word == "--object" || word == "--library" || word == "--program") {
      line.builds_units = false;
      request.goal = word == "--object"    ? HEDDLE_GOAL_OBJECT
                     : word == "--library" ? HEDDLE_GOAL_LIBRARY
                                           : HEDDLE_GOAL_PROGRAM;
    } else if (word.consume_front("--unit=")) {
      line.builds_units = false;
      request.goal = HEDDLE_GOAL_UNIT;
      line.kernel = word.str();
    } else
      line.inputs.push_back(word.str());
  }
  return line;
}

[[noreturn]] void fail(void*, const char* message) {
  llvm::errs() << "fatal error: " << message << "\n";
  std::exit(3);
}

// The request for what a command line names, which refers to its inputs.
heddle_request request_of(const CommandLine& line, const std::vector<heddle_blob>& inputs) {
  auto request = line.request;
  if (request.goal == HEDDLE_GOAL_UNIT)
    request.kernel = line.kernel.c_str();
  if (llvm::StringRef(line.inputs.front()).ends_with(".cl")) {
    request.source = inputs.front();
    request.source_name = line.inputs.front().c_str();
  } else if (llvm::StringRef(line.inputs.front()).ends_with(".spv")) {
    request.il = inputs.front();
    request.source_name = line.inputs.front().c_str();
  } else {
    request.inputs = inputs.data();
    request.input_count = inputs.size();
  }
  request.options = line.options.data();
  request.option_count = line.options.size();
  request.extensions = line.extensions.c_str();
  request.cpu = line.cpu.c_str();
  request.print_after = line.print_after.c_str();
  request.skipped_passes = line.skipped_passes.c_str();
  request.keep_folder = line.keep_folder.c_str();
  request.fatal = fail;
  return request;
}

// The kernels of a program that a driver builds units of.
std::vector<std::string> kernels_of(const heddle::ProgramMetadata& program) {
  std::vector<std::string> names;
  for (const auto& kernel : program.kernels)
    names.push_back(kernel.name);
  if (program.has_initializer)
    names.emplace_back(heddle::kInitializerKernel);
  if (program.has_finalizer)
    names.emplace_back(heddle::kFinalizerKernel);
  return names;
}

int write(const std::string& name, const std::vector<std::byte>& output) {
  if (name.empty())
    return 0;
  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(output.data()),
             static_cast<std::streamsize>(output.size()));
  return file.good() ? 0 : 2;
}

// The exit status. `shows`: the log and the stage that is asked for are printed, and the output is
// written.
int run(const CommandLine& line, heddle_request request, bool shows) {
  const auto print_stage = [&](llvm::StringRef stage, const llvm::Module& module) {
    // A unit's first module is a part of the program's.
    if (shows && stage == line.stage &&
        (stage != "frontend" || request.goal != HEDDLE_GOAL_UNIT || !line.builds_units))
      module.print(llvm::outs(), nullptr);
  };
  std::vector<std::byte> program, unit;
  heddle::ProgramMetadata metadata;
  const auto step = [&](std::vector<std::byte>& output) {
    std::optional<heddle::compiler::Build> build;
    const auto outcome = run_pipeline(request, build, output, print_stage);
    if (shows)
      llvm::errs() << build->log;
    metadata = std::move(build->metadata);
    return outcome == Outcome::ok;
  };
  if (!step(program))
    return 1;
  if (!line.builds_units)
    return shows ? write(line.output, program) : 0;
  const heddle_blob blob{program.data(), program.size()};
  request.goal = HEDDLE_GOAL_UNIT;
  request.source = request.il = {};
  request.inputs = &blob;
  request.input_count = 1;
  const auto names = kernels_of(metadata);
  const bool is_file = names.size() == 1 || line.output.empty() || line.output == "/dev/null";
  for (const auto& name : names) {
    request.kernel = name.c_str();
    request.specialization = line.request.specialization;
    if (!step(unit))
      return 1;
    if (const int status =
            shows ? write(is_file ? line.output : line.output + "." + name, unit) : 0;
        status != 0)
      return status;
  }
  return 0;
}

} // namespace

int main(int count, char** words) {
  const auto line = parse(count, words);
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files;
  std::vector<heddle_blob> blobs;
  for (const auto& name : line.inputs) {
    auto file = llvm::MemoryBuffer::getFile(name);
    if (!file) {
      llvm::errs() << "cannot read " << name << "\n";
      return 2;
    }
    blobs.push_back({(*file)->getBufferStart(), (*file)->getBufferSize()});
    files.push_back(std::move(*file));
  }
  if (blobs.empty()) {
    llvm::errs() << "no input\n";
    return 2;
  }
  const auto request = request_of(line, blobs);
  const heddle::compiler::FatalErrorScope fatal_errors(request);
  for (unsigned i = 1; i < line.repeat; ++i)
    run(line, request, false);
  return run(line, request, true);
}
