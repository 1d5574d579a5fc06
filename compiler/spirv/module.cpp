// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/interface/spirv_support.h"
#include "compiler/interface/spirv_words.h"
#include "compiler/spirv/argument_words.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Clang's for spir64.
constexpr llvm::StringLiteral kDataLayout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

constexpr unsigned kNames = 7, kDefinitions = 9;

// The order of a module's instructions (SPIR-V specification, 2.4).
unsigned section_of(Op op) {
  switch (op) {
  case Op::OpCapability:
    return 1;
  case Op::OpExtension:
    return 2;
  case Op::OpExtInstImport:
    return 3;
  case Op::OpMemoryModel:
    return 4;
  case Op::OpEntryPoint:
    return 5;
  case Op::OpExecutionMode:
  case Op::OpExecutionModeId:
    return 6;
  case Op::OpString:
  case Op::OpSource:
  case Op::OpSourceContinued:
  case Op::OpSourceExtension:
  case Op::OpName:
  case Op::OpMemberName:
  case Op::OpModuleProcessed:
    return kNames;
  case Op::OpDecorate:
  case Op::OpDecorateId:
  case Op::OpDecorateString:
  case Op::OpMemberDecorate:
  case Op::OpMemberDecorateString:
  case Op::OpDecorationGroup:
  case Op::OpGroupDecorate:
  case Op::OpGroupMemberDecorate:
    return 8;
  default:
    return kDefinitions;
  }
}

void check_order(Translation& t, const Instruction& instruction) {
  if (instruction.op == Op::OpNop || instruction.op == Op::OpLine || instruction.op == Op::OpNoLine)
    return;
  // Translators are not exact about the order of names, annotations and definitions.
  const auto section = std::min<unsigned>(section_of(instruction.op), kNames);
  if (section < t.section)
    t.refuse("the instruction is behind where the layout of a module has it");
  t.section = section;
  if (section > 4 && !t.has_memory_model)
    t.refuse("the memory model comes first");
}

void capability(Translation& t, const Instruction& instruction) {
  const auto number = instruction[1];
  if (!llvm::is_contained(heddle::spirv::kCapabilities, number))
    t.refuse("this device does not have the capability " + capability_name(number));
  t.is_for_kernels |= number == static_cast<Word>(spv::Capability::Kernel);
  t.has_odd_integers |= number == 5844;    // ArbitraryPrecisionIntegersALTERA
  t.has_pointer_vectors |= number == 6427; // MaskedGatherScatterINTEL
  t.enqueues |= number == static_cast<Word>(spv::Capability::DeviceEnqueue) ||
                number == static_cast<Word>(spv::Capability::SubgroupDispatch);
}

void declare_extension(Translation& t, const Instruction& instruction) {
  const auto name = t.text(instruction.from(1));
  if (!llvm::is_contained(heddle::spirv::kExtensions, name))
    t.refuse("this device does not have the extension '" + name + "'");
}

void import_set(Translation& t, const Instruction& instruction) {
  const auto name = t.text(instruction.from(2));
  Word set = kSkipped;
  if (name == "OpenCL.std")
    set = kOpenClStd;
  else if (name == "NonSemantic.Codeplay.GroupAsyncCopies") {
    t.require(t.is_for_kernels, "GroupAsyncCopies is for modules with the capability Kernel");
    set = kGroupAsyncCopies;
  } else if (name == "OpenCL.DebugInfo.100")
    set = kOpenClDebug;
  else if (name.starts_with("NonSemantic.Shader.DebugInfo."))
    set = kShaderDebug;
  else if (!name.starts_with("NonSemantic."))
    t.refuse("the instruction set '" + name + "' is not known");
  auto& id = t.new_id(instruction[1]);
  id.kind = IdKind::set;
  id.index = set;
}

void entry_point(Translation& t, const Instruction& instruction) {
  t.require(instruction[1] == static_cast<Word>(spv::ExecutionModel::Kernel),
            "the execution model is Kernel");
  EntryPoint entry;
  entry.function = instruction[2];
  t.require(entry.function < t.bound, "an entry point's function is below the bound");
  entry.name = t.text(instruction.from(3));
  t.require(!entry.name.empty(), "an entry point has a name");
  for (const auto& other : t.entry_points)
    if (other.name == entry.name)
      t.refuse("there are two entry points '" + entry.name + "'");
  t.entry_of_function.try_emplace(entry.function, static_cast<Word>(t.entry_points.size()));
  t.entry_points.push_back(std::move(entry));
}

void execution_mode(Translation& t, const Instruction& instruction) {
  bool found = false;
  const auto mode = static_cast<spv::ExecutionMode>(instruction[2]);
  // FPFastMathDefault (6028) allows less than is allowed without it.
  if (mode == spv::ExecutionMode::ContractionOff || static_cast<Word>(mode) == 6028)
    t.contracts = false;
  if (mode == spv::ExecutionMode::DenormFlushToZero && instruction.size() > 3 &&
      instruction[3] == 32)
    t.flushes_denormals = true;
  t.preserves_denormals |=
      mode == spv::ExecutionMode::DenormPreserve && instruction.size() > 3 && instruction[3] == 32;
  t.preserves_special_values |= mode == spv::ExecutionMode::SignedZeroInfNanPreserve;
  for (auto& entry : t.entry_points)
    if (entry.function == instruction[1]) {
      entry.modes.push_back({mode, instruction.from(3), instruction.op == Op::OpExecutionModeId});
      found = true;
    }
  t.require(found, "an execution mode is of an entry point's function");
}

