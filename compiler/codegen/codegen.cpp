#include "compiler/codegen/codegen.h"

#include "compiler/codegen/stack_sizes.h"
#include "compiler/support/build.h"
#include "compiler/support/fatal_errors.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"

namespace heddle::compiler {
namespace {

// Receives the frame sizes, and errors of code generation for the log.
class CodegenDiagnostics : public llvm::DiagnosticHandler {
 public:
  CodegenDiagnostics(Build& build, FrameSizes& frames) : build_(build), frames_(frames) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (const auto* stack = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info))
      frames_[&stack->getFunction()] = stack->getStackSize();
    else
      build_.take_errors(info);
    return true;
  }

 private:
  Build& build_;
  FrameSizes& frames_;
};

} // namespace

// Scheduling and register allocation at the usual level take time with the square of a function's
// size; past this size the level below is used, which is linear.
constexpr unsigned kLargestScheduled = 8'000;

bool generate_code(llvm::Module& module, llvm::TargetMachine& target, Build& build,
                   Kernels& kernels, llvm::SmallVectorImpl<char>& object) {
  FrameSizes frames;
  for (auto& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", "0"); // report every frame
  build.context.setDiagnosticHandler(std::make_unique<CodegenDiagnostics>(build, frames));
  // Between two passes of a function there is nobody to return to: a build past its limits is left
  // the way a fatal error is.
  build.context.setYieldCallback(
      [](llvm::LLVMContext*, void* opaque) {
        auto& limits = static_cast<Build*>(opaque)->limits;
        if (const char* message = limits.exceeded())
          raise_fatal(message);
      },
      &build);
  if (llvm::any_of(module, [](const llvm::Function& function) {
        return function.getInstructionCount() > kLargestScheduled;
      }))
    target.setOptLevel(std::min(target.getOptLevel(), llvm::CodeGenOptLevel::Less));
  llvm::legacy::PassManager passes;
  llvm::raw_svector_ostream stream(object);
  const bool unsupported =
      target.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile);
  if (!unsupported)
    passes.run(module);
  build.context.setYieldCallback(nullptr, nullptr);
  if (unsupported)
    return build.error("the code generator cannot write object files");
  for (auto& kernel : kernels)
    set_stack_sizes(kernel, frames);
  build.context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
  return !build.failed;
}

} // namespace heddle::compiler
