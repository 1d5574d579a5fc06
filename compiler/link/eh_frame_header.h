// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .eh_frame_hdr: where the unwind information of a function is.
#pragma once

#include "compiler/link/output_section.h"
#include "llvm/Support/Error.h"

namespace heddle::compiler::elf {

class EhFrameHeader {
 public:
  // Ends .eh_frame, if there is one, and adds .eh_frame_hdr in its final size.
  static llvm::Expected<EhFrameHeader> add(OutputSections& outputs);
  // Writes it, when .eh_frame is relocated.
  void write();
  const OutputSection* section() const { return header_; } // null without .eh_frame

 private:
  OutputSection* frames_ = nullptr;
  OutputSection* header_ = nullptr;
  std::vector<std::uint64_t> functions_; // offsets of the records of functions in .eh_frame
};

} // namespace heddle::compiler::elf
