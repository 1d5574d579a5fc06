// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information: OpLine, OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo. Instructions
// are kept as they are read, and become metadata where a location or a variable needs them.
#pragma once

#include "compiler/spirv/instruction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DIBuilder.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace heddle::compiler::spirv {

struct Translation;

class DebugInfo {
 public:
  explicit DebugInfo(Translation& t) : t_(t) {}

  // debug_lines.cpp
  void source(const Instruction& instruction);
  void line(const Instruction& instruction);
  void no_line();
  void debug_instruction(const Instruction& instruction, bool is_shader);
  void begin_function_lines(std::size_t body, llvm::Function& function);
  void end_scope();
  void finish_debug();

 private:
  void set_line(llvm::StringRef path, unsigned line, unsigned column);
  std::pair<llvm::StringRef, unsigned> first_line(std::size_t body, Word* called = nullptr);
  bool leads_here(const llvm::DILocalScope* scope, const llvm::DILocation* site) const;
  void begin_scope(Word scope, Word inlined_at);
  llvm::DIFile* debug_file(llvm::StringRef path);

  // debug_scopes.cpp
  struct DebugEntry {
    Word number = 0;
    bool is_shader = false;
    Words operands;
  };
  const DebugEntry* debug_entry(Word id) const;
  std::optional<std::uint64_t> debug_constant(Word id) const;
  std::optional<std::uint64_t> debug_constant(const DebugEntry& entry, std::size_t index) const;
  unsigned debug_number(const DebugEntry& entry, std::size_t index) const;
  llvm::StringRef debug_text(const DebugEntry& entry, std::size_t index) const;
  llvm::DIFile* debug_file_of(const DebugEntry& entry, std::size_t index);
  llvm::DISubprogram* debug_function(const DebugEntry& entry);
  llvm::DILocalScope* debug_scope(Word id, unsigned depth);
  llvm::DILocation* debug_call_site(Word id, unsigned depth);
  llvm::DISubprogram* debug_function_of(Word function, std::size_t body);
  // debug_types.cpp
  struct DebugType {
    llvm::DIType* type = nullptr; // null: void, or not known
    std::uint64_t bits = 0;       // 0 if they are not known
    bool is_object = false;       // what a variable may have: neither void nor a function
  };
  DebugType debug_type(Word id, unsigned depth);
  DebugType make_debug_type(Word id, const DebugEntry& entry, unsigned depth);
  DebugType debug_basic_type(const DebugEntry& entry);
  DebugType debug_array_type(const DebugEntry& entry, unsigned depth);
  llvm::DISubroutineType* debug_function_type(const DebugEntry& entry, unsigned depth);
  llvm::DIScope* debug_type_scope(const DebugEntry& entry, std::size_t index, unsigned depth);
  // debug_composites.cpp
  static llvm::DINode::DIFlags debug_flags(unsigned flags);
  DebugType debug_enumeration(const DebugEntry& entry, unsigned depth);
  DebugType debug_composite(Word id, const DebugEntry& entry, unsigned depth);
  llvm::DIDerivedType* debug_member(Word id, llvm::DICompositeType* owner);
  void complete_debug_types();
  // debug_variables.cpp
  llvm::DIExpression* debug_expression(Word id);
  llvm::DILocalVariable* debug_local_variable(Word id, unsigned depth);
  llvm::DIGlobalVariableExpression* debug_global_variable(Word id, unsigned depth);
  llvm::DIVariable* debug_variable(Word id, unsigned depth);
  void describe_variable(const DebugEntry& record);
  void describe_global_variables();

  Translation& t_;
  std::unique_ptr<llvm::DIBuilder> debug_;
  llvm::DICompileUnit* unit_ = nullptr;
  llvm::StringRef source_file_;
  IdMap<llvm::StringRef> debug_sources_; // DebugSource: its file
  llvm::StringMap<llvm::DIFile*> debug_files_;
  IdMap<DebugEntry> debug_entries_;
  IdMap<Word> debug_definitions_; // of OpFunction: its DebugFunction
  IdMap<llvm::DILocalScope*> debug_scopes_;
  IdMap<llvm::DILocation*> debug_call_sites_;
  llvm::DenseSet<const llvm::DISubprogram*> described_; // those that a function has
  llvm::DISubprogram* subprogram_ = nullptr;            // of the function
  llvm::DILocalScope* scope_ = nullptr;                 // of DebugScope
  llvm::DILocation* call_site_ = nullptr;
  llvm::StringRef place_path_; // of the current line
  // With -g.
  IdMap<DebugType> debug_types_;
  IdMap<llvm::DINamespace*> debug_namespaces_;
  std::vector<std::pair<llvm::DICompositeType*, Word>> open_composites_; // without members yet
  std::vector<std::pair<llvm::DISubprogram*, Word>> open_functions_;     // without signatures yet
  IdMap<llvm::DILocalVariable*> debug_locals_;
  IdMap<llvm::DIGlobalVariableExpression*> debug_globals_;
  std::vector<Word> debug_global_numbers_;
  // Of the function.
  llvm::DenseMap<unsigned, const llvm::DILocalVariable*> arguments_;
  llvm::DenseSet<std::pair<const llvm::DILocalVariable*, const llvm::DILocation*>>
      declared_variables_;
};

} // namespace heddle::compiler::spirv
