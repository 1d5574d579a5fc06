// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/mangled_name.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

using TypeKind = MangledType::Kind;

MangledTypeRef make(TypeKind kind, std::string text, unsigned lanes = 0,
                    MangledTypeRef inner = nullptr) {
  auto type = std::make_shared<MangledType>();
  type->kind = kind;
  type->text = std::move(text);
  type->lanes = lanes;
  type->inner = std::move(inner);
  return type;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(llvm::StringRef text) : rest_(text) {}

  std::optional<MangledName> name() {
    MangledName result;
    if (!rest_.consume_front("_Z") || !source_name(result.function))
      return std::nullopt;
    while (!rest_.empty()) {
      auto parameter = type();
      if (!parameter)
        return std::nullopt;
      result.parameters.push_back(std::move(parameter));
    }
    return result;
  }

 private:
  // <length> <identifier>
  bool source_name(std::string& name) {
    std::size_t length = 0;
    if (rest_.consumeInteger(10, length) || length == 0 || length > rest_.size())
      return false;
    name = rest_.take_front(length).str();
    rest_ = rest_.drop_front(length);
    return true;
  }

  MangledTypeRef remember(MangledTypeRef type) {
    if (type)
      substitutions_.push_back(type);
    return type;
  }

  // S_ is the first substitution, S0_ the second, and so on in base 36.
  MangledTypeRef substitution() {
    std::size_t index = 0;
    if (!rest_.starts_with("_")) {
      while (!rest_.empty() && rest_.front() != '_') {
        const char c = rest_.front();
        if (!is_digit(c) && !(c >= 'A' && c <= 'Z'))
          return nullptr;
        index = index * 36 + (is_digit(c) ? c - '0' : c - 'A' + 10);
        if (index > substitutions_.size())
          return nullptr;
        rest_ = rest_.drop_front();
      }
      ++index;
    }
    if (!rest_.consume_front("_") || index >= substitutions_.size())
      return nullptr;
    return substitutions_[index];
  }

  // Address spaces and other vendor qualifiers, then volatile and const.
  std::string qualifiers() {
    std::string text;
    for (;;) {
      if (rest_.consume_front("U")) {
        std::string name;
        if (!source_name(name))
          return {};
        text.append("U").append(std::to_string(name.size())).append(name);
      } else if (!rest_.empty() && llvm::is_contained({'V', 'K', 'r'}, rest_.front())) {
        text += rest_.front();
        rest_ = rest_.drop_front();
      } else {
        return text;
      }
    }
  }

  MangledTypeRef type() {
    if (++depth_ > 64 || rest_.empty())
      return nullptr;
    if (rest_.consume_front("S"))
      return substitution();
    if (rest_.consume_front("P")) {
      auto pointee = type();
      return pointee ? remember(make(TypeKind::pointer, "", 0, std::move(pointee))) : nullptr;
    }
    if (rest_.consume_front("Dv")) {
      unsigned lanes = 0;
      if (rest_.consumeInteger(10, lanes) || !rest_.consume_front("_"))
        return nullptr;
      auto component = type();
      return component ? remember(make(TypeKind::vector, "", lanes, std::move(component)))
                       : nullptr;
    }
    if (rest_.consume_front("Dh"))
      return make(TypeKind::scalar, "Dh");
    if (is_digit(rest_.front())) {
      std::string name;
      if (!source_name(name))
        return nullptr;
      const std::string text = std::to_string(name.size()) + name;
      // Clang's OpenCL types are builtin types: they are no candidates for substitution.
      if (llvm::StringRef(name).starts_with("ocl_"))
        return make(TypeKind::scalar, text);
      return remember(make(TypeKind::named, text));
    }
    if (llvm::is_contained({'U', 'V', 'K', 'r'}, rest_.front())) {
      auto text = qualifiers();
      auto inner = text.empty() ? nullptr : type();
      return inner ? remember(make(TypeKind::qualified, std::move(text), 0, std::move(inner)))
                   : nullptr;
    }
    if (!llvm::StringRef("vbcahstijlmfdz").contains(rest_.front()))
      return nullptr;
    auto scalar = make(TypeKind::scalar, std::string(1, rest_.front()));
    rest_ = rest_.drop_front();
    return scalar;
  }

  llvm::StringRef rest_;
  std::vector<MangledTypeRef> substitutions_;
  unsigned depth_ = 0;
};

