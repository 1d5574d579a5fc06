// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Cholesky factorization in tiles as a graph of tasks, which StarPU runs on processors and on
// OpenCL devices as their inputs get ready. Each task can run on either.
//
//   cholesky_starpu TILES SIZE
//   mpirun -n 2 cholesky_starpu_mpi TILES SIZE
//
// TILES x TILES tiles of SIZE x SIZE doubles. The result is compared with that of the same
// operations one after the other (to the bit) and with the matrix (by its product). Which workers
// there are, StarPU's environment decides: STARPU_NCPU, STARPU_NOPENCL, STARPU_OPENCL_ON_CPUS=1 for
// OpenCL devices that are processors.
// Over MPI (CHOLESKY_MPI) each process owns a part of the tiles; tasks run where the tile is that
// they write, and StarPU sends what they read.
#define CL_TARGET_OPENCL_VERSION 120
#include "kernels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <starpu.h>
#include <starpu_opencl.h>
#ifdef CHOLESKY_MPI
#include <starpu_mpi.h>
#endif
#include <vector>

namespace {

starpu_opencl_program program;
std::atomic<int> on_processors{0}, on_opencl{0};

void check(int error, const char* what) {
  if (error == 0)
    return;
  std::fprintf(stderr, "cholesky_starpu: %s: error %d\n", what, error);
  std::exit(error == -ENODEV ? 77 : 1);
}

double* tile_of(void* buffer) { return reinterpret_cast<double*>(STARPU_MATRIX_GET_PTR(buffer)); }
int size_of(void* buffer) { return static_cast<int>(STARPU_MATRIX_GET_NX(buffer)); }

// Enqueues the kernel with the task's tiles for arguments; StarPU waits for the queue
// (STARPU_OPENCL_ASYNC).
void enqueue(const char* name, void** buffers, int count, int dimensions) {
  const int device = starpu_worker_get_devid(starpu_worker_get_id_check());
  cl_kernel kernel;
  cl_command_queue queue;
  check(starpu_opencl_load_kernel(&kernel, &queue, &program, name, device), name);
  const cl_int size = size_of(buffers[0]);
  for (int i = 0; i < count; ++i) {
    auto tile = reinterpret_cast<cl_mem>(STARPU_MATRIX_GET_DEV_HANDLE(buffers[i]));
    check(clSetKernelArg(kernel, static_cast<cl_uint>(i), sizeof tile, &tile), "a tile");
  }
  check(clSetKernelArg(kernel, static_cast<cl_uint>(count), sizeof size, &size), "the size");
  const auto side = static_cast<std::size_t>(size);
  const std::size_t range[2] = {dimensions == 0 ? 1 : side, side};
  check(clEnqueueNDRangeKernel(queue, kernel, dimensions == 2 ? 2 : 1, nullptr, range, nullptr, 0,
                               nullptr, nullptr),
        name);
  check(starpu_opencl_release_kernel(kernel), name);
  ++on_opencl;
}

starpu_codelet make_codelet(const char* name, starpu_cpu_func_t processor,
                            starpu_opencl_func_t opencl,
                            std::initializer_list<starpu_data_access_mode> modes) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = name;
  codelet.cpu_funcs[0] = processor;
  codelet.opencl_funcs[0] = opencl;
  codelet.opencl_flags[0] = STARPU_OPENCL_ASYNC;
  for (const auto mode : modes)
    codelet.modes[codelet.nbuffers++] = mode;
  return codelet;
}

