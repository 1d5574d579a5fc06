// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/differential/runner/case_file.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::differential {
namespace {

std::vector<unsigned char> bytes_of_hex(const std::string& digits) {
  std::vector<unsigned char> bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<unsigned char>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

Fill read_fill(std::istringstream& words, uint64_t& seed) {
  std::string name;
  words >> name;
  if (name == "zero")
    return Fill::Zero;
  words >> seed;
  if (name == "random")
    return Fill::Random;
  if (name == "permutation")
    return Fill::Permutation;
  throw std::runtime_error("unknown contents '" + name + "'");
}

Argument read_argument(std::istringstream& words) {
  Argument argument;
  std::string kind;
  words >> kind >> argument.type;
  if (kind == "value") {
    std::string digits;
    words >> digits;
    argument.kind = ArgumentKind::Value;
    argument.value = bytes_of_hex(digits);
    return argument;
  }
  words >> argument.count;
  scalar_size(argument.type);
  if (kind == "local") {
    argument.kind = ArgumentKind::Local;
    return argument;
  }
  if (kind == "image1" || kind == "image4") {
    argument.kind = ArgumentKind::Image;
    argument.channels = kind == "image1" ? 1 : 4;
  } else if (kind == "in")
    argument.kind = ArgumentKind::In;
  else if (kind == "out")
    argument.kind = ArgumentKind::Out;
  else if (kind == "check")
    argument.kind = ArgumentKind::Check;
  else if (kind == "scratch")
    argument.kind = ArgumentKind::Scratch;
  else
    throw std::runtime_error("unknown argument '" + kind + "'");
  argument.fill = read_fill(words, argument.seed);
  return argument;
}

// "3 24 8 1": as many values as the launch has dimensions.
std::array<size_t, 3> read_sizes(std::istringstream& words, unsigned dimensions, size_t rest) {
  std::array<size_t, 3> sizes{rest, rest, rest};
  for (unsigned i = 0; i != dimensions; ++i)
    words >> sizes[i];
  return sizes;
}

Launch read_launch(std::istringstream& words) {
  Launch launch;
  words >> launch.kernel;
  for (std::string word; words >> word;) {
    if (word == "dims")
      words >> launch.dimensions;
    else if (word == "global")
      launch.global = read_sizes(words, launch.dimensions, 1);
    else if (word == "local")
      launch.local = read_sizes(words, launch.dimensions, 1);
    else if (word == "offset")
      launch.offset = read_sizes(words, launch.dimensions, 0);
    else
      throw std::runtime_error("unknown word '" + word + "' in a launch");
  }
  if (launch.dimensions < 1 || launch.dimensions > 3)
    throw std::runtime_error("a launch has one to three dimensions");
  return launch;
}

} // namespace

size_t scalar_size(const std::string& type) {
  if (type == "char" || type == "uchar")
    return 1;
  if (type == "short" || type == "ushort" || type == "half")
    return 2;
  if (type == "int" || type == "uint" || type == "float")
    return 4;
  if (type == "long" || type == "ulong" || type == "double")
    return 8;
  throw std::runtime_error("unknown type '" + type + "'");
}

CaseFile read_case_file(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  CaseFile result;
  for (std::string line; std::getline(file, line);) {
    result.source += line + '\n';
    if (line.rfind("//! ", 0) != 0)
      continue;
    std::istringstream words(line.substr(4));
    std::string what;
    words >> what;
    if (what == "options")
      std::getline(words >> std::ws, result.options);
    else if (what == "kernel")
      result.launches.push_back(read_launch(words));
    else if (what == "arg" && !result.launches.empty())
      result.launches.back().arguments.push_back(read_argument(words));
    else
      throw std::runtime_error("unknown directive: " + line);
    if (words.bad() || (what != "options" && !words.eof() && words.fail()))
      throw std::runtime_error("bad directive: " + line);
  }
  return result;
}

} // namespace heddle::differential
