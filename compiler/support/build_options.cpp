#include "compiler/support/build_options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace heddle::compiler {
namespace {

constexpr llvm::StringLiteral kPassedOn[] = {
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
    "-w",
    "-Werror",
};

} // namespace

Options Options::parse(llvm::ArrayRef<const char*> words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    if ((word == "-D" || word == "-I") && i + 1 < words.size()) {
      options.clang.push_back(std::string(words[i]) + words[i + 1]);
      ++i;
    } else if (word.starts_with("-D") || word.starts_with("-I") ||
               llvm::is_contained(kPassedOn, word)) {
      options.clang.push_back(word.str());
    } else if (word == "-cl-denorms-are-zero") {
      options.clang.emplace_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
    } else if (word.consume_front("-cl-std=")) {
      options.language = word.str();
    } else if (word == "-cl-opt-disable") {
      options.optimize = false;
    } else if (word == "-heddle-explain") {
      options.explain = true;
    } else if (word == "-g") {
      options.debug = true;
    }
  }
  return options;
}

} // namespace heddle::compiler