// What there is to say about the processes of the job, of which there is one without MPI.
#ifdef CHOLESKY_MPI
int processes() {
  int count;
  starpu_mpi_comm_size(MPI_COMM_WORLD, &count);
  return count;
}
int rank() {
  int number;
  starpu_mpi_comm_rank(MPI_COMM_WORLD, &number);
  return number;
}
void initialize() {
  check(starpu_mpi_init_conf(nullptr, nullptr, 1, MPI_COMM_WORLD, nullptr), "starpu_mpi_init_conf");
}
void shut_down() { starpu_mpi_shutdown(); }
int sum_of(int value) {
  int sum = 0;
  MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  return sum;
}
void own(starpu_data_handle_t handle, std::size_t tile) {
  starpu_mpi_data_register(handle, static_cast<starpu_mpi_tag_t>(tile),
                           static_cast<int>(tile) % processes());
}
template <class... Arguments>
int insert(Arguments... arguments) {
  return starpu_mpi_task_insert(MPI_COMM_WORLD, arguments...);
}
// Brings the tile to the first process.
void collect(starpu_data_handle_t handle) {
  starpu_mpi_get_data_on_node_detached(MPI_COMM_WORLD, handle, 0, nullptr, nullptr);
}
#else
int processes() { return 1; }
int rank() { return 0; }
void initialize() { check(starpu_init(nullptr), "starpu_init"); }
void shut_down() { starpu_shutdown(); }
int sum_of(int value) { return value; }
void own(starpu_data_handle_t, std::size_t) {}
template <class... Arguments>
int insert(Arguments... arguments) {
  return starpu_task_insert(arguments...);
}
void collect(starpu_data_handle_t) {}
#endif

using Tiles = std::vector<std::vector<double>>; // row by row

// Symmetric, and positive definite by its large diagonal.
Tiles make_matrix(int tiles, int size) {
  Tiles matrix(static_cast<std::size_t>(tiles) * tiles);
  for (int i = 0; i < tiles; ++i)
    for (int j = 0; j < tiles; ++j)
      for (int r = 0; r < size; ++r)
        for (int c = 0; c < size; ++c) {
          const int row = i * size + r, column = j * size + c;
          const double value = 1.0 / (1 + std::abs(row - column));
          matrix[static_cast<std::size_t>(i) * tiles + j].push_back(
              row == column ? value + tiles * size : value);
        }
  return matrix;
}

// Calls the operations in an order that is right if they run one after the other.
template <class Factorize, class Solve, class SubtractProduct>
void for_each_task(int tiles, Factorize factorize, Solve solve, SubtractProduct subtract_product) {
  const auto at = [tiles](int i, int j) { return static_cast<std::size_t>(i) * tiles + j; };
  for (int k = 0; k < tiles; ++k) {
    factorize(at(k, k));
    for (int i = k + 1; i < tiles; ++i)
      solve(at(k, k), at(i, k));
    for (int i = k + 1; i < tiles; ++i)
      for (int j = k + 1; j <= i; ++j)
        subtract_product(at(i, k), at(j, k), at(i, j));
  }
}

void factorize_with_starpu(Tiles& matrix, int tiles, int size) {
  auto factorize = make_codelet(
      "factorize",
      [](void** b, void*) {
        cholesky::factorize(tile_of(b[0]), size_of(b[0]));
        ++on_processors;
      },
      [](void** b, void*) { enqueue("factorize", b, 1, 0); }, {STARPU_RW});
  auto solve = make_codelet(
      "solve",
      [](void** b, void*) {
        cholesky::solve(tile_of(b[0]), tile_of(b[1]), size_of(b[0]));
        ++on_processors;
      },
      [](void** b, void*) { enqueue("solve", b, 2, 1); }, {STARPU_R, STARPU_RW});
  auto subtract_product = make_codelet(
      "subtract_product",
      [](void** b, void*) {
        cholesky::subtract_product(tile_of(b[0]), tile_of(b[1]), tile_of(b[2]), size_of(b[0]));
        ++on_processors;
      },
      [](void** b, void*) { enqueue("subtract_product", b, 3, 2); },
      {STARPU_R, STARPU_R, STARPU_RW});

  std::vector<starpu_data_handle_t> handles(matrix.size());
  const auto side = static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    const bool is_here = static_cast<int>(i) % processes() == rank();
    starpu_matrix_data_register(&handles[i], is_here ? STARPU_MAIN_RAM : -1,
                                is_here ? reinterpret_cast<std::uintptr_t>(matrix[i].data()) : 0,
                                side, side, side, sizeof(double));
    own(handles[i], i);
  }
  // The graph follows from who reads and who writes which tile.
  for_each_task(
      tiles, [&](std::size_t a) { check(insert(&factorize, STARPU_RW, handles[a], 0), "a task"); },
      [&](std::size_t a, std::size_t b) {
        check(insert(&solve, STARPU_R, handles[a], STARPU_RW, handles[b], 0), "a task");
      },
      [&](std::size_t a, std::size_t b, std::size_t c) {
        // A tile that is read twice is named twice: StarPU takes that for reading.
        check(insert(&subtract_product, STARPU_R, handles[a], STARPU_R, handles[b], STARPU_RW,
                     handles[c], 0),
              "a task");
      });
  for (auto* handle : handles)
    collect(handle);
  check(starpu_task_wait_for_all(), "the tasks");
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (rank() == 0) {
      check(starpu_data_acquire(handles[i], STARPU_R), "a tile");
      const auto* from = reinterpret_cast<const double*>(starpu_matrix_get_local_ptr(handles[i]));
      if (from != matrix[i].data())
        std::copy_n(from, matrix[i].size(), matrix[i].data());
      starpu_data_release(handles[i]);
    }
    starpu_data_unregister(handles[i]);
  }
}

