// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/eh_frame_header.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;
using namespace llvm::dwarf;

// Of a record: its length, without this field; the distance to its CIE, 0 if it is one itself; of a
// function's record the distance to the function, DW_EH_PE_pcrel | DW_EH_PE_sdata4, which is what
// code generation writes for position-independent code.
constexpr std::uint64_t kLengthSize = 4;
constexpr std::uint64_t kCieOffset = 4;
constexpr std::uint64_t kFunctionOffset = 8;
constexpr std::uint64_t kLeastFunctionRecord = 12;
constexpr std::uint64_t kHeaderSize = 12;
constexpr std::uint64_t kEntrySize = 8;

std::uint32_t word(const std::vector<char>& content, std::uint64_t offset) {
  return llvm::support::endian::read32le(content.data() + offset);
}

std::int32_t distance(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int32_t>(to - from);
}

} // namespace

llvm::Expected<EhFrameHeader> EhFrameHeader::add(OutputSections& outputs) {
  EhFrameHeader header;
  const auto frames =
      llvm::find_if(outputs, [](const auto& output) { return output.name == ".eh_frame"; });
  if (frames == outputs.end() || !frames->has_content())
    return header;
  header.frames_ = &*frames;
  auto& content = frames->content;
  for (std::uint64_t at = 0; at < content.size();) {
    const auto length = at + kLengthSize <= content.size() ? word(content, at) : 0;
    const auto end = at + kLengthSize + length;
    if (length < kLengthSize || end > content.size())
      return llvm::createStringError("the unwind information is damaged");
    if (word(content, at + kCieOffset) != 0) {
      if (length + kLengthSize < kLeastFunctionRecord)
        return llvm::createStringError("the unwind information is damaged");
      header.functions_.push_back(at);
    }
    at = end;
  }
  append(content, std::uint32_t{0}); // ends the records
  header.header_ = &outputs.emplace_back(".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, 4);
  header.header_->content.resize(kHeaderSize + kEntrySize * header.functions_.size());
  return header;
}

void EhFrameHeader::write() {
  if (header_ == nullptr)
    return;
  auto& content = header_->content;
  const std::uint8_t encodings[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                    DW_EH_PE_datarel | DW_EH_PE_sdata4};
  put(content, 0, encodings);
  put(content, 4, distance(header_->address + 4, frames_->address));
  put(content, 8, static_cast<std::uint32_t>(functions_.size()));
  std::vector<std::pair<std::int32_t, std::int32_t>> entries; // of function and record
  for (const auto record : functions_) {
    const auto field = record + kFunctionOffset;
    const auto function = frames_->address + field +
                          static_cast<std::uint64_t>(static_cast<std::int64_t>(
                              static_cast<std::int32_t>(word(frames_->content, field))));
    entries.emplace_back(distance(header_->address, function),
                         distance(header_->address, frames_->address + record));
  }
  llvm::sort(entries);
  auto offset = kHeaderSize;
  for (const auto& [function, record] : entries) {
    put(content, offset, function);
    put(content, offset + 4, record);
    offset += kEntrySize;
  }
}

} // namespace heddle::compiler::elf
