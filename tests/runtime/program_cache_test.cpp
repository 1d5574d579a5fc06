// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache folder: shared by processes, damaged, read-only, full, missing, too large.
#include "runtime/program/cache.h"
#include "runtime/program/files.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    std::string name = (fs::temp_directory_path() / "heddle-cache-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~CacheTest() override {
    std::error_code error;
    fs::permissions(folder_, fs::perms::owner_all, error);
    fs::remove_all(folder_, error);
  }

  static ProgramFile file_of(const std::string& text, std::size_t bytes = 0) {
    ProgramFile file;
    file.kind = ProgramKind::object;
    file.payload.resize(std::max(bytes, text.size()));
    std::memcpy(file.payload.data(), text.data(), text.size());
    file.log = text;
    return file;
  }
  void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file() && entry.path().filename() != "stored")
        found.push_back(entry.path());
    return found;
  }

  fs::path folder_;
};

constexpr DigestValue kKey{0x1234, 0x5678};

// Runs `body` in a child process and returns its exit status.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST_F(CacheTest, FindsWhatWasStored) {
  Cache cache(folder_, 1 << 20);
  EXPECT_FALSE(cache.find(kKey));
  const auto path = cache.store(kKey, file_of("one"));
  ASSERT_NE(path, "");
  Cache other(folder_, 1 << 20);
  const auto entry = other.find(kKey);
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->path, path);
  EXPECT_EQ(entry->file.log, "one");
  EXPECT_FALSE(other.find({1, 2}));
}

TEST_F(CacheTest, Searches) {
  Cache cache(folder_, 1 << 20);
  EXPECT_FALSE(cache.find_search(kKey));
  EXPECT_TRUE(cache.searches().empty());
  cache.store(kKey, file_of("a program of the same key"));
  EXPECT_FALSE(cache.find_search(kKey));
  cache.store_search(kKey, {"product", "16x16x1", "16x1 32x1"});
  const auto found = cache.find_search(kKey);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kernel, "product");
  EXPECT_EQ(found->groups, "16x16x1");
  EXPECT_EQ(found->text, "16x1 32x1");
  EXPECT_EQ(cache.searches().size(), 1U);
  EXPECT_TRUE(Cache("", 0).searches().empty());
}

TEST_F(CacheTest, DamagedEntriesAreMissesAndAreReplaced) {
  Cache cache(folder_, 1 << 20);
  const auto path = cache.store(kKey, file_of("one"));
  const auto whole = *files::read(path);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
    fs::resize_file(path, size);
    EXPECT_FALSE(cache.find(kKey)) << size;
    ASSERT_EQ(cache.store(kKey, file_of("one")), path);
    EXPECT_TRUE(cache.find(kKey)) << size;
  }
  auto flipped = whole;
  flipped[3] ^= std::byte{4};
  ASSERT_TRUE(files::replace(path, flipped));
  EXPECT_FALSE(cache.find(kKey));
  write(path, "nothing of ours");
  EXPECT_FALSE(cache.find(kKey));
  fs::remove(path);
  fs::create_directory(path); // not even a file
  EXPECT_FALSE(cache.find(kKey));
  EXPECT_EQ(cache.store(kKey, file_of("one")), "");
}

TEST_F(CacheTest, ChangedIncludesAreMisses) {
  Cache cache(folder_ / "cache", 1 << 20);
  const auto header = (folder_ / "header.h").string();
  const auto stored_with = [&](const std::string& text) {
    write(header, text);
    auto file = file_of(text);
    file.dependencies = {{header, digest_of(*files::read(header))}};
    return cache.store(kKey, file);
  };
  const auto first = stored_with("int a;");
  ASSERT_TRUE(cache.find(kKey));
  write(header, "int b;");
  EXPECT_FALSE(cache.find(kKey));
  const auto second = stored_with("int b;");
  // The dynamic loader treats an open library of the same name as the same library.
  EXPECT_NE(first, second);
  ASSERT_TRUE(cache.find(kKey));
  EXPECT_EQ(cache.find(kKey)->file.log, "int b;");
  fs::remove(header);
  EXPECT_FALSE(cache.find(kKey));
}

