// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims on builds: one process gets it, the others wait, and nobody waits for the dead.
#include "runtime/program/build_claim.h"
#include "runtime/program/files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heddle {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr BuildClaim::Limits kLimits{20s, 10s};

class BuildClaimTest : public testing::Test {
 protected:
  BuildClaimTest() {
    std::string name = (fs::temp_directory_path() / "heddle-claim-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "ab" / "cdef.claim").string();
  }
  ~BuildClaimTest() override { fs::remove_all(folder_); }

  std::string text() const {
    const auto bytes = files::read(path_);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : "";
  }
  void write(const std::string& text) {
    fs::create_directories(fs::path(path_).parent_path());
    std::ofstream(path_) << text;
  }
  // The claim of a process with this one's number that started at another time.
  std::string claim_of_the_dead() const {
    const auto mine = BuildClaim::take(path_, kLimits);
    auto words = text();
    const auto start = words.find(' ', words.find(' ') + 1) + 1;
    words[start] = words[start] == '1' ? '2' : '1';
    return words;
  }
  bool is_empty() const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file())
        return false;
    return true;
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(BuildClaimTest, OneHoldsItAndLetsGo) {
  {
    const auto claim = BuildClaim::take(path_, kLimits);
    EXPECT_TRUE(claim.is_held());
    EXPECT_FALSE(claim.has_waited());
    const auto other = BuildClaim::take(path_, {60ms, 10s});
    EXPECT_FALSE(other.is_held());
    EXPECT_TRUE(other.has_waited());
    const auto impatient = BuildClaim::take(path_, {0ms, 10s});
    EXPECT_FALSE(impatient.is_held());
    EXPECT_FALSE(impatient.has_waited());
  }
  EXPECT_TRUE(is_empty());
  EXPECT_TRUE(BuildClaim::take(path_, kLimits).is_held());
}

TEST_F(BuildClaimTest, OthersGoOnWhenItIsDone) {
  auto claim = BuildClaim::take(path_, kLimits);
  std::thread owner([&] {
    std::this_thread::sleep_for(100ms);
    claim = BuildClaim();
  });
  const auto start = Clock::now();
  const auto other = BuildClaim::take(path_, kLimits);
  owner.join();
  EXPECT_FALSE(other.is_held());
  EXPECT_TRUE(other.has_waited());
  EXPECT_GE(Clock::now() - start, 90ms);
  EXPECT_LT(Clock::now() - start, 10s);
}

// Of a helper: it builds what nobody waits for, at the lowest priority.
TEST_F(BuildClaimTest, ClaimsThatYieldAreTaken) {
  auto limits = kLimits;
  limits.yields = true;
  auto helper = BuildClaim::take(path_, limits);
  ASSERT_TRUE(helper.is_held());
  EXPECT_TRUE(helper.keep_alive());
  const auto second = BuildClaim::take(path_, limits);
  EXPECT_FALSE(second.is_held());
  EXPECT_TRUE(second.has_waited());
  EXPECT_TRUE(helper.keep_alive());
  {
    const auto process = BuildClaim::take(path_, kLimits);
    EXPECT_TRUE(process.is_held());
    EXPECT_FALSE(helper.keep_alive());
    // Now it is one that others wait for, and that the first one does not remove.
    helper = BuildClaim();
    EXPECT_FALSE(BuildClaim::take(path_, {60ms, 10s}).is_held());
    EXPECT_FALSE(BuildClaim::take(path_, limits).is_held());
  }
  EXPECT_TRUE(is_empty());
}

TEST_F(BuildClaimTest, WhoYieldsTakesFromTheDead) {
  write(claim_of_the_dead());
  auto limits = kLimits;
  limits.yields = true;
  EXPECT_TRUE(BuildClaim::take(path_, limits).is_held());
}

TEST_F(BuildClaimTest, WaitIsBounded) {
  const auto claim = BuildClaim::take(path_, kLimits);
  const auto start = Clock::now();
  const auto other = BuildClaim::take(path_, {300ms, 10s});
  const auto waited = Clock::now() - start;
  EXPECT_FALSE(other.is_held());
  EXPECT_GE(waited, 300ms);
  EXPECT_LT(waited, 10s);
}

// Killed, and not yet waited for by its parent, or gone altogether.
TEST_F(BuildClaimTest, TheDeadKeepNothing) {
  for (const bool reaped : {false, true}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const auto claim = BuildClaim::take(path_, kLimits);
      const char held = claim.is_held() ? 1 : 0;
      if (::write(ends[1], &held, 1) == 1)
        pause();
      _exit(1);
    }
    char held = 0;
    ASSERT_EQ(read(ends[0], &held, 1), 1);
    EXPECT_TRUE(held);
    close(ends[0]);
    close(ends[1]);
    kill(child, SIGKILL);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    if (reaped)
      waitpid(child, nullptr, 0);
    const auto start = Clock::now();
    const auto next = BuildClaim::take(path_, kLimits);
    EXPECT_TRUE(next.is_held()) << reaped;
    EXPECT_LT(Clock::now() - start, 5s) << reaped; // not by silence
    if (!reaped)
      waitpid(child, nullptr, 0);
  }
  EXPECT_TRUE(is_empty());
}

