// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/execution/launch_shadow.h"

namespace heddle {

LaunchShadow::Page& LaunchShadow::page(std::uint64_t address) {
  const auto number = address / kPageBytes;
  auto& part = parts_[number % kParts];
  const std::lock_guard lock(part.mutex);
  auto& page = part.pages[number];
  if (!page) {
    page = std::make_unique<Page>();
    page->cells.resize(kPageBytes / kWordBytes);
  }
  return *page;
}

void LaunchShadow::split(Page& page) {
  std::vector<AccessCell> bytes(kPageBytes);
  for (std::size_t i = 0; i < kPageBytes; ++i)
    bytes[i] = page.cells[i / kWordBytes].byte(static_cast<unsigned>(i % kWordBytes));
  page.cells = std::move(bytes);
  page.has_bytes = true;
}

} // namespace heddle