// The largest difference between the matrix and the product of the factors, over the largest
// element.
double error_of(const Tiles& matrix, const Tiles& factor, int tiles, int size) {
  double largest = 0, error = 0;
  const auto lower = [&](int row, int p) {
    return p > row ? 0.0
                   : factor[static_cast<std::size_t>(row / size) * tiles + p / size]
                           [static_cast<std::size_t>(row % size) * size + p % size];
  };
  const int rows = tiles * size, step = rows / 16 + 1;
  for (int row = 0; row < rows; row += step)
    for (int column = 0; column <= row; ++column) {
      double sum = 0;
      for (int p = 0; p <= column; ++p)
        sum += lower(row, p) * lower(column, p);
      const double wanted = matrix[static_cast<std::size_t>(row / size) * tiles + column / size]
                                  [static_cast<std::size_t>(row % size) * size + column % size];
      largest = std::max(largest, std::abs(wanted));
      error = std::max(error, std::abs(sum - wanted));
    }
  return error / largest;
}

} // namespace

int main(int count, char** words) {
  const int tiles = count > 1 ? std::atoi(words[1]) : 0, size = count > 2 ? std::atoi(words[2]) : 0;
  if (tiles < 1 || tiles > 1000 || size < 1 || size > 4096) {
    std::fprintf(stderr, "usage: cholesky_starpu TILES SIZE\n");
    return 2;
  }
  const auto matrix = make_matrix(tiles, size);
  auto factor = matrix;
  initialize();
  if (starpu_opencl_worker_get_count() != 0)
    check(starpu_opencl_load_opencl_from_string(cholesky::kSource, &program, ""), "the kernels");
  const double start = starpu_timing_now();
  factorize_with_starpu(factor, tiles, size);
  const double seconds = (starpu_timing_now() - start) * 1e-6;
  const int processors = sum_of(on_processors), opencl = sum_of(on_opencl);
  const bool is_first = rank() == 0;
  if (is_first)
    std::printf(
        "workers of each process: %u processors, %u OpenCL\ntasks: %d on processors, %d on OpenCL\n"
        "processes: %d\nseconds: %.3f\n",
        starpu_cpu_worker_get_count(), starpu_opencl_worker_get_count(), processors, opencl,
        processes(), seconds);
  shut_down();
  if (!is_first)
    return 0;

  auto expected = matrix;
  for_each_task(
      tiles, [&](std::size_t a) { cholesky::factorize(expected[a].data(), size); },
      [&](std::size_t a, std::size_t b) {
        cholesky::solve(expected[a].data(), expected[b].data(), size);
      },
      [&](std::size_t a, std::size_t b, std::size_t c) {
        cholesky::subtract_product(expected[a].data(), expected[b].data(), expected[c].data(),
                                   size);
      });
  bool same = true;
  for (std::size_t i = 0; i < factor.size(); ++i)
    same = same && std::memcmp(factor[i].data(), expected[i].data(),
                               factor[i].size() * sizeof(double)) == 0;
  const double error = error_of(matrix, factor, tiles, size);
  std::printf("%s; error %.1e\n",
              same ? "equal to one task after the other, to the bit" : "DIFFERENT", error);
  return same && error < 1e-12 ? 0 : 1;
}