// The number of a process that is gone has been given to another one.
TEST_F(BuildClaimTest, ReusedProcessNumber) {
  write(claim_of_the_dead());
  EXPECT_TRUE(BuildClaim::take(path_, {5s, 60s}).is_held());
}

// Where process numbers say nothing (another machine, another PID name space) only silence tells.
TEST_F(BuildClaimTest, SilentOwnerElsewhere) {
  write("11111111-2222-3333-4444-555555555555/4026531836 1 1 12345\n");
  auto start = Clock::now();
  EXPECT_FALSE(BuildClaim::take(path_, {300ms, 10s}).is_held());
  start = Clock::now();
  const auto claim = BuildClaim::take(path_, {20s, 300ms});
  EXPECT_TRUE(claim.is_held());
  EXPECT_GE(Clock::now() - start, 300ms);
  EXPECT_LT(Clock::now() - start, 10s);
}

TEST_F(BuildClaimTest, HeartbeatElsewhere) {
  write("11111111-2222-3333-4444-555555555555/4026531836 1 1 12345\n");
  std::atomic<bool> stop{false};
  std::thread owner([&] {
    while (!stop) {
      utimensat(AT_FDCWD, path_.c_str(), nullptr, 0);
      std::this_thread::sleep_for(50ms);
    }
  });
  EXPECT_FALSE(BuildClaim::take(path_, {3s, 1500ms}).is_held());
  stop = true;
  owner.join();
}

TEST_F(BuildClaimTest, KeepAliveIsSeen) {
  auto claim = BuildClaim::take(path_, kLimits);
  const auto before = fs::last_write_time(path_);
  std::this_thread::sleep_for(1100ms);
  claim.keep_alive();
  EXPECT_GT(fs::last_write_time(path_), before);
}

// Half-written by a process that died meanwhile, empty, or not a file at all.
TEST_F(BuildClaimTest, DamagedClaims) {
  for (const char* damage : {"", "nonsense", "unknown 1 1 1\n", "a b c d\n"}) {
    write(damage);
    EXPECT_TRUE(BuildClaim::take(path_, {20s, 200ms}).is_held()) << damage;
    EXPECT_TRUE(is_empty()) << damage;
  }
  fs::create_directories(path_);
  const auto start = Clock::now();
  EXPECT_FALSE(BuildClaim::take(path_, {300ms, 100ms}).is_held());
  EXPECT_LT(Clock::now() - start, 10s);
}

