// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/translator.h"

#include "compiler/interface/spirv_support.h"
#include "compiler/interface/spirv_words.h"
#include "compiler/spirv/argument_words.h"
#include "compiler/spirv/grammar.h"
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

// The instruction that continues an instruction of this kind (SPV_INTEL_long_composites); 0 if none
// does.
Word continuation_of(Op op) {
  switch (op) {
  case Op::OpTypeStruct:
    return 6090;
  case Op::OpConstantComposite:
    return 6091;
  case Op::OpSpecConstantComposite:
    return 6092;
  case Op::OpCompositeConstruct:
    return 6096;
  default:
    return 0;
  }
}

} // namespace

Translator::Translator(Build& build, std::span<const Word> words)
    : build_(build), words_(words), context_(build.context), builder_(build.context),
      bound_(words[3]) {
  ids_.resize(bound_ / kIdsInBlock + 1);
}

std::unique_ptr<llvm::Module> Translator::run() {
  const std::string name =
      build_.request.source_name != nullptr ? build_.request.source_name : "program.spv";
  module_ = std::make_unique<llvm::Module>(name, context_);
  module_->setDataLayout(kDataLayout);
  module_->setTargetTriple(llvm::Triple("spir64-unknown-unknown"));
  for (const auto& option : build_.options.clang) {
    if (option == "-cl-fast-relaxed-math")
      fast_math_.setFast();
    else if (option == "-cl-unsafe-math-optimizations") {
      fast_math_.setAllowReassoc();
      fast_math_.setAllowReciprocal();
      fast_math_.setAllowContract(true);
      fast_math_.setApproxFunc();
      fast_math_.setNoSignedZeros();
    } else if (option == "-cl-finite-math-only") {
      fast_math_.setNoNaNs();
      fast_math_.setNoInfs();
    } else if (option == "-cl-no-signed-zeros")
      fast_math_.setNoSignedZeros();
    else if (option == "-cl-fp32-correctly-rounded-divide-sqrt")
      divides_roughly_ = false;
    else if (option == "-ftrivial-auto-var-init=zero")
      zeroes_private_ = true;
    else if (option == "-cl-mad-enable")
      fast_math_.setAllowContract(true);
  }
  try {
    translate();
  } catch (const Refusal&) {
    // A block that ends where the module is refused does not own what describes its variables.
    for (auto& function : *module_)
      for (auto& block : function)
        if (auto* records = block.getTrailingDbgRecords()) {
          records->eraseFromParent();
          block.deleteTrailingDbgRecords();
        }
    throw;
  }
  return std::move(module_);
}

void Translator::refuse(const llvm::Twine& rule) const {
  throw Refusal{("SPIR-V: " + instruction_name(static_cast<Word>(current_.op)) + " at byte " +
                 llvm::Twine(4 * current_.at) + ": " + rule)
                    .str()};
}

Instruction Translator::instruction_at(std::size_t at) {
  const auto first = words_[at];
  Instruction result;
  result.op = static_cast<Op>(first & 0xFFFF);
  result.at = at;
  result.words = Words(words_.data() + at, first >> 16);
  result.length = result.size();
  append_continuations(result);
  current_ = result;
  check_length(result);
  return result;
}

void Translator::append_continuations(Instruction& instruction) {
  const auto continuation = continuation_of(instruction.op);
  const auto continues = [&](std::size_t at) {
    return continuation != 0 && at < words_.size() && (words_[at] & 0xFFFF) == continuation;
  };
  auto next = instruction.at + instruction.size();
  if (!continues(next))
    return;
  const auto [place, is_new] =
      continued_.try_emplace(instruction.at, instruction.words.begin(), instruction.words.end());
  auto& all = place->second;
  for (; continues(next); next += words_[next] >> 16)
    if (is_new)
      all.insert(all.end(), words_.begin() + static_cast<std::ptrdiff_t>(next) + 1,
                 words_.begin() + static_cast<std::ptrdiff_t>(next + (words_[next] >> 16)));
  instruction.words = all;
  instruction.length = next - instruction.at;
}

void Translator::check_length(const Instruction& instruction) const {
  const auto* grammar = find_instruction(static_cast<Word>(instruction.op));
  if (grammar == nullptr)
    refuse("the instruction is not known");
  if (instruction.size() < grammar->fewest_words)
    refuse("the instruction is shorter than its " + llvm::Twine(grammar->fewest_words) + " words");
}

