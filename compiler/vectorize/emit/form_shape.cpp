// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/emit/form_shape.h"

namespace heddle::compiler {

std::string FormShape::text() const {
  auto result = std::to_string(width) + (masked ? "m" : "");
  for (const auto& argument : arguments)
    switch (argument.kind) {
    case FormArgument::Kind::uniform:
      result += ".u";
      break;
    case FormArgument::Kind::strided:
      result += ".s" + std::to_string(argument.stride);
      break;
    case FormArgument::Kind::lanes:
      result += ".v";
      break;
    }
  return result;
}

FormShape FormShape::from_text(llvm::StringRef text) {
  FormShape shape;
  auto [lanes, rest] = text.split('.');
  shape.masked = lanes.consume_back("m");
  lanes.getAsInteger(10, shape.width);
  while (!rest.empty()) {
    llvm::StringRef one;
    std::tie(one, rest) = rest.split('.');
    FormArgument argument;
    if (one == "u") {
      argument.kind = FormArgument::Kind::uniform;
    } else if (one.consume_front("s")) {
      argument.kind = FormArgument::Kind::strided;
      one.getAsInteger(10, argument.stride);
    }
    shape.arguments.push_back(argument);
  }
  return shape;
}

} // namespace heddle::compiler