TEST_F(BuildClaimTest, FoldersThatCannotBeWritten) {
  const auto start = Clock::now();
  for (const char* path : {"/proc/heddle/a.claim", "/dev/null/a.claim"}) {
    const auto claim = BuildClaim::take(path, kLimits);
    EXPECT_FALSE(claim.is_held()) << path;
    EXPECT_FALSE(claim.has_waited()) << path;
  }
  EXPECT_LT(Clock::now() - start, 10s);
}

// Nobody can take over there, and nobody needs to wait.
TEST_F(BuildClaimTest, DeadClaimInAReadOnlyFolder) {
  write("11111111-2222-3333-4444-555555555555/4026531836 1 1 12345\n");
  const auto folder = fs::path(path_).parent_path();
  const pid_t child = fork();
  if (child == 0) {
    fs::permissions(folder_,
                    fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                                fs::perms::others_exec);
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
      _exit(9);
    const auto start = Clock::now();
    const auto claim = BuildClaim::take(path_, {60s, 200ms});
    _exit(claim.is_held() ? 1 : Clock::now() - start > 20s ? 2 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  fs::permissions(folder, fs::perms::owner_all);
  EXPECT_EQ(status, 0);
}

// What other users build is not loaded, so there is nothing to wait for.
TEST_F(BuildClaimTest, ClaimsOfOtherUsers) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only the superuser can give files away";
  write("11111111-2222-3333-4444-555555555555/4026531836 1 1 12345\n");
  ASSERT_EQ(chown(path_.c_str(), 65534, 65534), 0);
  const auto start = Clock::now();
  EXPECT_FALSE(BuildClaim::take(path_, {60s, 60s}).is_held());
  EXPECT_LT(Clock::now() - start, 20s);
}

// The owner was silent for long, somebody else took over, and the first one comes back.
TEST_F(BuildClaimTest, LetsOthersClaimsStand) {
  auto first = BuildClaim::take(path_, kLimits);
  write("11111111-2222-3333-4444-555555555555/4026531836 1 1 12345\n");
  const auto others = text();
  first = BuildClaim();
  EXPECT_EQ(text(), others);
}

// Many processes that start at once: each of the entries is built once, by whoever was first,
// though builders die.
TEST_F(BuildClaimTest, ManyProcessesBuildOnce) {
  constexpr int kProcesses = 64, kEntries = 3;
  const auto built = folder_ / "built";
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    if (child == 0) {
      for (int entry = 0; entry < kEntries; ++entry) {
        const auto result = (folder_ / ("result" + std::to_string(entry))).string();
        const auto claim = BuildClaim::take(result + ".claim", {60s, 30s});
        if (fs::exists(result))
          continue;
        if (!claim.is_held())
          _exit(2);
        std::ofstream(built, std::ios::app) << entry << "\n";
        std::this_thread::sleep_for(30ms);
        if (entry == 1 && !fs::exists(folder_ / "died")) {
          std::ofstream(folder_ / "died") << "once";
          raise(SIGKILL);
        }
        const std::string text = "result";
        files::replace(result, std::as_bytes(std::span(text)));
      }
      _exit(0);
    }
    children.push_back(child);
  }
  int killed = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
      ++killed;
    else
      EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(killed, 1);
  std::ifstream file(built);
  int lines[kEntries] = {};
  for (int entry; file >> entry;)
    ++lines[entry];
  EXPECT_EQ(lines[0], 1);
  EXPECT_EQ(lines[1], 2); // the one that died, and one that took over
  EXPECT_EQ(lines[2], 1);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_EQ(entry.path().filename().string().find(".claim"), std::string::npos) << entry.path();
}

// One that died while it took over does not keep the others from it.
TEST_F(BuildClaimTest, DiedWhileItTookOver) {
  const auto words = claim_of_the_dead();
  write(words);
  std::ofstream(path_ + ".next") << words;
  EXPECT_TRUE(BuildClaim::take(path_, {20s, 60s}).is_held());
  EXPECT_TRUE(is_empty());
}

} // namespace
} // namespace heddle
