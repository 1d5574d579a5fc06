// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads whole files, and replaces files atomically.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::files {

// Nothing if the file cannot be read completely, is not a regular file, or belongs to another user
// than this one or root (code is loaded from such files).
std::optional<std::vector<std::byte>> read_own(const std::string& path);
// The same for a file of any user.
std::optional<std::vector<std::byte>> read(const std::string& path);
// Writes a temporary file in the same folder and renames it. Creates missing folders. Returns false
// and leaves no file on failure (no folder, read-only, full disk, file size limit).
bool replace(const std::string& path, std::span<const std::byte> bytes);
// Writes all bytes to a descriptor; false on failure. The file size limit (RLIMIT_FSIZE) is a
// failure like a full disk and raises no signal.
bool write_all(int descriptor, std::span<const std::byte> bytes);
// Whether the file is a temporary one of replace().
bool is_temporary(const std::string& name);

} // namespace heddle::files
