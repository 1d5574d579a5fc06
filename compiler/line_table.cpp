// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/interface/line_table.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

namespace {

using llvm::DILineInfo;
using llvm::DILineInfoSpecifier;

void ignore(llvm::Error error) { llvm::consumeError(std::move(error)); }

} // namespace

extern "C" __attribute__((visibility("default"))) int
heddle_find_lines(const heddle_blob* unit, const uint64_t* offsets, size_t count,
                  void (*found)(void* context, size_t index, const char* file, uint32_t line),
                  void* context) {
  const llvm::StringRef bytes(static_cast<const char*>(unit->data), unit->size);
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "unit"));
  if (!file) {
    ignore(file.takeError());
    return 0;
  }
  const auto dwarf = llvm::DWARFContext::create(
      **file, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", ignore, ignore);
  const DILineInfoSpecifier wanted(DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                   DILineInfoSpecifier::FunctionNameKind::None);
  for (size_t i = 0; i < count; ++i) {
    const auto frames = dwarf->getInliningInfoForAddress(
        {offsets[i], llvm::object::SectionedAddress::UndefSection}, wanted);
    for (uint32_t n = 0; n < frames.getNumberOfFrames(); ++n) {
      const auto& frame = frames.getFrame(n);
      if (frame.Line == 0 || frame.FileName == DILineInfo::BadString)
        continue; // of a function without debug information, which was inlined
      found(context, i, frame.FileName.c_str(), frame.Line);
      break;
    }
  }
  return 1;
}