void memory_model(Translation& t, const Instruction& instruction) {
  t.require(!t.has_memory_model, "a module has one memory model");
  t.require(instruction[1] == static_cast<Word>(spv::AddressingModel::Physical64),
            "the addressing model of this device is Physical64");
  t.require(instruction[2] == static_cast<Word>(spv::MemoryModel::OpenCL),
            "the memory model is OpenCL");
  t.has_memory_model = true;
}

void string(Translation& t, const Instruction& instruction) {
  const auto words = t.text(instruction.from(2));
  auto& id = t.new_id(instruction[1]);
  id.kind = IdKind::text;
  id.index = static_cast<Word>(t.texts.size());
  t.texts.push_back(words);
  note_argument_words(words, t.kernel_texts);
}

void name_id(Translation& t, const Instruction& instruction) {
  if (instruction[1] < t.bound)
    t.names.try_emplace(instruction[1], t.text(instruction.from(2)));
}

void read_outside(Translation& t, const Instruction& instruction) {
  auto* read = readers().outside(instruction.op);
  if (read == nullptr)
    t.refuse("the instruction does not stand outside of functions, or is not supported");
  read(t, instruction);
}

void read_all(Translation& t) {
  // Names and annotations may stand behind what they are of; types and constants may not.
  std::size_t functions = heddle::spirv::kHeaderWords;
  while (functions < t.words.size()) {
    const auto instruction = t.instruction_at(functions);
    if (instruction.op == Op::OpFunction)
      break;
    check_order(t, instruction);
    if (section_of(instruction.op) != kDefinitions)
      read_outside(t, instruction);
    functions += instruction.length;
  }
  t.require(t.has_memory_model, "a module has a memory model");
  for (std::size_t at = heddle::spirv::kHeaderWords; at < functions;) {
    const auto instruction = t.instruction_at(at);
    if (section_of(instruction.op) == kDefinitions)
      read_outside(t, instruction);
    at += instruction.length;
  }
  make_alias_lists(t);
  declare_functions(t, functions);
  check_function_pointers(t);
  make_kernels(t);
  define_functions(t);
  check_calls(t);
  t.debug.finish_debug();
}

} // namespace

std::unique_ptr<llvm::Module> translate(Build& build, std::span<const Word> words) {
  Translation t(build, words);
  const std::string name =
      build.request.source_name != nullptr ? build.request.source_name : "program.spv";
  t.module = std::make_unique<llvm::Module>(name, t.context);
  t.module->setDataLayout(kDataLayout);
  t.module->setTargetTriple(llvm::Triple("spir64-unknown-unknown"));
  for (const auto& option : build.options.clang) {
    if (option == "-cl-fast-relaxed-math")
      t.fast_math.setFast();
    else if (option == "-cl-unsafe-math-optimizations") {
      t.fast_math.setAllowReassoc();
      t.fast_math.setAllowReciprocal();
      t.fast_math.setAllowContract(true);
      t.fast_math.setApproxFunc();
      t.fast_math.setNoSignedZeros();
    } else if (option == "-cl-finite-math-only") {
      t.fast_math.setNoNaNs();
      t.fast_math.setNoInfs();
    } else if (option == "-cl-no-signed-zeros")
      t.fast_math.setNoSignedZeros();
    else if (option == "-cl-fp32-correctly-rounded-divide-sqrt")
      t.divides_roughly = false;
    else if (option == "-ftrivial-auto-var-init=zero")
      t.zeroes_private = true;
    else if (option == "-cl-mad-enable")
      t.fast_math.setAllowContract(true);
  }
  try {
    read_all(t);
  } catch (const Refusal&) {
    // A block that ends where the module is refused does not own what describes its variables.
    for (auto& function : *t.module)
      for (auto& block : function)
        if (auto* records = block.getTrailingDbgRecords()) {
          records->eraseFromParent();
          block.deleteTrailingDbgRecords();
        }
    throw;
  }
  return std::move(t.module);
}

void add_module(Readers& readers) {
  readers.add_outside([](Translation&, const Instruction&) {},
                      {Op::OpNop, Op::OpSourceContinued, Op::OpSourceExtension, Op::OpMemberName,
                       Op::OpModuleProcessed, Op::OpNoLine, Op::OpLine});
  readers.add_outside(capability, {Op::OpCapability});
  readers.add_outside(declare_extension, {Op::OpExtension});
  readers.add_outside(import_set, {Op::OpExtInstImport});
  readers.add_outside(memory_model, {Op::OpMemoryModel});
  readers.add_outside(entry_point, {Op::OpEntryPoint});
  readers.add_outside(execution_mode, {Op::OpExecutionMode, Op::OpExecutionModeId});
  readers.add_outside(string, {Op::OpString});
  readers.add_outside(name_id, {Op::OpName});
  readers.add_outside([](Translation& t, const Instruction& source) { t.debug.source(source); },
                      {Op::OpSource});
}

const Readers& readers() {
  static const Readers& all = *[] {
    auto* made = new Readers;
    for (auto* add : {add_abort,          add_aliasing,
                      add_arithmetic,     add_assembly,
                      add_atomics,        add_comparisons,
                      add_composites,     add_constants,
                      add_control_flow,   add_conversions,
                      add_copies,         add_decorations,
                      add_device_enqueue, add_extended_instructions,
                      add_extensions,     add_function_pointers,
                      add_groups,         add_images,
                      add_literal_data,   add_masked_access,
                      add_memory,         add_module,
                      add_named_barriers, add_pipes,
                      add_types,          add_untyped_pointers,
                      add_variables})
      add(*made);
    return made;
  }();
  return all;
}

void read_instruction(Translation& t, const Instruction& instruction) {
  auto* read = readers().in_functions(instruction.op);
  if (read == nullptr)
    t.refuse("the instruction is not supported");
  read(t, instruction);
}

} // namespace heddle::compiler::spirv
