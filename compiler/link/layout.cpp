// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/link/layout.h"

#include "compiler/target/elf.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace heddle::compiler::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t kSmallestPage = 4096;

enum class Part { read_only, code, relocated, written, not_loaded };
constexpr Part kParts[] = {Part::read_only, Part::code, Part::relocated, Part::written,
                           Part::not_loaded};
const auto kLoaded = llvm::ArrayRef(kParts).drop_back();

Part part(const OutputSection& section) {
  if (!section.has(SHF_ALLOC))
    return Part::not_loaded;
  if (section.has(SHF_EXECINSTR))
    return Part::code;
  if (!section.has(SHF_WRITE))
    return Part::read_only;
  const bool is_relocated =
      section.name == ".data.rel.ro" || section.name == ".dynamic" || section.name == ".got";
  return is_relocated ? Part::relocated : Part::written;
}

std::uint32_t access(Part part) {
  switch (part) {
  case Part::code:
    return PF_R | PF_X;
  case Part::relocated:
  case Part::written:
    return PF_R | PF_W;
  case Part::read_only:
  case Part::not_loaded:
    break;
  }
  return PF_R;
}

// Of one section that has a segment of its own.
struct Described {
  llvm::StringLiteral section;
  std::uint32_t segment;
};
constexpr Described kDescribed[] = {
    {".dynamic", PT_DYNAMIC}, {".eh_frame_hdr", PT_GNU_EH_FRAME}, {".note.gnu.build-id", PT_NOTE}};

class Builder {
 public:
  explicit Builder(OutputSections& sections) {
    for (const auto wanted : kParts)
      for (const bool has_content : {true, false}) // what has none in the file ends its part
        for (auto& section : sections)
          if (part(section) == wanted && section.has_content() == has_content)
            layout_.sections.push_back(&section);
    std::uint32_t index = 1;
    for (auto* section : layout_.sections)
      section->index = index++;
  }

  Layout build() {
    offset_ = address_ = sizeof(Elf64_Ehdr) + count_segments() * sizeof(Elf64_Phdr);
    for (const auto loaded : kLoaded)
      place(loaded);
    for (auto* section : layout_.sections)
      if (part(*section) == Part::not_loaded) {
        section->offset = llvm::alignTo(offset_, section->alignment);
        offset_ = section->offset + section->content.size();
      }
    describe();
    layout_.section_headers = llvm::alignTo(offset_, alignof(Elf64_Shdr));
    layout_.size = layout_.section_headers + (layout_.sections.size() + 1) * sizeof(Elf64_Shdr);
    return std::move(layout_);
  }

 private:
  auto of(Part wanted) const {
    return llvm::make_filter_range(
        layout_.sections, [=](const OutputSection* section) { return part(*section) == wanted; });
  }
  bool has(Part wanted) const { return !of(wanted).empty(); }

  std::size_t count_segments() const {
    auto count =
        static_cast<std::size_t>(llvm::count_if(kLoaded, [&](Part loaded) { return has(loaded); }));
    for (const auto& described : kDescribed)
      count += find(described.section) != nullptr;
    return count + has(Part::relocated) + 1; // and the stack's
  }

  const OutputSection* find(llvm::StringRef name) const {
    const auto found = llvm::find_if(
        layout_.sections, [&](const OutputSection* section) { return section->name == name; });
    return found == layout_.sections.end() ? nullptr : *found;
  }

  // One PT_LOAD. The headers are in the first.
  void place(Part loaded) {
    if (!has(loaded))
      return;
    const bool is_first = loaded == Part::read_only;
    std::uint64_t alignment = kArchitecture.largest_page;
    for (const auto* section : of(loaded))
      alignment = std::max(alignment, section->alignment);
    if (!is_first) { // on pages of its own, and at the same place of a page as in the file
      offset_ = llvm::alignTo(offset_, (*of(loaded).begin())->alignment);
      address_ = llvm::alignTo(address_, alignment) + offset_ % alignment;
    }
    Elf64_Phdr segment{};
    segment.p_type = PT_LOAD;
    segment.p_flags = access(loaded);
    segment.p_align = alignment;
    segment.p_offset = is_first ? 0 : offset_;
    segment.p_vaddr = segment.p_paddr = is_first ? 0 : address_;
    for (auto* section : of(loaded)) {
      const auto start = llvm::alignTo(address_, section->alignment);
      if (section->has_content())
        offset_ += start - address_;
      section->address = start;
      section->offset = offset_;
      address_ = start + section->size();
      if (section->has_content())
        offset_ += section->size();
    }
    segment.p_filesz = offset_ - segment.p_offset;
    segment.p_memsz = address_ - segment.p_vaddr;
    layout_.segments.push_back(segment);
    if (loaded == Part::relocated)
      relocated_ = segment;
  }

  void describe() {
    for (const auto& [name, type] : kDescribed) {
      const auto* section = find(name);
      if (section == nullptr)
        continue;
      Elf64_Phdr segment{};
      segment.p_type = type;
      segment.p_flags = access(part(*section));
      segment.p_align = section->alignment;
      segment.p_offset = section->offset;
      segment.p_vaddr = segment.p_paddr = section->address;
      segment.p_filesz = segment.p_memsz = section->size();
      layout_.segments.push_back(segment);
    }
    if (has(Part::relocated)) { // those pages are protected that are whole
      relocated_.p_type = PT_GNU_RELRO;
      relocated_.p_flags = PF_R;
      relocated_.p_align = 1;
      relocated_.p_memsz = llvm::alignTo(relocated_.p_vaddr + relocated_.p_memsz, kSmallestPage) -
                           relocated_.p_vaddr;
      layout_.segments.push_back(relocated_);
    }
    Elf64_Phdr stack{};
    stack.p_type = PT_GNU_STACK;
    stack.p_flags = PF_R | PF_W;
    layout_.segments.push_back(stack);
  }

  Layout layout_;
  std::uint64_t offset_ = 0;
  std::uint64_t address_ = 0;
  Elf64_Phdr relocated_{};
};

} // namespace

Layout lay_out(OutputSections& sections) { return Builder(sections).build(); }

} // namespace heddle::compiler::elf
