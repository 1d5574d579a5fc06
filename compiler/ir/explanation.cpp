// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/explanation.h"

#include <algorithm>

namespace heddle::compiler {
namespace {

std::string text_of(const SourcePlace& place) {
  if (place.line == 0)
    return "";
  auto text = place.file;
  for (const auto number : {place.line, place.column})
    if (number != 0)
      text.append(":").append(std::to_string(number));
  return text.append(": ");
}

std::string text_of(const Remark& remark) {
  return text_of(remark.place) + remark.what + ": " + remark.why;
}

// In the order of the source, each once.
Remarks sorted(Remarks remarks) {
  std::sort(remarks.begin(), remarks.end());
  remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
  return remarks;
}

std::string counted(std::uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string width_of(const Kernel& kernel) {
  const auto& report = kernel.report;
  auto text = counted(kernel.metadata.vector_width, "work-item") + " wide: " + report.why_width;
  if (const auto rows = kernel.metadata.row_interleave; rows > 1)
    text += "; " + std::to_string(rows) + " sub-groups side by side";
  const auto& size = kernel.local_size;
  if (kernel.specialization.has_local_size())
    text += "; for groups of " + std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
            std::to_string(size[2]);
  return text;
}

std::string promotion_of(const KernelReport& report) {
  if (report.promoted_instructions == 0)
    return "";
  return std::string("; local memory in registers, ") +
         (report.is_wholly_promoted ? "" : "but at the beginning, ") + "as " +
         counted(report.promoted_instructions, "instruction") + " a group";
}

std::string barriers_of(const Kernel& kernel) {
  const auto& metadata = kernel.metadata;
  if (!metadata.has_barrier)
    return "barriers: none";
  const auto* who = metadata.vector_width == 1 ? "work-item" : "sub-group";
  if (metadata.uses_fibers())
    return std::string("barriers: fibers, one a ") + who + ": " + kernel.report.why_fibers;
  return std::string("barriers: regions, a loop over the group's ") + who +
         "s for the code between two barriers; " + counted(metadata.frame_bytes, "byte") + " a " +
         who + " kept across them" +
         (kernel.variants.has(VariantKind::leader)
              ? "; the first sub-group of one row of whole ones does everything alone"
              : "") +
         promotion_of(kernel.report);
}

std::string registers_of(const Kernel& kernel) {
  const auto& report = kernel.report;
  const auto* who = kernel.metadata.vector_width == 1 ? "work-item" : "sub-group";
  auto text = "stack: " + counted(report.stack_bytes, "byte") + " a " + who;
  if (report.spills)
    text += "; registers spilled: " + counted(report.spills->stores, "store") + " and " +
            counted(report.spills->loads, "load") + " in the whole of its code";
  return text;
}

} // namespace

std::string explain(const Kernel& kernel) {
  const auto head = text_of(kernel.report.place) + "kernel '" + kernel.metadata.name + "': ";
  std::string text;
  for (const auto& line : {width_of(kernel), barriers_of(kernel), registers_of(kernel)})
    text += head + line + "\n";
  for (const auto& remark : sorted(kernel.report.remarks))
    text += text_of(remark) + "\n";
  return text;
}

std::vector<std::string> first_remarks(const Kernel& kernel) {
  auto remarks = sorted(kernel.report.remarks);
  std::stable_sort(remarks.begin(), remarks.end(),
                   [](const Remark& a, const Remark& b) { return a.what < b.what; });
  std::vector<std::string> texts;
  for (auto first = remarks.begin(); first != remarks.end();) {
    const auto next = std::find_if(
        first, remarks.end(), [&](const Remark& remark) { return remark.what != first->what; });
    texts.push_back(text_of(*first));
    if (const auto more = next - first - 1; more != 0)
      texts.back() += " (and " + std::to_string(more) + " more)";
    first = next;
  }
  return texts;
}

} // namespace heddle::compiler