void Translator::translate() {
  // Names and annotations may stand behind what they are of; types and constants may not.
  std::size_t functions = heddle::spirv::kHeaderWords;
  while (functions < words_.size()) {
    const auto instruction = instruction_at(functions);
    if (instruction.op == Op::OpFunction)
      break;
    check_order(instruction);
    if (section_of(instruction.op) != kDefinitions)
      module_instruction(instruction);
    functions += instruction.length;
  }
  require(has_memory_model_, "a module has a memory model");
  for (std::size_t at = heddle::spirv::kHeaderWords; at < functions;) {
    const auto instruction = instruction_at(at);
    if (section_of(instruction.op) == kDefinitions)
      module_instruction(instruction);
    at += instruction.length;
  }
  make_alias_lists();
  declare_functions(functions);
  check_function_pointers();
  make_kernels();
  define_functions();
  check_calls();
  finish_debug();
}

void Translator::check_order(const Instruction& instruction) {
  if (instruction.op == Op::OpNop || instruction.op == Op::OpLine || instruction.op == Op::OpNoLine)
    return;
  // Translators are not exact about the order of names, annotations and definitions.
  const auto section = std::min<unsigned>(section_of(instruction.op), kNames);
  if (section < section_)
    refuse("the instruction is behind where the layout of a module has it");
  section_ = section;
  if (section > 4 && !has_memory_model_)
    refuse("the memory model comes first");
}

void Translator::capability(Word number) {
  if (!llvm::is_contained(heddle::spirv::kCapabilities, number))
    refuse("this device does not have the capability " + capability_name(number));
  is_for_kernels_ |= number == static_cast<Word>(spv::Capability::Kernel);
  has_odd_integers_ |= number == 5844;    // ArbitraryPrecisionIntegersALTERA
  has_pointer_vectors_ |= number == 6427; // MaskedGatherScatterINTEL
  enqueues_ |= number == static_cast<Word>(spv::Capability::DeviceEnqueue) ||
               number == static_cast<Word>(spv::Capability::SubgroupDispatch);
}

void Translator::declare_extension(llvm::StringRef name) {
  if (!llvm::is_contained(heddle::spirv::kExtensions, name))
    refuse("this device does not have the extension '" + name + "'");
}

void Translator::import_set(const Instruction& instruction) {
  const auto name = text(instruction.from(2));
  Word set = kSkipped;
  if (name == "OpenCL.std")
    set = kOpenClStd;
  else if (name == "NonSemantic.Codeplay.GroupAsyncCopies") {
    require(is_for_kernels_, "GroupAsyncCopies is for modules with the capability Kernel");
    set = kGroupAsyncCopies;
  } else if (name == "OpenCL.DebugInfo.100")
    set = kOpenClDebug;
  else if (name.starts_with("NonSemantic.Shader.DebugInfo."))
    set = kShaderDebug;
  else if (!name.starts_with("NonSemantic."))
    refuse("the instruction set '" + name + "' is not known");
  auto& id = new_id(instruction[1]);
  id.kind = IdKind::set;
  id.index = set;
}

void Translator::entry_point(const Instruction& instruction) {
  require(instruction[1] == static_cast<Word>(spv::ExecutionModel::Kernel),
          "the execution model is Kernel");
  EntryPoint entry;
  entry.function = instruction[2];
  require(entry.function < bound_, "an entry point's function is below the bound");
  entry.name = text(instruction.from(3));
  require(!entry.name.empty(), "an entry point has a name");
  for (const auto& other : entry_points_)
    if (other.name == entry.name)
      refuse("there are two entry points '" + entry.name + "'");
  entry_of_function_.try_emplace(entry.function, static_cast<Word>(entry_points_.size()));
  entry_points_.push_back(std::move(entry));
}

void Translator::execution_mode(const Instruction& instruction, bool operands_are_ids) {
  bool found = false;
  const auto mode = static_cast<spv::ExecutionMode>(instruction[2]);
  // FPFastMathDefault (6028) allows less than is allowed without it.
  if (mode == spv::ExecutionMode::ContractionOff || static_cast<Word>(mode) == 6028)
    contracts_ = false;
  if (mode == spv::ExecutionMode::DenormFlushToZero && instruction.size() > 3 &&
      instruction[3] == 32)
    flushes_denormals_ = true;
  preserves_denormals_ |=
      mode == spv::ExecutionMode::DenormPreserve && instruction.size() > 3 && instruction[3] == 32;
  preserves_special_values_ |= mode == spv::ExecutionMode::SignedZeroInfNanPreserve;
  for (auto& entry : entry_points_)
    if (entry.function == instruction[1]) {
      entry.modes.push_back({mode, instruction.from(3), operands_are_ids});
      found = true;
    }
  require(found, "an execution mode is of an entry point's function");
}

