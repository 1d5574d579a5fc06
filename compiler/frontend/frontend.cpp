// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/frontend.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "compiler/frontend/builtin_aliases.h"
#include "compiler/frontend/extra_extensions.h"
#include "compiler/frontend/file_system.h"
#include "compiler/frontend/function_pointers.h"
#include "compiler/frontend/global_objects.h"
#include "compiler/frontend/invocation.h"
#include "compiler/frontend/language_rules.h"
#include "compiler/frontend/limit_watcher.h"
#include "compiler/frontend/unchecked_attributes.h"
#include "compiler/frontend/vector_literals.h"
#include "compiler/support/build.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {
namespace {

// Parses, and generates IR in the build's context; no passes are run.
class EmitModuleAction : public clang::ASTFrontendAction {
 public:
  explicit EmitModuleAction(Build& build) : build_(build) {}
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& instance) override {
    watch_limits(instance.getPreprocessor(), build_);
    add_builtin_aliases(instance);
    if (build_.request.extensions != nullptr)
      accept_extra_pragmas(instance.getPreprocessor(), build_.request.extensions);
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef file) override {
    auto generator = clang::CreateLLVMCodeGen(instance, file, build_.context);
    generator_ = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(check_language_rules(instance.getDiagnostics()));
    consumers.push_back(put_swizzles_in_parentheses());
    consumers.push_back(std::move(generator));
    consumers.push_back(note_unchecked_functions(*generator_, instance.getDiagnostics()));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  void EndSourceFileAction() override { module_ = generator_->ReleaseModule(); }

 private:
  Build& build_;
  clang::CodeGenerator* generator_ = nullptr;
  std::unique_ptr<llvm::Module> module_;
};

// The files on disk that were included.
class Dependencies : public clang::DependencyCollector {
 public:
  bool sawDependency(llvm::StringRef file, bool from_module, bool is_system, bool is_module_file,
                     bool is_missing) override {
    return !is_missing && !file.starts_with("<") && !file.starts_with("/heddle-internal/");
  }
  bool needSystemDependencies() override { return true; }
};

void collect(const Dependencies& found, llvm::StringRef main_file,
             clang::CompilerInstance& instance, Build& build) {
  for (const auto& file : found.getDependencies()) {
    if (file == main_file)
      continue;
    llvm::SmallString<256> path(file);
    (void)instance.getVirtualFileSystem().makeAbsolute(path);
    build.dependencies.emplace_back(path.str());
  }
}

} // namespace

std::unique_ptr<llvm::Module> compile_source(Build& build) {
  clang::noteBottomOfStack(true);

  clang::DiagnosticOptions options;
  options.ShowColors = 0;
  options.IgnoreWarnings = llvm::is_contained(build.options.clang, "-w");
  llvm::raw_string_ostream log(build.log);
  auto files = make_file_system(build);

  std::shared_ptr<clang::CompilerInvocation> invocation;
  {
    clang::TextDiagnosticPrinter printer(log, options);
    clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, &printer, false);
    invocation = make_invocation(build, diagnostics);
    if (!invocation) {
      build.failed = true;
      return nullptr;
    }
  }

  const std::string name =
      build.request.source_name != nullptr ? build.request.source_name : "program.cl";
  auto source = llvm::MemoryBuffer::getMemBufferCopy(
      {static_cast<const char*>(build.request.source.data), build.request.source.size}, name);
  auto& inputs = invocation->getFrontendOpts().Inputs;
  if (invocation->getLangOpts().Sanitize.empty()) {
    inputs = {clang::FrontendInputFile(source->getMemBufferRef(), clang::Language::OpenCL)};
  } else { // Clang asks for the name of the main file, which buffers do not have
    inputs = {clang::FrontendInputFile(name, clang::Language::OpenCL)};
    invocation->getPreprocessorOpts().addRemappedFile(name, source.release());
  }
  invocation->getDiagnosticOpts().ShowColors = 0;

  clang::CompilerInstance instance(invocation);
  instance.setVirtualFileSystem(files);
  instance.createDiagnostics(new clang::TextDiagnosticPrinter(log, instance.getDiagnosticOpts()),
                             true);
  instance.createFileManager();
  instance.setVerboseOutputStream(llvm::nulls());
  auto dependencies = std::make_shared<Dependencies>();
  instance.addDependencyCollector(dependencies);

  EmitModuleAction action(build);
  const bool ok = instance.ExecuteAction(action);
  collect(*dependencies, name, instance, build);
  auto module = action.take_module();
  if (!ok || instance.getDiagnostics().hasErrorOccurred() || !module)
    build.failed = true;
  if (build.failed)
    return nullptr;
  correct_global_objects(*module);
  if (is_cxx(build) && !check_no_function_pointers(*module, build))
    return nullptr;
  return module;
}

} // namespace heddle::compiler
