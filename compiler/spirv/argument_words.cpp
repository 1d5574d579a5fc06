// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/argument_words.h"

#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace heddle::compiler::spirv {
namespace {

constexpr unsigned kMaxDots = 16;    // of a string, behind which a kernel's name may end
constexpr unsigned kMaxPointers = 8; // to pointers; one may be declared to point to itself

std::string number_word(const Type& type) {
  if (type.op == spv::Op::OpTypeFloat)
    return type.bytes == 2 ? "half" : type.bytes == 4 ? "float" : "double";
  if (type.op == spv::Op::OpTypeBool)
    return "bool";
  return type.bytes == 1 ? "char" : type.bytes == 2 ? "short" : type.bytes == 4 ? "int" : "long";
}

// Of the name that Clang gives a structure: "struct.Pair", and ".1" behind it for another one.
std::string structure_word(llvm::StringRef name) {
  if (name.empty())
    return "struct";
  const auto [front, last] = name.rsplit('.');
  if (!last.empty() && llvm::all_of(last, [](char c) { return llvm::isDigit(c); }))
    name = front;
  if (name.consume_front("struct."))
    return ("struct " + name).str();
  if (name.consume_front("union."))
    return ("union " + name).str();
  name.consume_front("class.");
  return name.str();
}

} // namespace

void note_argument_words(llvm::StringRef text, llvm::StringMap<llvm::StringRef>& texts) {
  if (!text.starts_with("kernel_arg_type"))
    return;
  auto dot = text.find('.');
  for (unsigned i = 0; i < kMaxDots && dot != llvm::StringRef::npos; ++i) {
    dot = text.find('.', dot + 1);
    if (dot != llvm::StringRef::npos)
      texts.try_emplace(text.take_front(dot), text.drop_front(dot + 1));
  }
}

llvm::SmallVector<llvm::StringRef, 8> split_words(llvm::StringRef list, std::size_t count) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  int depth = 0; // of template arguments
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    depth += list[i] == '<' ? 1 : list[i] == '>' ? -1 : 0;
    if (list[i] != ',' || depth > 0)
      continue;
    words.push_back(list.slice(begin, i));
    begin = i + 1;
  }
  if (begin < list.size())
    words.push_back(list.substr(begin));
  if (words.size() != count)
    words.clear();
  return words;
}

llvm::StringRef argument_words(Translation& t, llvm::StringRef prefix, llvm::StringRef kernel) {
  return t.kernel_texts.lookup((prefix + "." + kernel).str());
}

// A type's name as OpenCL C has it. SPIR-V does not tell whether integers are signed, of which the
// name is that of the signed type.
std::string type_word(const Translation& t, Word number) {
  std::string pointers, bounds;
  while (t.type(number).op == spv::Op::OpTypePointer) {
    pointers += '*';
    if (t.type(number).element == 0 || pointers.size() > kMaxPointers)
      return "void" + pointers;
    number = t.type(number).element;
  }
  for (; t.type(number).op == spv::Op::OpTypeArray; number = t.type(number).element)
    bounds += '[' + std::to_string(t.type(number).count) + ']';
  if (!bounds.empty())
    pointers = pointers.empty() ? bounds : " (" + pointers + ')' + bounds;
  const auto& found = t.type(number);
  const auto word = [&]() -> std::string {
    switch (found.op) {
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return number_word(found);
    case spv::Op::OpTypeVector:
      return number_word(t.type(found.element)) + std::to_string(found.count);
    case spv::Op::OpTypeStruct:
      return structure_word(t.name(number));
    case spv::Op::OpTypePipe:
      return "pipe";
    case spv::Op::OpTypeImage:
      return image_word(t, found) + "_t";
    case spv::Op::OpTypeSampler:
      return "sampler_t";
    case spv::Op::OpTypeQueue:
      return "queue_t";
    default:
      return "void";
    }
  };
  return word() + pointers;
}

} // namespace heddle::compiler::spirv