TEST_F(CacheTest, ManyProcesses) {
  constexpr int kProcesses = 8, kRounds = 60, kKeys = 5;
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      Cache cache(folder_, 1 << 30);
      for (int round = 0; round < kRounds; ++round) {
        const DigestValue key{static_cast<std::uint64_t>((round + process) % kKeys), 7};
        const auto text = "entry " + std::to_string(key[0]);
        // An entry is complete or absent, also during concurrent writes.
        if (const auto entry = cache.find(key);
            entry && (entry->file.log != text || entry->file.payload.size() != 100'000))
          _exit(1);
        if (cache.store(key, file_of(text, 100'000)).empty())
          _exit(2);
        if (!cache.find(key)) // once stored it is there: replaced, never taken away
          _exit(3);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(files().size(), static_cast<std::size_t>(kKeys)); // and no temporary files
}

// Also for root, who may write anywhere but here.
TEST_F(CacheTest, FolderThatCannotBeMade) {
  for (const char* folder : {"/proc/heddle", "/dev/null/heddle"}) {
    Cache cache(folder, 1 << 20);
    EXPECT_EQ(cache.store(kKey, file_of("one")), "") << folder;
    EXPECT_EQ(cache.store_source(kKey, "kernel"), "") << folder;
    EXPECT_FALSE(cache.find(kKey)) << folder;
  }
}

TEST_F(CacheTest, ReadOnlyFolderIsRead) {
  const auto path = Cache(folder_, 1 << 20).store(kKey, file_of("one"));
  ASSERT_NE(path, "");
  const int answer = in_child([&] {
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec |
                                 fs::perms::others_read | fs::perms::others_exec);
    fs::permissions(fs::path(path).parent_path(), fs::perms::owner_read | fs::perms::owner_exec |
                                                      fs::perms::others_read |
                                                      fs::perms::others_exec);
    if (geteuid() == 0) {
      // Root may write to read-only folders: become another user. Entries owned by root are trusted
      // by all users.
      if (setgid(65534) != 0 || setuid(65534) != 0)
        return 9;
    }
    Cache cache(folder_, 1 << 20);
    if (!cache.find(kKey))
      return 1;
    return cache.store({9, 9}, file_of("two")).empty() ? 0 : 2;
  });
  EXPECT_EQ(answer, 0);
}

TEST_F(CacheTest, EntriesOfOtherUsersAreNotLoaded) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only the superuser can give files away";
  const auto path = Cache(folder_, 1 << 20).store(kKey, file_of("one"));
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(Cache(folder_, 1 << 20).find(kKey));
}

// A file size limit simulates a full disk: writes are short. Its signal must not end the process.
TEST_F(CacheTest, FileSizeLimit) {
  const int answer = in_child([&] {
    const rlimit limit{4096, 4096};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
      return 9;
    Cache cache(folder_, 1 << 20);
    if (!cache.store(kKey, file_of("large", 100'000)).empty())
      return 1;
    if (cache.find(kKey))
      return 2;
    return cache.store({1, 1}, file_of("small")).empty() ? 3 : 0;
  });
  EXPECT_EQ(answer, 0);
  EXPECT_EQ(files().size(), 1u); // nothing half-written is left
}

TEST_F(CacheTest, FullDisk) {
  const int answer = in_child([&] {
    const auto user = std::to_string(geteuid());
    const auto group = std::to_string(getegid());
    if (unshare(CLONE_NEWNS) != 0) {
      // Not root: become root in a new user namespace.
      if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return 77;
      write("/proc/self/setgroups", "deny");
      write("/proc/self/uid_map", "0 " + user + " 1");
      write("/proc/self/gid_map", "0 " + group + " 1");
    }
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("heddle", folder_.c_str(), "tmpfs", 0, "size=1m") != 0)
      return 77;
    Cache cache(folder_, 1 << 20);
    if (!cache.store(kKey, file_of("large", 4'000'000)).empty())
      return 1;
    if (cache.find(kKey))
      return 2;
    for (const auto& path : files())
      if (files::is_temporary(path.string()))
        return 3;
    return cache.store({1, 1}, file_of("small")).empty() ? 4 : 0;
  });
  if (answer == 77)
    GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(answer, 0);
}

TEST_F(CacheTest, NoFolder) {
  Cache cache("", 1 << 20);
  EXPECT_EQ(cache.store(kKey, file_of("one")), "");
  EXPECT_FALSE(cache.find(kKey));
}

TEST_F(CacheTest, StaysBelowItsLimit) {
  constexpr std::uint64_t kMost = 1 << 20;
  Cache cache(folder_, kMost);
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_NE(cache.store({i, 0}, file_of("entry", 50'000)), "");
    cache.store_source({i, 0}, "kernel void k() {}");
    std::uint64_t total = 0;
    for (const auto& path : files())
      total += fs::file_size(path);
    ASSERT_LE(total, kMost) << i;
  }
  EXPECT_TRUE(cache.find({99, 0}));
  EXPECT_FALSE(cache.find({0, 0}));
}

TEST_F(CacheTest, LeastRecentlyUsedGoFirst) {
  using namespace std::chrono_literals;
  Cache cache(folder_, 1 << 20);
  const auto now = fs::file_time_type::clock::now();
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto path = cache.store({i, 0}, file_of("entry", 90'000));
    fs::last_write_time(path, now - 10h + std::chrono::minutes(i));
  }
  ASSERT_TRUE(cache.find({0, 0})); // used last now, though stored first
  Cache(folder_, 400'000).trim();
  EXPECT_TRUE(cache.find({0, 0}));
  EXPECT_FALSE(cache.find({1, 0}));
  EXPECT_TRUE(cache.find({3, 0}));
}

TEST_F(CacheTest, TemporaryFilesOfTheDeadGo) {
  using namespace std::chrono_literals;
  Cache cache(folder_, 1 << 20);
  const fs::path stored = cache.store(kKey, file_of("one"));
  const fs::path old = stored.parent_path() / "x.so.1.tmp",
                 fresh = stored.parent_path() / "y.so.2.tmp";
  write(old, "half");
  write(fresh, "half");
  fs::last_write_time(old, fs::file_time_type::clock::now() - 2h);
  cache.trim();
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh)); // another process may be writing it
  EXPECT_TRUE(cache.find(kKey));
}

TEST_F(CacheTest, SourcesAreKeptBesideTheEntries) {
  Cache cache(folder_, 1 << 20);
  const auto path = cache.store_source(kKey, "kernel void k() {}");
  ASSERT_NE(path, "");
  const auto bytes = files::read(path);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()),
            "kernel void k() {}");
  EXPECT_EQ(cache.store_source(kKey, "kernel void k() {}"), path);
}

} // namespace
} // namespace heddle
