// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Source lines: OpLine, and the lines of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.
#include "compiler/spirv/debug_instructions.h"
#include "compiler/spirv/readers.h"
#include "compiler/support/build.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

#include <tuple>

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// A number of SPIR-V's source languages.
bool is_cxx(unsigned language) {
  switch (static_cast<spv::SourceLanguage>(language)) {
  case spv::SourceLanguage::OpenCL_CPP:
  case spv::SourceLanguage::CPP_for_OpenCL:
  case spv::SourceLanguage::SYCL:
    return true;
  default:
    return false;
  }
}

} // namespace

void DebugInfo::source(const Instruction& instruction) {
  if (instruction.size() > 3 && t_.id(instruction[3]).kind == IdKind::text)
    source_file_ = t_.text_of_id(instruction[3]);
}

llvm::DIFile* DebugInfo::debug_file(llvm::StringRef path) {
  auto*& file = debug_files_[path];
  if (file == nullptr)
    file = debug_->createFile(llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
  return file;
}

// Where a body's first line is; an empty path if it has none.
std::pair<llvm::StringRef, unsigned> DebugInfo::first_line(std::size_t body, Word* called) {
  for (auto at = body;;) {
    const auto next = t_.instruction_at(at);
    if (next.op == Op::OpFunctionEnd)
      return {};
    if (next.op == Op::OpFunctionCall && called != nullptr)
      *called = next[3];
    if (next.op == Op::OpLine)
      return {t_.text_of_id(next[1]), next[2]};
    if (next.op == Op::OpExtInst && t_.id(next[3]).kind == IdKind::set && next[4] == debug::kLine &&
        next.size() > 6 && next[5] < t_.bound)
      if (const auto found = debug_sources_.find(next[5]); found != debug_sources_.end()) {
        const auto& line = t_.id(next[6]);
        const auto* number =
            line.kind == IdKind::value ? llvm::dyn_cast<llvm::ConstantInt>(line.value) : nullptr;
        return {found->second,
                number != nullptr ? static_cast<unsigned>(number->getZExtValue()) : 0};
      }
    at += next.length;
  }
}

// A function has line numbers if its body has a line.
void DebugInfo::begin_function_lines(std::size_t body, llvm::Function& function) {
  subprogram_ = nullptr;
  scope_ = nullptr;
  call_site_ = nullptr;
  arguments_.clear();
  declared_variables_.clear();
  t_.builder.SetCurrentDebugLocation({});
  Word called = 0;
  auto [path, first] = first_line(body, &called);
  // llvm-spirv makes kernels of which each calls a function with the code: debuggers see that one's
  // variables only inside of a function that has a place.
  if (path.empty() && t_.build.options.debug &&
      t_.entry_of_function.contains(t_.functions[t_.function_number - 1].id))
    if (const auto found =
            llvm::find_if(t_.functions, [&](const auto& other) { return other.id == called; });
        found != t_.functions.end() && found->body != 0)
      std::tie(path, first) = first_line(found->body);
  if (path.empty())
    return;
  if (!debug_) {
    debug_ = std::make_unique<llvm::DIBuilder>(*t_.module);
    unit_ = debug_->createCompileUnit(
        llvm::DISourceLanguageName(t_.is_described_as_cxx
                                       ? llvm::dwarf::DW_LANG_C_plus_plus_14 // as Clang has it
                                       : llvm::dwarf::DW_LANG_OpenCL),
        debug_file(source_file_.empty() ? path : source_file_), "Heddle", t_.build.options.optimize,
        "", 0, "",
        t_.build.options.debug ? llvm::DICompileUnit::FullDebug
                               : llvm::DICompileUnit::LineTablesOnly,
        0, false, false, llvm::DICompileUnit::DebugNameTableKind::None);
    t_.module->addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
    t_.module->addModuleFlag(llvm::Module::Warning, "Debug Info Version",
                             llvm::DEBUG_METADATA_VERSION);
  }
  auto* file = debug_file(path);
  subprogram_ = debug_function_of(t_.functions[t_.function_number - 1].id, body);
  if (subprogram_ == nullptr)
    subprogram_ =
        debug_->createFunction(file, function.getName(), "", file, first,
                               debug_->createSubroutineType(debug_->getOrCreateTypeArray({})),
                               first, llvm::DINode::FlagPrototyped,
                               llvm::DISubprogram::SPFlagDefinition |
                                   (t_.build.options.optimize ? llvm::DISubprogram::SPFlagOptimized
                                                              : llvm::DISubprogram::SPFlagZero));
  function.setSubprogram(subprogram_);
  no_line();
}

void DebugInfo::line(const Instruction& instruction) {
  const auto path = t_.text_of_id(instruction[1]);
  place_path_ = path;
  set_line(path, instruction[2], instruction[3]);
}

void DebugInfo::set_line(llvm::StringRef path, unsigned line, unsigned column) {
  if (subprogram_ == nullptr)
    return;
  auto* scope = scope_ != nullptr ? scope_ : subprogram_;
  if (auto* file = debug_file(path); file != scope->getFile())
    scope = debug_->createLexicalBlockFile(scope, file);
  t_.builder.SetCurrentDebugLocation(
      llvm::DILocation::get(t_.context, line, std::min(column, 0xFFFFu), scope,
                            scope_ != nullptr ? call_site_ : nullptr));
}

// Calls need a place where the function has places at all.
void DebugInfo::no_line() {
  t_.builder.SetCurrentDebugLocation(
      subprogram_ != nullptr && t_.function_number != 0
          ? llvm::DebugLoc(llvm::DILocation::get(t_.context, 0, 0, subprogram_))
          : llvm::DebugLoc());
}

// Whether a place is in the function, or in one that has been inlined into it.
bool DebugInfo::leads_here(const llvm::DILocalScope* scope, const llvm::DILocation* site) const {
  for (; site != nullptr; site = site->getInlinedAt())
    scope = site->getScope();
  return scope != nullptr && scope->getSubprogram() == subprogram_;
}

// DebugScope: instructions that follow are of a block or of a function that has been inlined. A
// scope that does not lead to this function is not used.
void DebugInfo::begin_scope(Word scope, Word inlined_at) {
  if (subprogram_ == nullptr)
    return;
  auto* made = debug_scope(scope, 0);
  auto* site = inlined_at != 0 ? debug_call_site(inlined_at, 0) : nullptr;
  const bool is_used = leads_here(made, site);
  scope_ = is_used ? made : nullptr;
  call_site_ = is_used ? site : nullptr;
  // The line stays, in the new scope.
  if (const auto& place = t_.builder.getCurrentDebugLocation(); place && place.getLine() != 0)
    set_line(place_path_, place.getLine(), place.getCol());
}

// A scope ends with its block.
void DebugInfo::end_scope() {
  scope_ = nullptr;
  call_site_ = nullptr;
}

void DebugInfo::debug_instruction(const Instruction& instruction, bool is_shader) {
  t_.new_id(instruction[2]).kind = IdKind::other;
  const auto number = instruction[4];
  const auto given = instruction.from(5);
  switch (number) {
  case debug::kSource:
    if (!given.empty() && t_.id(given[0]).kind == IdKind::text)
      debug_sources_[instruction[2]] = t_.text_of_id(given[0]);
    return;
  case debug::kFunction:
    // OpenCL.DebugInfo.100 names the function.
    if (!is_shader && given.size() > 9 && given[9] < t_.bound)
      debug_definitions_.try_emplace(given[9], instruction[2]);
    [[fallthrough]];
  case debug::kLexicalBlock:
  case debug::kLexicalBlockDiscriminator:
  case debug::kInlinedAt:
  case debug::kTypeTemplate:
    debug_entries_[instruction[2]] = {number, is_shader, given};
    return;
  case debug::kScope:
    if (t_.function_number != 0 && !given.empty())
      begin_scope(given[0], given.size() > 1 ? given[1] : 0);
    return;
  case debug::kNoScope:
    end_scope();
    return;
  case debug::kDeclare:
  case debug::kValue:
    if (t_.function_number != 0 && t_.build.options.debug)
      describe_variable({number, is_shader, given});
    return;
  case debug::kCompilationUnit:
    t_.is_described_as_cxx |=
        t_.build.options.debug && is_cxx(debug_number({number, is_shader, given}, 3));
    break;
  case debug::kGlobalVariable:
    debug_global_numbers_.push_back(instruction[2]);
    break;
  default:
    break;
  }
  if (t_.build.options.debug && number < debug::kFunctionDefinition)
    debug_entries_[instruction[2]] = {number, is_shader, given};
  if (!is_shader || t_.function_number == 0)
    return;
  if (number == debug::kNoLine) {
    no_line();
  } else if (number == debug::kLine && given.size() >= 5 && given[0] < t_.bound) {
    const auto found = debug_sources_.find(given[0]);
    if (found == debug_sources_.end())
      return;
    const auto literal = [&](unsigned index) {
      return static_cast<unsigned>(t_.constant_number(given[index], "a line or column"));
    };
    place_path_ = found->second;
    set_line(found->second, literal(1), literal(3));
  }
}

void DebugInfo::finish_debug() {
  if (debug_ && t_.build.options.debug) {
    describe_global_variables();
    complete_debug_types();
  }
  if (debug_)
    debug_->finalize();
  debug_.reset();
}

} // namespace heddle::compiler::spirv
