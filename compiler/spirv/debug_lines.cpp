// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines: OpLine, and the lines of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.
#include "compiler/spirv/translator.h"
#include "compiler/support/build.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// Instructions of both sets that have the same number.
constexpr Word kDebugSource = 35;
// Of NonSemantic.Shader.DebugInfo only.
constexpr Word kDebugLine = 103, kDebugNoLine = 104;

} // namespace

void Translator::source(const Instruction& instruction) {
  if (instruction.size() > 3 && id(instruction[3]).kind == IdKind::text)
    source_file_ = text_of_id(instruction[3]);
}

llvm::DIFile* Translator::debug_file(llvm::StringRef path) {
  auto*& file = debug_files_[path];
  if (file == nullptr)
    file = debug_->createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
  return file;
}

// A function has line numbers if its body has a line.
void Translator::begin_function_lines(std::size_t body, llvm::Function& function) {
  subprogram_ = nullptr;
  builder_.SetCurrentDebugLocation({});
  llvm::StringRef path;
  unsigned first_line = 0;
  for (auto at = body; path.empty();) {
    const auto next = instruction_at(at);
    if (next.op == Op::OpFunctionEnd)
      return;
    if (next.op == Op::OpLine) {
      path = text_of_id(next[1]);
      first_line = next[2];
    } else if (next.op == Op::OpExtInst && id(next[3]).kind == IdKind::set &&
               next[4] == kDebugLine && next.size() > 6 && next[5] < bound_) {
      if (const auto found = debug_sources_.find(next[5]); found != debug_sources_.end()) {
        path = found->second;
        const auto& line = id(next[6]);
        if (line.kind == IdKind::value)
          if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(line.value))
            first_line = static_cast<unsigned>(number->getZExtValue());
      }
    }
    at += next.length;
  }
  if (!debug_) {
    debug_ = std::make_unique<llvm::DIBuilder>(*module_);
    unit_ = debug_->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_OpenCL),
                                      debug_file(source_file_.empty() ? path : source_file_),
                                      "Heddle", build_.options.optimize, "", 0, "",
                                      llvm::DICompileUnit::LineTablesOnly, 0, false, false,
                                      llvm::DICompileUnit::DebugNameTableKind::None);
    module_->addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
    module_->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                           llvm::DEBUG_METADATA_VERSION);
  }
  auto* file = debug_file(path);
  subprogram_ =
      debug_->createFunction(file, function.getName(), "", file, first_line,
                             debug_->createSubroutineType(debug_->getOrCreateTypeArray({})),
                             first_line, llvm::DINode::FlagPrototyped,
                             llvm::DISubprogram::SPFlagDefinition |
                                 (build_.options.optimize ? llvm::DISubprogram::SPFlagOptimized
                                                          : llvm::DISubprogram::SPFlagZero));
  function.setSubprogram(subprogram_);
  no_line();
}

void Translator::line(const Instruction& instruction) {
  const auto path = text_of_id(instruction[1]);
  set_line(path, instruction[2], instruction[3]);
}

void Translator::set_line(llvm::StringRef path, unsigned line, unsigned column) {
  if (subprogram_ == nullptr)
    return;
  llvm::DILocalScope* scope = subprogram_;
  if (auto* file = debug_file(path); file != subprogram_->getFile())
    scope = debug_->createLexicalBlockFile(subprogram_, file);
  builder_.SetCurrentDebugLocation(
      llvm::DILocation::get(context_, line, std::min(column, 0xFFFFu), scope));
}

// Calls need a place where the function has places at all.
void Translator::no_line() {
  builder_.SetCurrentDebugLocation(
      subprogram_ != nullptr && function_ != 0
          ? llvm::DebugLoc(llvm::DILocation::get(context_, 0, 0, subprogram_))
          : llvm::DebugLoc());
}

void Translator::debug_instruction(const Instruction& instruction, bool is_shader) {
  new_id(instruction[2]).kind = IdKind::other;
  const auto number = instruction[4];
  const auto given = instruction.from(5);
  if (number == kDebugSource && !given.empty() && id(given[0]).kind == IdKind::text) {
    debug_sources_[instruction[2]] = text_of_id(given[0]);
    return;
  }
  if (!is_shader || function_ == 0)
    return;
  if (number == kDebugNoLine) {
    no_line();
  } else if (number == kDebugLine && given.size() >= 5 && given[0] < bound_) {
    const auto found = debug_sources_.find(given[0]);
    if (found == debug_sources_.end())
      return;
    const auto literal = [&](unsigned index) {
      return static_cast<unsigned>(constant_number(given[index], "a line or column"));
    };
    set_line(found->second, literal(1), literal(3));
  }
}

void Translator::finish_debug() {
  if (debug_)
    debug_->finalize();
  debug_.reset();
}

} // namespace heddle::compiler::spirv