class Mangler {
 public:
  void add(const MangledType& type) {
    if (type.kind == TypeKind::scalar) {
      text_ += type.text;
      return;
    }
    const auto spelling = type.spelling();
    const auto found = std::find(seen_.begin(), seen_.end(), spelling);
    if (found != seen_.end()) {
      text_ += substitution(static_cast<std::size_t>(found - seen_.begin()));
      return;
    }
    switch (type.kind) {
    case TypeKind::pointer:
      text_ += "P";
      break;
    case TypeKind::vector:
      text_.append("Dv").append(std::to_string(type.lanes)).append("_");
      break;
    default:
      text_ += type.text;
      break;
    }
    if (type.inner)
      add(*type.inner);
    seen_.push_back(spelling);
  }
  std::string take() { return std::move(text_); }

 private:
  static std::string substitution(std::size_t index) {
    if (index == 0)
      return "S_";
    std::string digits;
    for (--index; digits.empty() || index != 0; index /= 36)
      digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index % 36]);
    return digits.insert(0, 1, 'S').append("_");
  }

  std::string text_;
  std::vector<std::string> seen_;
};

// convert_float4_rte -> convert_float_rte; other names are unchanged.
std::string without_width(llvm::StringRef name) {
  if (!name.starts_with("convert_"))
    return name.str();
  const auto begin = name.find_first_of("0123456789");
  if (begin == llvm::StringRef::npos)
    return name.str();
  const auto end = name.find_first_not_of("0123456789", begin);
  return name.take_front(begin).str() +
         (end == llvm::StringRef::npos ? std::string() : name.drop_front(end).str());
}

MangledTypeRef component(const MangledTypeRef& type) {
  switch (type->kind) {
  case TypeKind::vector:
    return type->inner;
  case TypeKind::pointer:
  case TypeKind::qualified: {
    auto inner = component(type->inner);
    return inner == type->inner ? type : make(type->kind, type->text, 0, std::move(inner));
  }
  default:
    return type;
  }
}

} // namespace

std::string MangledType::spelling() const {
  switch (kind) {
  case TypeKind::pointer:
    return std::string("P").append(inner->spelling());
  case TypeKind::vector:
    return std::string("Dv").append(std::to_string(lanes)).append("_").append(inner->spelling());
  case TypeKind::qualified:
    return text + inner->spelling();
  default:
    return text;
  }
}

std::optional<MangledName> MangledName::parse(llvm::StringRef name) { return Parser(name).name(); }

std::string MangledName::mangle() const {
  Mangler mangler;
  for (const auto& parameter : parameters)
    mangler.add(*parameter);
  return "_Z" + std::to_string(function.size()) + function + mangler.take();
}

unsigned vector_lanes(const MangledType& type) {
  if (type.kind == TypeKind::vector)
    return type.lanes;
  return type.kind == TypeKind::pointer || type.kind == TypeKind::qualified
             ? vector_lanes(*type.inner)
             : 0;
}

std::optional<MangledName> scalar_overload(const MangledName& name) {
  if (llvm::none_of(name.parameters, [](const auto& type) { return vector_lanes(*type) != 0; }))
    return std::nullopt;
  MangledName scalar;
  scalar.function = without_width(name.function);
  for (const auto& parameter : name.parameters)
    scalar.parameters.push_back(component(parameter));
  return scalar;
}

} // namespace heddle::compiler
