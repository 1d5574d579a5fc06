// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_arm_import_memory: memory of the host's and of files that can be mapped as a dma_buf can.
#include "tests/api/api_test.h"
#include "tests/api/shared_memory.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::test {
namespace {

class ImportMemory : public ApiTest {
 protected:
  Buffer import(const std::vector<cl_import_properties_arm>& properties, void* memory, size_t size,
                cl_int* status, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    return Buffer(import_(context_, flags, properties.empty() ? nullptr : properties.data(), memory,
                          size, status));
  }
  decltype(&clImportMemoryARM) import_ =
      extension<decltype(&clImportMemoryARM)>("clImportMemoryARM");
  const std::vector<cl_import_properties_arm> host_ = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM,
                                                       0};
  const std::vector<cl_import_properties_arm> dma_buf_ = {CL_IMPORT_TYPE_ARM,
                                                          CL_IMPORT_TYPE_DMA_BUF_ARM, 0};
};

TEST_F(ImportMemory, OfTheHost) {
  const auto kernel = make_kernel(
      build(context_, "kernel void k(global int* a) { a[get_global_id(0)] *= 2; }"), "k");
  for (const auto& properties : {std::vector<cl_import_properties_arm>(), {0}, host_}) {
    std::vector<cl_int> values(10'000);
    std::iota(values.begin(), values.end(), 0);
    cl_int status = 77;
    const auto buffer = import(properties, values.data() + 1, 4 * 9999, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    set_args(kernel, buffer);
    run(queue_, kernel, {{9999}, {}, {}});
    for (int i = 1; i != 10'000; ++i)
      ASSERT_EQ(values[i], 2 * i) << "no copy was made";
    cl_mem_flags flags = 0;
    check(clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), "CL_MEM_FLAGS");
    EXPECT_EQ(flags, cl_mem_flags(CL_MEM_READ_WRITE));
    EXPECT_EQ(read<cl_int>(queue_, buffer, 1, 9998)[0], 19'998);
  }
}

TEST_F(ImportMemory, OfAFile) {
  const size_t size = 5 << 20;
  int file = memfd_create("heddle-test", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, off_t(size)), 0);
  cl_int status = 77;
  auto consistent = dma_buf_;
  consistent.insert(consistent.begin(),
                    {CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, CL_TRUE});
  for (const auto& properties : {dma_buf_, consistent}) {
    const auto buffer = import(properties, &file, size, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    const cl_int seven = 7;
    check(clEnqueueFillBuffer(queue_, buffer, &seven, 4, 0, size, 0, nullptr, nullptr), "fill");
    check(clFinish(queue_), "clFinish");
    cl_int last = 0;
    ASSERT_EQ(pread(file, &last, 4, off_t(size - 4)), 4);
    EXPECT_EQ(last, 7);
    const cl_int nine = 9;
    ASSERT_EQ(pwrite(file, &nine, 4, 64), 4);
    EXPECT_EQ(read<cl_int>(queue_, buffer, 1, 16)[0], 9);
    // A part of it; the descriptor may go.
    const auto part = import(properties, &file, 100, &status);
    ASSERT_EQ(status, CL_SUCCESS);
    EXPECT_EQ(read<cl_int>(queue_, part, 1, 16)[0], 9);
  }
  const auto kept = import(dma_buf_, &file, 4096, &status);
  EXPECT_EQ(import(dma_buf_, &file, size + 1, &status).get(), nullptr);
  EXPECT_EQ(status, CL_INVALID_BUFFER_SIZE);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  close(file);
  EXPECT_EQ(read<cl_int>(queue_, kept, 1, 16)[0], 9);
  EXPECT_EQ(import(dma_buf_, &file, 4096, &status).get(), nullptr) << "a closed descriptor";
  EXPECT_EQ(status, CL_INVALID_VALUE);
}

TEST_F(ImportMemory, Errors) {
  std::vector<char> memory(4096);
  cl_int status = 77;
  const auto error = [&](const std::vector<cl_import_properties_arm>& properties, void* at,
                         size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    const auto buffer = import(properties, at, size, &status, flags);
    EXPECT_EQ(buffer.get() == nullptr, status != CL_SUCCESS);
    return status;
  };
  EXPECT_EQ(error(host_, memory.data(), 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(error(host_, memory.data(), SIZE_MAX), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(error(host_, nullptr, 64), CL_INVALID_VALUE);
  EXPECT_EQ(error(host_, memory.data(), 64, CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE);
  EXPECT_EQ(error(host_, memory.data(), 64, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY),
            CL_INVALID_VALUE);
  EXPECT_EQ(error(host_, memory.data(), 64, CL_MEM_USE_HOST_PTR | CL_MEM_HOST_NO_ACCESS),
            CL_SUCCESS);
  EXPECT_EQ(error({CL_IMPORT_TYPE_ARM, 7, 0}, memory.data(), 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({0x7777, 7, 0}, memory.data(), 64), CL_INVALID_PROPERTY);
  EXPECT_EQ(error({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, CL_IMPORT_TYPE_ARM,
                   CL_IMPORT_TYPE_HOST_ARM, 0},
                  memory.data(), 64),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(error({CL_IMPORT_TYPE_PROTECTED_ARM, CL_TRUE, 0}, memory.data(), 64),
            CL_INVALID_PROPERTY);
  EXPECT_EQ(
      error({CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, CL_TRUE, 0}, memory.data(), 64),
      CL_INVALID_PROPERTY);
  // Pages that are not mapped, in the middle too.
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto* pages = static_cast<char*>(
      mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(munmap(pages + page, page), 0);
  EXPECT_EQ(error(host_, pages + 100, page - 100), CL_SUCCESS);
  EXPECT_EQ(error(host_, pages + 100, page - 99), CL_INVALID_OPERATION);
  EXPECT_EQ(error(host_, pages, 3 * page), CL_INVALID_OPERATION);
  EXPECT_EQ(error(host_, pages + page, 1), CL_INVALID_OPERATION);
  munmap(pages, 3 * page);
  EXPECT_EQ(import_(nullptr, 0, nullptr, memory.data(), 64, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_CONTEXT);
}

} // namespace
} // namespace heddle::test
