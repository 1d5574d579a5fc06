// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/build_options.h"

#include "compiler/interface/build_options.h"

namespace heddle::compiler {

Options Options::parse(llvm::ArrayRef<const char*> words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto* option = find_build_option(word);
    if (option == nullptr)
      continue;
    switch (option->effect) {
    case OptionEffect::clang:
      options.clang.emplace_back(word);
      if (option->match == OptionMatch::value && word == option->spelling && i + 1 < words.size())
        options.clang.back() += words[++i];
      break;
    case OptionEffect::uniform_groups:
      options.clang.emplace_back(word);
      options.uniform_groups = true;
      break;
    case OptionEffect::flush_denormals:
      options.clang.emplace_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
      break;
    case OptionEffect::zero_private:
      options.clang.emplace_back("-ftrivial-auto-var-init=zero");
      break;
    case OptionEffect::language:
      options.language = word.substr(option->spelling.size());
      break;
    case OptionEffect::no_optimization:
      options.optimize = false;
      break;
    case OptionEffect::debug_info:
      options.debug = true;
      break;
    case OptionEffect::explain:
      options.explain = true;
      break;
    case OptionEffect::none:
    case OptionEffect::create_library:
    case OptionEffect::link_options:
    case OptionEffect::dropped:
      break;
    }
  }
  return options;
}

} // namespace heddle::compiler
