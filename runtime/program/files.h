// Whole files: read at once, written so that nobody ever sees half of one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::files {

// Nothing if the file cannot be read whole, is no regular file, or belongs to another user (code is
// loaded from such files; the superuser's are taken).
std::optional<std::vector<std::byte>> read_own(const std::string& path);
// The same for anybody's file.
std::optional<std::vector<std::byte>> read(const std::string& path);
// Writes a temporary file beside it and renames that. False, with nothing left behind, if it cannot
// (no folder, read-only, full disk, file size limit). Makes missing folders.
bool replace(const std::string& path, std::span<const std::byte> bytes);
// All bytes to a descriptor; false if they do not fit. A process's file size limit (RLIMIT_FSIZE)
// is an answer like a full disk, not a signal.
bool write_all(int descriptor, std::span<const std::byte> bytes);
// Whether the file is a temporary one of replace().
bool is_temporary(const std::string& name);

} // namespace heddle::files
