// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/cache_share.h"
#include "runtime/device/cpu_list.h"
#include "runtime/device/thread_count.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sched.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::test {
namespace {

namespace fs = std::filesystem;

unsigned count_of(unsigned affinity, std::optional<unsigned> quota, unsigned wanted) {
  return choose_threads({affinity, quota, wanted, {}, {}, 0}).count;
}

TEST(ThreadCount, LeastOfMaskAndQuotaUnlessWanted) {
  EXPECT_EQ(count_of(8, std::nullopt, 0), 8u);
  EXPECT_EQ(count_of(8, 3, 0), 3u);
  EXPECT_EQ(count_of(2, 3, 0), 2u);
  EXPECT_EQ(count_of(2, 3, 64), 64u);
  EXPECT_EQ(count_of(8, 3, 16), 16u);
  EXPECT_EQ(count_of(0, std::nullopt, 0), 1u);
}

ThreadChoice of_rank(unsigned rank, unsigned size, unsigned affinity, unsigned machine,
                     std::optional<unsigned> quota = std::nullopt) {
  return choose_threads({affinity, quota, 0, {}, {size, rank, "SIZE"}, machine});
}

TEST(ThreadCount, UnboundRanksShareTheMachine) {
  // Every processor belongs to one rank, and no two counts differ by more than one.
  for (const unsigned machine : {1u, 2u, 7u, 64u, 128u})
    for (const unsigned size : {2u, 3u, 4u, 64u}) {
      std::multiset<unsigned> used;
      for (unsigned rank = 0; rank < size; ++rank) {
        const auto choice = of_rank(rank, size, machine, machine);
        EXPECT_EQ(choice.sharers, size);
        EXPECT_GE(choice.count, std::max(1u, machine / size));
        EXPECT_LE(choice.count, std::max(1u, (machine + size - 1) / size));
        for (unsigned i = 0; i < choice.count; ++i)
          used.insert((choice.first + i) % machine);
      }
      const auto most = machine >= size ? 1u : (size + machine - 1) / machine;
      for (unsigned cpu = 0; cpu < machine; ++cpu) {
        EXPECT_GE(used.count(cpu), 1u) << machine << " / " << size;
        EXPECT_LE(used.count(cpu), most) << machine << " / " << size;
      }
    }
}

TEST(ThreadCount, BoundRanksUseTheirMasks) {
  EXPECT_EQ(of_rank(3, 64, 1, 64).count, 1u);  // to a core
  EXPECT_EQ(of_rank(3, 64, 2, 128).count, 2u); // to a core of two threads
  EXPECT_EQ(of_rank(1, 2, 64, 128).count, 64u);
  EXPECT_EQ(of_rank(1, 2, 64, 128).sharers, 1u);
  // To a NUMA node or socket, several of them to each.
  EXPECT_EQ(of_rank(17, 32, 64, 128).count, 4u);
  EXPECT_EQ(of_rank(17, 32, 64, 128).sharers, 16u);
  // More ranks than processors.
  EXPECT_EQ(of_rank(5, 8, 2, 2).count, 1u);
  // One rank alone, though a launcher started it.
  EXPECT_EQ(of_rank(0, 1, 2, 64).count, 2u);
}

TEST(ThreadCount, RanksShareTheQuota) {
  EXPECT_EQ(of_rank(0, 4, 16, 16, 8).count, 2u);
  EXPECT_EQ(of_rank(3, 4, 16, 16, 6).count, 1u);
  EXPECT_EQ(of_rank(0, 4, 16, 16, 6).count, 2u);
  EXPECT_EQ(of_rank(3, 4, 16, 16, 2).count, 1u);
  EXPECT_EQ(of_rank(3, 4, 2, 16, 16).count, 2u); // bound, and the quota allows it
}

TEST(ThreadCount, SaysWhy) {
  EXPECT_EQ(choose_threads({1, std::nullopt, 0, {}, {}, 0}).reason,
            "the affinity mask has 1 processor");
  EXPECT_EQ(choose_threads({8, 3, 0, {}, {}, 0}).reason,
            "the control group's quota allows 3 processors of 8 in the affinity mask");
  EXPECT_EQ(choose_threads({8, 3, 5, {}, {}, 0}).reason, "HEDDLE_NUM_THREADS=5");
  EXPECT_EQ(choose_threads({8, std::nullopt, 0, {}, {4, 0, "X=4"}, 8}).reason,
            "the affinity mask has 8 processors, which 4 processes share (X=4)");
  EXPECT_EQ(choose_threads({2, std::nullopt, 0, {}, {4, 0, "X=4"}, 8}).reason,
            "the affinity mask has 2 processors, for this one of 4 processes (X=4)");
  EXPECT_EQ(choose_threads({8, 4, 0, {}, {4, 0, "X=4"}, 8}).reason,
            "the control group's quota allows 4 processors of 8 in the affinity mask, which 4 "
            "processes share (X=4)");
}

TEST(ThreadCount, ProcessorsThatAreNamed) {
  const auto named = choose_threads({8, 3, 0, {4, 6}, {4, 0, "X=4"}, 8});
  EXPECT_EQ(named.count, 2u);
  EXPECT_EQ(named.cpus, (std::vector<int>{4, 6}));
  EXPECT_EQ(named.reason, "HEDDLE_PROCESSORS names 2 processors");
  const auto more = choose_threads({8, 3, 3, {4, 6}, {}, 0});
  EXPECT_EQ(more.count, 3u);
  EXPECT_EQ(more.cpus, (std::vector<int>{4, 6, 4}));
  EXPECT_EQ(more.reason, "HEDDLE_NUM_THREADS=3");
}

LocalRanks ranks_of(std::map<std::string, std::string> variables, unsigned wanted = 0) {
  return read_local_ranks(
      [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
      },
      wanted);
}

TEST(LocalRanks, OfEachLauncher) {
  EXPECT_EQ(ranks_of({}).size, 1u);
  const auto open = ranks_of({{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                              {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                              {"SLURM_STEP_TASKS_PER_NODE", "1"},
                              {"SLURM_LOCALID", "0"},
                              {"SLURM_NODEID", "0"}});
  EXPECT_EQ(open.size, 4u);
  EXPECT_EQ(open.rank, 2u);
  EXPECT_EQ(open.variable, "OMPI_COMM_WORLD_LOCAL_SIZE=4");
  const auto hydra = ranks_of({{"MPI_LOCALNRANKS", "3"}, {"MPI_LOCALRANKID", "1"}});
  EXPECT_EQ(hydra.size, 3u);
  EXPECT_EQ(hydra.rank, 1u);
}

TEST(LocalRanks, OfAStepOfSlurm) {
  const auto of = [](const char* list, const char* node, const char* rank) {
    return ranks_of(
        {{"SLURM_STEP_TASKS_PER_NODE", list}, {"SLURM_NODEID", node}, {"SLURM_LOCALID", rank}});
  };
  EXPECT_EQ(of("2(x3),1", "0", "1").size, 2u);
  EXPECT_EQ(of("2(x3),1", "2", "1").rank, 1u);
  EXPECT_EQ(of("2(x3),1", "3", "0").size, 1u);
  EXPECT_EQ(of("5,16(x100)", "57", "15").size, 16u);
  EXPECT_EQ(of("2(x3),1", "4", "0").size, 1u); // a node that is not in the list
  EXPECT_EQ(of("2(x3", "0", "1").size, 1u);    // damaged
  EXPECT_EQ(of("2(x3)", "0", "2").size, 1u);   // a rank that is not there
  EXPECT_EQ(ranks_of({{"SLURM_LOCALID", "0"}, {"SLURM_NODEID", "0"}}).size, 1u); // a batch script
}

TEST(LocalRanks, NonsenseIsUnset) {
  for (const char* size : {"", "0", "-1", "two", "4x", "99999999999"})
    EXPECT_EQ(ranks_of({{"MPI_LOCALNRANKS", size}, {"MPI_LOCALRANKID", "0"}}).size, 1u) << size;
  EXPECT_EQ(ranks_of({{"MPI_LOCALNRANKS", "4"}}).size, 1u);
  EXPECT_EQ(ranks_of({{"MPI_LOCALNRANKS", "4"}, {"MPI_LOCALRANKID", "4"}}).size, 1u);
}

TEST(LocalRanks, OptionDecides) {
  const std::map<std::string, std::string> variables{{"MPI_LOCALNRANKS", "4"},
                                                     {"MPI_LOCALRANKID", "3"}};
  EXPECT_EQ(ranks_of(variables, 1).size, 1u);
  EXPECT_EQ(ranks_of(variables, 1).rank, 0u);
  EXPECT_EQ(ranks_of(variables, 8).size, 8u);
  EXPECT_EQ(ranks_of(variables, 8).rank, 3u);
  EXPECT_EQ(ranks_of({}, 2).variable, "HEDDLE_LOCAL_RANKS=2");
}

// A rank that its launcher has bound, behind a wrapper that is a rank too: the launcher's mask is
// this process's.
TEST(LocalRanks, LauncherIsTheAncestorThatIsNoRank) {
  const auto here = affinity_cpus();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t wrapper = fork();
  if (wrapper == 0) {
    // The environment that /proc shows is the one a program was started with.
    setenv("MPI_LOCALNRANKS", "2", 1);
    setenv("MPI_LOCALRANKID", "1", 1);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(here.front(), &one);
    sched_setaffinity(0, sizeof one, &one);
    setenv("HEDDLE_TEST_ANSWER", std::to_string(ends[1]).c_str(), 1);
    execl("/bin/sh", "sh", "-c",
          "\"$0\" --gtest_also_run_disabled_tests --gtest_filter=*DISABLED_TellsLauncher* "
          ">/dev/null; exit $?",
          fs::read_symlink("/proc/self/exe").c_str(), nullptr);
    _exit(9);
  }
  close(ends[1]);
  unsigned answer[2] = {};
  EXPECT_EQ(read(ends[0], answer, sizeof answer), static_cast<ssize_t>(sizeof answer));
  close(ends[0]);
  int status = 0;
  waitpid(wrapper, &status, 0);
  EXPECT_EQ(answer[0], 1u);
  EXPECT_EQ(answer[1], here.size());
}

// Run by the test above, as a program of its own.
TEST(LocalRanks, DISABLED_TellsLauncher) {
  const char* end = std::getenv("HEDDLE_TEST_ANSWER");
  ASSERT_NE(end, nullptr);
  const auto ranks = read_local_ranks(std::getenv, 0);
  const unsigned answer[2] = {static_cast<unsigned>(affinity_cpus().size()),
                              launcher_processors(ranks).value_or(0)};
  EXPECT_EQ(write(std::atoi(end), answer, sizeof answer), static_cast<ssize_t>(sizeof answer));
}

TEST(CpuList, AsLinuxWritesThem) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (std::vector<int>{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("5"), std::vector<int>{5});
  EXPECT_TRUE(parse_cpu_list("").empty());
  EXPECT_TRUE(parse_cpu_list("\n").empty());
  for (const char* damaged : {"1,x", "1,4-2", "1,", ",1", "-1", "1 2", "0-3x", "1\n\n"})
    EXPECT_TRUE(parse_cpu_list(damaged).empty()) << damaged;
}

// Two caches of the third level for four processors each, in fake files.
class CacheShare : public testing::Test {
 protected:
  CacheShare() {
    for (int cpu = 0; cpu < 8; ++cpu) {
      const auto own = std::to_string(cpu);
      write(cpu, 0, "1", "32K", "Data", own);
      write(cpu, 1, "1", "32K", "Instruction", own);
      write(cpu, 2, "2", "1024K", "Unified", own);
      write(cpu, 3, "3", "32768K", "Unified", cpu < 4 ? "0-3" : "4-7");
    }
  }
  ~CacheShare() override { fs::remove_all(root_); }
  void write(int cpu, int index, const char* level, const char* size, const char* type,
             const std::string& cpus) {
    const auto folder = root_ + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                        "/cache/index" + std::to_string(index);
    fs::create_directories(folder);
    std::ofstream(folder + "/level") << level << "\n";
    std::ofstream(folder + "/size") << size << "\n";
    std::ofstream(folder + "/type") << type << "\n";
    std::ofstream(folder + "/shared_cpu_list") << cpus << "\n";
  }
  std::uint64_t megabytes(const std::vector<int>& cpus, unsigned sharers = 1) {
    return cache_share(cpus, sharers, root_) >> 20;
  }
  const std::string root_ =
      (fs::temp_directory_path() / ("heddle-caches-" + std::to_string(getpid()))).string();
};

TEST_F(CacheShare, ByProcessorsAndProcesses) {
  EXPECT_EQ(megabytes({0, 1, 2, 3, 4, 5, 6, 7}), 32u);
  EXPECT_EQ(megabytes({4, 5, 6, 7}), 32u);
  EXPECT_EQ(megabytes({1}), 8u);
  EXPECT_EQ(megabytes({3, 4, 5}), 16u); // two of three share one
  EXPECT_EQ(megabytes({0, 1, 2, 3}, 4), 8u);
  EXPECT_EQ(megabytes({0, 0, 0, 0}), 8u); // one processor, however many threads
  EXPECT_EQ(megabytes({}), 0u);
  EXPECT_EQ(megabytes({99}), 0u);
  EXPECT_EQ(cache_share({0}, 1, "/nowhere"), 0u);
}

} // namespace
} // namespace heddle::test