void Translator::module_instruction(const Instruction& instruction) {
  switch (instruction.op) {
  case Op::OpNop:
  case Op::OpSourceContinued:
  case Op::OpSourceExtension:
  case Op::OpMemberName:
  case Op::OpModuleProcessed:
  case Op::OpNoLine:
  case Op::OpLine:
    return;
  case Op::OpCapability:
    return capability(instruction[1]);
  case Op::OpExtension:
    return declare_extension(text(instruction.from(1)));
  case Op::OpExtInstImport:
    return import_set(instruction);
  case Op::OpMemoryModel:
    require(!has_memory_model_, "a module has one memory model");
    require(instruction[1] == static_cast<Word>(spv::AddressingModel::Physical64),
            "the addressing model of this device is Physical64");
    require(instruction[2] == static_cast<Word>(spv::MemoryModel::OpenCL),
            "the memory model is OpenCL");
    has_memory_model_ = true;
    return;
  case Op::OpEntryPoint:
    return entry_point(instruction);
  case Op::OpExecutionMode:
    return execution_mode(instruction, false);
  case Op::OpExecutionModeId:
    return execution_mode(instruction, true);
  case Op::OpString: {
    const auto words = text(instruction.from(2));
    auto& id = new_id(instruction[1]);
    id.kind = IdKind::text;
    id.index = static_cast<Word>(texts_.size());
    texts_.push_back(words);
    note_argument_words(words, kernel_texts_);
    return;
  }
  case Op::OpSource:
    return source(instruction);
  case Op::OpName:
    if (instruction[1] < bound_)
      names_.try_emplace(instruction[1], text(instruction.from(2)));
    return;
  case Op::OpDecorate:
  case Op::OpDecorateString:
    return decorate(instruction[1], instruction.from(2), false);
  case Op::OpDecorateId:
    return decorate(instruction[1], instruction.from(2), true);
  case Op::OpMemberDecorate: // OpenCL's structures are laid out by their members' types
  case Op::OpMemberDecorateString:
    return;
  case Op::OpDecorationGroup:
    new_id(instruction[1]).kind = IdKind::group;
    return;
  case Op::OpGroupDecorate:
    return group_decorate(instruction);
  case Op::OpGroupMemberDecorate:
    return;
  case Op::OpTypeVoid:
  case Op::OpTypeBool:
  case Op::OpTypeInt:
  case Op::OpTypeFloat:
  case Op::OpTypeVector:
  case Op::OpTypeArray:
  case Op::OpTypeStruct:
  case Op::OpTypeOpaque:
  case Op::OpTypePointer:
  case Op::OpTypeForwardPointer:
  case Op::OpTypeFunction:
  case Op::OpTypeEvent:
  case Op::OpTypeDeviceEvent:
  case Op::OpTypeNamedBarrier:
  case Op::OpTypeQueue:
  case Op::OpTypeReserveId:
  case Op::OpTypePipe:
  case Op::OpTypeImage:
  case Op::OpTypeSampler:
  case Op::OpTypeSampledImage:
    return type_instruction(instruction);
  case Op::OpConstantTrue:
  case Op::OpConstantFalse:
  case Op::OpConstant:
  case Op::OpConstantComposite:
  case Op::OpConstantNull:
  case Op::OpSpecConstantTrue:
  case Op::OpSpecConstantFalse:
  case Op::OpSpecConstant:
  case Op::OpSpecConstantComposite:
  case Op::OpSpecConstantOp:
  case Op::OpUndef:
    return constant_instruction(instruction);
  case Op::OpConstantSampler:
    return constant_sampler(instruction);
  case Op::OpVariable:
    return module_variable(instruction);
  case Op::OpExtInst:
    return extended(instruction);
  case Op::OpAliasDomainDeclINTEL:
  case Op::OpAliasScopeDeclINTEL:
  case Op::OpAliasScopeListDeclINTEL:
    return declare_aliasing(instruction);
  case Op::OpConstantFunctionPointerINTEL:
    return function_pointer(instruction);
  default:
    break;
  }
  switch (static_cast<Word>(instruction.op)) {
  case 4417: // OpTypeUntypedPointerKHR
    return type_instruction(instruction);
  case 4418: // OpUntypedVariableKHR
    return module_variable(instruction);
  case 4433: // OpExtInstWithForwardRefsKHR
    return extended(instruction);
  case 4461: // OpConstantCompositeReplicateEXT
  case 4462: // OpSpecConstantCompositeReplicateEXT
    return replicated_constant(instruction);
  case 5147: // OpConstantDataKHR
  case 5148: // OpSpecConstantDataKHR
    return data_constant(instruction);
  case 5609: // OpAsmTargetINTEL
    return assembly_target(instruction);
  case 5610: // OpAsmINTEL
    return assembly(instruction);
  default:
    refuse("the instruction does not stand outside of functions, or is not supported");
  }
}

} // namespace heddle::compiler::spirv
