// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and sub-buffers (OpenCL API 5.2): flags, read, write, copy, fill, migration.
#include "tests/api/api_test.h"

#include <algorithm>
#include <numeric>

namespace heddle::test {
namespace {

const size_t kHuge = ~size_t{0};

class BufferTest : public ApiTest {
 protected:
  cl_int create_status(cl_mem_flags flags, size_t size, void* host = nullptr) {
    cl_int status = 1;
    Buffer buffer(clCreateBuffer(context_, flags, size, host, &status));
    EXPECT_EQ(buffer.get() != nullptr, status == CL_SUCCESS);
    return status;
  }
  Buffer counting(size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE) {
    std::vector<unsigned char> bytes_in(bytes);
    std::iota(bytes_in.begin(), bytes_in.end(), 0);
    return make_buffer(context_, bytes, bytes_in.data(), flags);
  }
};

TEST_F(BufferTest, CreateErrors) {
  char host[64];
  EXPECT_EQ(create_status(CL_MEM_READ_WRITE, 0), CL_INVALID_BUFFER_SIZE);
  const auto largest = info<cl_ulong>(device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_EQ(create_status(CL_MEM_READ_WRITE, largest + 1), CL_INVALID_BUFFER_SIZE);
  for (const size_t size : {kHuge, kHuge - 1, kHuge - 63, kHuge - 4095, kHuge / 2, kHuge / 2 + 1})
    EXPECT_EQ(create_status(CL_MEM_READ_WRITE, size), CL_INVALID_BUFFER_SIZE) << size;
  EXPECT_EQ(create_status(CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY, 64), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 64), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY, 64), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(cl_mem_flags{1} << 50, 64), CL_INVALID_VALUE);
  EXPECT_EQ(create_status(CL_MEM_USE_HOST_PTR, 64, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create_status(CL_MEM_COPY_HOST_PTR, 64, nullptr), CL_INVALID_HOST_PTR);
  EXPECT_EQ(create_status(CL_MEM_READ_WRITE, 64, host), CL_INVALID_HOST_PTR);
  cl_int status = 1;
  const cl_mem_properties unknown[] = {0x7abc, 1, 0};
  EXPECT_EQ(
      clCreateBufferWithProperties(context_, unknown, CL_MEM_READ_WRITE, 64, nullptr, &status),
      nullptr);
  EXPECT_EQ(status, CL_INVALID_PROPERTY);
}

TEST_F(BufferTest, Info) {
  std::vector<char> host(256);
  const auto buffer =
      make_buffer(context_, host.size(), host.data(), CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY);
  for (const cl_uint name :
       {CL_MEM_TYPE, CL_MEM_FLAGS, CL_MEM_SIZE, CL_MEM_HOST_PTR, CL_MEM_MAP_COUNT,
        CL_MEM_REFERENCE_COUNT, CL_MEM_CONTEXT, CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_OFFSET,
        CL_MEM_USES_SVM_POINTER, CL_MEM_PROPERTIES})
    expect_info_contract([&](auto... a) { return clGetMemObjectInfo(buffer, a...); }, name);
  EXPECT_EQ(clGetMemObjectInfo(buffer, 0x7fff1234, 0, nullptr, nullptr), CL_INVALID_VALUE);
  const auto ask = [&]<class T>(cl_mem_info name, T value) {
    EXPECT_EQ(clGetMemObjectInfo(buffer, name, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(ask(CL_MEM_TYPE, cl_mem_object_type{}), cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(ask(CL_MEM_FLAGS, cl_mem_flags{}),
            cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY});
  EXPECT_EQ(ask(CL_MEM_SIZE, size_t{}), host.size());
  EXPECT_EQ(ask(CL_MEM_HOST_PTR, static_cast<void*>(nullptr)), host.data());
  EXPECT_EQ(ask(CL_MEM_CONTEXT, cl_context{}), context_.get());
  EXPECT_EQ(ask(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem{}), nullptr);
  EXPECT_EQ(ask(CL_MEM_REFERENCE_COUNT, cl_uint{}), 1u);
}

TEST_F(BufferTest, EveryFlag) {
  std::vector<cl_int> host(64);
  const auto program = build(
      context_, "kernel void k(global int* x) { x[get_global_id(0)] = get_global_id(0) + 5; }");
  const auto kernel = make_kernel(program, "k");
  for (const cl_mem_flags access : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY})
    for (const cl_mem_flags where :
         {0, CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
          CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR}) {
      const bool given = where & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
      cl_int status = 1;
      Buffer buffer(clCreateBuffer(context_, access | where, host.size() * 4,
                                   given ? host.data() : nullptr, &status));
      ASSERT_EQ(status, CL_SUCCESS);
      set_args(kernel, buffer);
      run(queue_, kernel, {{host.size()}, {}, {}});
      const auto values = read<cl_int>(queue_, buffer, host.size());
      for (size_t i = 0; i != host.size(); ++i)
        ASSERT_EQ(values[i], static_cast<cl_int>(i) + 5);
    }
}

// The kernel writes to the user's memory, where the results are after mapping.
TEST_F(BufferTest, UseHostPtrIsMapped) {
  alignas(4096) static cl_int host[1024];
  std::fill(std::begin(host), std::end(host), 3);
  const auto buffer =
      make_buffer(context_, sizeof host, host, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE);
  const auto program =
      build(context_, "kernel void k(global int* x) { x[get_global_id(0)] *= 2; }");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, buffer);
  run(queue_, kernel, {{1024}, {}, {}});
  cl_int status = 1;
  void* mapped = clEnqueueMapBuffer(queue_, buffer, CL_TRUE, CL_MAP_READ, 16, 64, 0, nullptr,
                                    nullptr, &status);
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(mapped, reinterpret_cast<char*>(host) + 16);
  EXPECT_EQ(host[7], 6);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue_, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
}

TEST_F(BufferTest, ReadWriteErrors) {
  const auto buffer = make_buffer(context_, 256);
  char data[512];
  const auto reading = [&](size_t offset, size_t size, void* to) {
    return clEnqueueReadBuffer(queue_, buffer, CL_TRUE, offset, size, to, 0, nullptr, nullptr);
  };
  const auto writing = [&](size_t offset, size_t size, const void* from) {
    return clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, offset, size, from, 0, nullptr, nullptr);
  };
  EXPECT_EQ(reading(0, 257, data), CL_INVALID_VALUE);
  EXPECT_EQ(reading(256, 1, data), CL_INVALID_VALUE);
  EXPECT_EQ(reading(0, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(writing(0, 257, data), CL_INVALID_VALUE);
  EXPECT_EQ(writing(0, 4, nullptr), CL_INVALID_VALUE);
  for (const size_t big : {kHuge, kHuge - 3, kHuge - 255, kHuge / 2 + 1}) {
    EXPECT_EQ(reading(big, 4, data), CL_INVALID_VALUE);
    EXPECT_EQ(reading(4, big, data), CL_INVALID_VALUE);
    EXPECT_EQ(reading(big, big, data), CL_INVALID_VALUE);
    EXPECT_EQ(writing(big, 4, data), CL_INVALID_VALUE);
    EXPECT_EQ(writing(4, big, data), CL_INVALID_VALUE);
  }
  EXPECT_EQ(reading(255, 1, data), CL_SUCCESS);
}

TEST_F(BufferTest, HostAccessFlags) {
  char data[16] = {};
  const auto none = make_buffer(context_, 16, nullptr, CL_MEM_HOST_NO_ACCESS);
  const auto read_only = make_buffer(context_, 16, nullptr, CL_MEM_HOST_READ_ONLY);
  const auto write_only = make_buffer(context_, 16, nullptr, CL_MEM_HOST_WRITE_ONLY);
  const auto reading = [&](cl_mem b) {
    return clEnqueueReadBuffer(queue_, b, CL_TRUE, 0, 16, data, 0, nullptr, nullptr);
  };
  const auto writing = [&](cl_mem b) {
    return clEnqueueWriteBuffer(queue_, b, CL_TRUE, 0, 16, data, 0, nullptr, nullptr);
  };
  const auto mapping = [&](cl_mem b, cl_map_flags flags) {
    cl_int status = 1;
    void* p = clEnqueueMapBuffer(queue_, b, CL_TRUE, flags, 0, 16, 0, nullptr, nullptr, &status);
    if (p)
      clEnqueueUnmapMemObject(queue_, b, p, 0, nullptr, nullptr);
    return status;
  };
  EXPECT_EQ(reading(none), CL_INVALID_OPERATION);
  EXPECT_EQ(writing(none), CL_INVALID_OPERATION);
  EXPECT_EQ(mapping(none, CL_MAP_READ), CL_INVALID_OPERATION);
  EXPECT_EQ(reading(read_only), CL_SUCCESS);
  EXPECT_EQ(writing(read_only), CL_INVALID_OPERATION);
  EXPECT_EQ(mapping(read_only, CL_MAP_READ), CL_SUCCESS);
  EXPECT_EQ(mapping(read_only, CL_MAP_WRITE), CL_INVALID_OPERATION);
  EXPECT_EQ(mapping(read_only, CL_MAP_WRITE_INVALIDATE_REGION), CL_INVALID_OPERATION);
  EXPECT_EQ(reading(write_only), CL_INVALID_OPERATION);
  EXPECT_EQ(writing(write_only), CL_SUCCESS);
  EXPECT_EQ(mapping(write_only, CL_MAP_READ), CL_INVALID_OPERATION);
  EXPECT_EQ(mapping(write_only, CL_MAP_WRITE), CL_SUCCESS);
}

TEST_F(BufferTest, BufferOfAnotherContext) {
  const auto other = make_context();
  const auto buffer = make_buffer(other, 64);
  const auto mine = make_buffer(context_, 64);
  char data[64];
  EXPECT_EQ(clEnqueueReadBuffer(queue_, buffer, CL_TRUE, 0, 4, data, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue_, buffer, CL_TRUE, 0, 4, data, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, buffer, mine, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, mine, buffer, 0, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueFillBuffer(queue_, buffer, data, 4, 0, 4, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue_, 1, buffer.address(), 0, 0, nullptr, nullptr),
            CL_INVALID_CONTEXT);
}

TEST_F(BufferTest, CopyErrors) {
  const auto a = make_buffer(context_, 256), b = make_buffer(context_, 256);
  const auto copying = [&](cl_mem from, cl_mem to, size_t source, size_t target, size_t size) {
    return clEnqueueCopyBuffer(queue_, from, to, source, target, size, 0, nullptr, nullptr);
  };
  EXPECT_EQ(copying(a, b, 0, 0, 257), CL_INVALID_VALUE);
  EXPECT_EQ(copying(a, b, 200, 0, 57), CL_INVALID_VALUE);
  EXPECT_EQ(copying(a, b, 0, 200, 57), CL_INVALID_VALUE);
  EXPECT_EQ(copying(a, a, 0, 10, 20), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copying(a, a, 10, 0, 20), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copying(a, a, 0, 20, 20), CL_SUCCESS);
  for (const size_t big : {kHuge, kHuge - 15, kHuge - 255}) {
    EXPECT_EQ(copying(a, b, big, 0, 16), CL_INVALID_VALUE);
    EXPECT_EQ(copying(a, b, 0, big, 16), CL_INVALID_VALUE);
    EXPECT_EQ(copying(a, b, 16, 16, big), CL_INVALID_VALUE);
  }
}

TEST_F(BufferTest, FillErrors) {
  const auto buffer = make_buffer(context_, 256);
  const char pattern[256] = {};
  const auto filling = [&](size_t pattern_size, size_t offset, size_t size, const void* from) {
    return clEnqueueFillBuffer(queue_, buffer, from, pattern_size, offset, size, 0, nullptr,
                               nullptr);
  };
  EXPECT_EQ(filling(4, 0, 16, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(filling(0, 0, 16, pattern), CL_INVALID_VALUE);
  for (const size_t wrong : {size_t{3}, size_t{5}, size_t{256}, kHuge})
    EXPECT_EQ(filling(wrong, 0, 0, pattern), CL_INVALID_VALUE) << wrong;
  EXPECT_EQ(filling(4, 2, 16, pattern), CL_INVALID_VALUE);
  EXPECT_EQ(filling(4, 0, 18, pattern), CL_INVALID_VALUE);
  EXPECT_EQ(filling(4, 0, 260, pattern), CL_INVALID_VALUE);
  EXPECT_EQ(filling(4, kHuge - 3, 8, pattern), CL_INVALID_VALUE);
  EXPECT_EQ(filling(4, 4, kHuge - 3, pattern), CL_INVALID_VALUE);
}

TEST_F(BufferTest, FillEveryPatternSize) {
  std::vector<unsigned char> model(1024, 0xee);
  const auto buffer = make_buffer(context_, model.size(), model.data());
  unsigned char pattern[128];
  std::iota(std::begin(pattern), std::end(pattern), 1);
  for (size_t size = 1; size <= 128; size *= 2) {
    ASSERT_EQ(
        clEnqueueFillBuffer(queue_, buffer, pattern, size, size, size * 3, 0, nullptr, nullptr),
        CL_SUCCESS);
    for (size_t i = 0; i != size * 3; ++i)
      model[size + i] = pattern[i % size];
    ASSERT_EQ(read<unsigned char>(queue_, buffer, model.size()), model) << size;
  }
}

TEST_F(BufferTest, PatternIsReadAtTheCall) {
  cl_int status = 1;
  Event gate(clCreateUserEvent(context_, &status));
  const auto buffer = make_buffer(context_, 64);
  cl_int pattern = 11;
  ASSERT_EQ(clEnqueueFillBuffer(queue_, buffer, &pattern, 4, 0, 64, 1, gate.address(), nullptr),
            CL_SUCCESS);
  pattern = 99;
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(queue_, buffer, 16), std::vector<cl_int>(16, 11));
}

TEST_F(BufferTest, NonBlocking) {
  const auto a = make_buffer(context_, 1 << 20), b = make_buffer(context_, 1 << 20);
  std::vector<cl_int> in(1 << 18), out(1 << 18);
  std::iota(in.begin(), in.end(), 0);
  Event written, copied, done;
  const auto queue = make_queue(context_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  ASSERT_EQ(
      clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 1 << 20, in.data(), 0, nullptr, written.out()),
      CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(queue, a, b, 0, 0, 1 << 20, 1, written.address(), copied.out()),
            CL_SUCCESS);
  ASSERT_EQ(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, 1 << 20, out.data(), 1, copied.address(),
                                done.out()),
            CL_SUCCESS);
  ASSERT_EQ(clWaitForEvents(1, done.address()), CL_SUCCESS);
  EXPECT_EQ(in, out);
}

TEST_F(BufferTest, SubBufferErrors) {
  const auto parent =
      make_buffer(context_, 4096, nullptr, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  const auto align = info<cl_uint>(device(), CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  const auto creating = [&](cl_mem of, cl_mem_flags flags, size_t origin, size_t size) {
    const cl_buffer_region region{origin, size};
    cl_int status = 1;
    Buffer made(clCreateSubBuffer(of, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
    return status;
  };
  EXPECT_EQ(creating(parent, 0, 0, 0), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(creating(parent, 0, 0, 4097), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, 0, 4096, 1), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, 0, kHuge - align + 1, align * 2), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, 0, align, kHuge - align + 2), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, 0, 1, 64), CL_MISALIGNED_SUB_BUFFER_OFFSET);
  EXPECT_EQ(creating(parent, CL_MEM_READ_WRITE, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, CL_MEM_WRITE_ONLY, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, CL_MEM_HOST_WRITE_ONLY, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, CL_MEM_USE_HOST_PTR, 0, 64), CL_INVALID_VALUE);
  EXPECT_EQ(creating(parent, CL_MEM_COPY_HOST_PTR, 0, 64), CL_INVALID_VALUE);
  cl_int status = 1;
  const cl_buffer_region region{0, 64};
  EXPECT_EQ(clCreateSubBuffer(parent, 0, 0x7abc, &region, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &status), nullptr);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  Buffer sub(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  EXPECT_EQ(creating(sub, 0, 0, 32), CL_INVALID_MEM_OBJECT);
}

TEST_F(BufferTest, SubBufferSharesMemory) {
  const auto align = info<cl_uint>(device(), CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
  auto parent = make_buffer(context_, align * 8, std::vector<char>(align * 8).data());
  cl_int status = 1;
  const cl_buffer_region region{align * 2, align};
  Buffer sub(
      clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  size_t offset = 0, size = 0;
  cl_mem associated = nullptr;
  ASSERT_EQ(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof offset, &offset, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof size, &size, nullptr), CL_SUCCESS);
  ASSERT_EQ(
      clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof associated, &associated, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(offset, align * 2);
  EXPECT_EQ(size, align);
  EXPECT_EQ(associated, parent.get());
  const auto program =
      build(context_, "kernel void k(global char* x) { x[get_global_id(0)] = 9; }");
  const auto kernel = make_kernel(program, "k");
  set_args(kernel, sub);
  run(queue_, kernel, {{align}, {}, {}});
  std::vector<char> model(align * 8);
  std::fill_n(model.begin() + align * 2, align, 9);
  EXPECT_EQ(read<char>(queue_, parent, model.size()), model);
  // Copies between parts of one buffer may not overlap (clEnqueueCopyBuffer).
  EXPECT_EQ(clEnqueueCopyBuffer(queue_, parent, sub, align * 2, 0, 16, 0, nullptr, nullptr),
            CL_MEM_COPY_OVERLAP);
  // A sub-buffer keeps its parent.
  parent.reset();
  EXPECT_EQ(read<char>(queue_, sub, align), std::vector<char>(align, 9));
}

TEST_F(BufferTest, SubBufferInheritsFlags) {
  const auto parent =
      make_buffer(context_, 4096, nullptr, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
  cl_int status = 1;
  const cl_buffer_region region{0, 64};
  Buffer sub(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status));
  ASSERT_EQ(status, CL_SUCCESS);
  cl_mem_flags flags = 0;
  ASSERT_EQ(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
  EXPECT_EQ(flags, cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS});
  char data[64];
  EXPECT_EQ(clEnqueueReadBuffer(queue_, sub, CL_TRUE, 0, 64, data, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
}

TEST_F(BufferTest, Migrate) {
  const auto a = counting(64), b = counting(128);
  const cl_mem both[] = {a, b};
  Event event;
  ASSERT_EQ(clEnqueueMigrateMemObjects(queue_, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr,
                                       event.out()),
            CL_SUCCESS);
  ASSERT_EQ(clEnqueueMigrateMemObjects(queue_, 2, both, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0,
                                       nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  EXPECT_EQ(event_status(event), CL_COMPLETE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue_, 0, both, 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue_, 2, nullptr, 0, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue_, 2, both, cl_mem_migration_flags{1} << 40, 0, nullptr,
                                       nullptr),
            CL_INVALID_VALUE);
}

struct DestructorOrder {
  std::vector<int>* seen;
  int number;
};
void CL_CALLBACK destroyed(cl_mem, void* data) {
  const auto* note = static_cast<DestructorOrder*>(data);
  note->seen->push_back(note->number);
}

TEST_F(BufferTest, DestructorCallbacksInReverse) {
  std::vector<int> seen;
  DestructorOrder first{&seen, 1}, second{&seen, 2};
  auto buffer = make_buffer(context_, 64);
  ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, destroyed, &first), CL_SUCCESS);
  ASSERT_EQ(clSetMemObjectDestructorCallback(buffer, destroyed, &second), CL_SUCCESS);
  EXPECT_EQ(clSetMemObjectDestructorCallback(buffer, nullptr, nullptr), CL_INVALID_VALUE);
  buffer.reset();
  EXPECT_EQ(seen, (std::vector<int>{2, 1}));
}

} // namespace
} // namespace heddle::test
