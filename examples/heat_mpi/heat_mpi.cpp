// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a block of matter: a 3D stencil on any number of processes, each with its own OpenCL
// device.
//
//   mpirun -n 4 heat_mpi NX NY NZ STEPS [--output FILE] [--weak] [--no-overlap]
//   mpirun -n 2 heat_mpi --messages
//
// NX, NY, NZ: cells of the whole grid; with --weak those of each process's part. --output: the
// cells as 32-bit floats, x contiguous. --no-overlap: the inner cells are waited for before the
// faces are exchanged, to see what the overlap gains. --messages: times of messages between two
// processes. Figures go to standard output, a name and a number a line.
#include "block.h"
#include "exchange.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Arguments {
  heat::Size whole{};
  int steps = 0;
  std::string output;
  bool weak = false;
  bool overlap = true;
  bool messages = false;
};

[[noreturn]] void fail(const char* why) {
  std::fprintf(stderr,
               "heat_mpi: %s\nusage: heat_mpi NX NY NZ STEPS [--output FILE] [--weak] "
               "[--no-overlap] | --messages\n",
               why);
  MPI_Abort(MPI_COMM_WORLD, 2);
  std::exit(2);
}

Arguments parse(int count, char** words) {
  Arguments arguments;
  std::vector<long> numbers;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    char* end = nullptr;
    const long number = std::strtol(words[i], &end, 10);
    if (word == "--weak")
      arguments.weak = true;
    else if (word == "--no-overlap")
      arguments.overlap = false;
    else if (word == "--messages")
      arguments.messages = true;
    else if (word == "--output" && i + 1 < count)
      arguments.output = words[++i];
    else if (*end == '\0' && end != words[i] && number >= 0 && number <= 1'000'000)
      numbers.push_back(number);
    else
      fail(("'" + word + "' is not understood").c_str());
  }
  if (arguments.messages)
    return arguments;
  if (numbers.size() != 4)
    fail("three sizes and the number of steps are needed");
  for (std::size_t axis = 0; axis < 3; ++axis)
    arguments.whole[axis] = static_cast<std::size_t>(numbers[axis]);
  arguments.steps = static_cast<int>(numbers[3]);
  return arguments;
}

// Half the time of a message there and back, by its size.
void time_messages() {
  int rank, processes;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (processes != 2)
    fail("messages are timed between two processes");
  for (std::size_t bytes = 8; bytes <= (std::size_t{4} << 20); bytes *= 8) {
    std::vector<char> data(bytes);
    const int rounds = bytes < 100'000 ? 2000 : 100;
    double start = 0;
    for (int round = -rounds / 10; round < rounds; ++round) {
      if (round == 0)
        start = MPI_Wtime();
      for (const int sender : {0, 1})
        if (rank == sender)
          MPI_Send(data.data(), static_cast<int>(bytes), MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
        else
          MPI_Recv(data.data(), static_cast<int>(bytes), MPI_CHAR, sender, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    }
    if (rank == 0)
      std::printf("message_%zu_us %.3f\n", bytes, (MPI_Wtime() - start) / rounds / 2 * 1e6);
  }
}

void run(const Arguments& arguments) {
  int processes;
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  auto whole = arguments.whole;
  if (arguments.weak) {
    std::array<int, 3> blocks{};
    MPI_Dims_create(processes, 3, blocks.data());
    for (std::size_t axis = 0; axis < 3; ++axis)
      whole[axis] *= static_cast<std::size_t>(blocks[2 - axis]);
  }
  heat::Exchange exchange(whole);
  if (*std::min_element(exchange.size().begin(), exchange.size().end()) < 2)
    fail("a process has less than two cells along an axis");
  heat::Block block(exchange.size(), exchange.origin(), exchange.faces(), exchange.halos());
  block.start();
  exchange.run();

  heat::StepTimes kernels;
  double exchange_seconds = 0, start = 0;
  int timed = 0;
  const int warm_up = std::min(2, arguments.steps / 2);
  for (int step = 0; step < arguments.steps; ++step) {
    if (step == warm_up) {
      block.wait_for_inner();
      MPI_Barrier(MPI_COMM_WORLD);
      start = MPI_Wtime();
    }
    block.begin_step();
    if (!arguments.overlap)
      block.wait_for_inner();
    const double before = MPI_Wtime();
    if (step + 1 < arguments.steps)
      exchange.run();
    const double after = MPI_Wtime();
    if (step < warm_up)
      continue;
    exchange_seconds += after - before;
    block.wait_for_inner();
    const auto times = block.last_times();
    kernels.boundary += times.boundary;
    kernels.inner += times.inner;
    kernels.span += times.span;
    ++timed;
  }
  block.wait_for_inner();
  const double seconds = MPI_Wtime() - start;
  if (exchange.rank() == 0 && timed != 0) {
    const auto& size = exchange.size();
    const double each = 1e6 / timed;
    std::printf("processes %d\nblocks %d %d %d\n", exchange.processes(), exchange.blocks()[0],
                exchange.blocks()[1], exchange.blocks()[2]);
    std::printf("cells_of_a_process %zu\nbytes_sent %zu\n", size[0] * size[1] * size[2],
                exchange.bytes_sent());
    std::printf("step_us %.2f\nboundary_us %.2f\ninner_us %.2f\nexchange_us %.2f\n", seconds * each,
                kernels.boundary * each, kernels.inner * each, exchange_seconds * each);
  }
  if (arguments.output.empty())
    return;
  const auto cells = exchange.gather(block.cells());
  if (exchange.rank() != 0)
    return;
  std::FILE* file = std::fopen(arguments.output.c_str(), "wb");
  const bool written =
      file && std::fwrite(cells.data(), sizeof(float), cells.size(), file) == cells.size();
  if (!file || std::fclose(file) != 0 || !written)
    fail("the output cannot be written");
}

} // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  const auto arguments = parse(count, words);
  if (arguments.messages)
    time_messages();
  else
    run(arguments);
  MPI_Finalize();
  return 0;
}
