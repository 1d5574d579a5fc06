// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_mutable_dispatch: updates of recorded kernels, deferred arguments, queries
// and errors.
#include "command_buffer_harness.h"

#include <algorithm>

namespace {

using namespace conformance;
using namespace command_buffers;

const cl_properties kMutableProperties[] = {FLAGS, MUTABLE, 0};

class CommandBufferUpdates : public CommandBufferTest {
 protected:
  void SetUp() override {
    if (!has_extension("cl_khr_command_buffer_mutable_dispatch"))
      GTEST_SKIP() << "no cl_khr_command_buffer_mutable_dispatch";
    CommandBufferTest::SetUp();
    fields = info<cl_bitfield>(clGetDeviceInfo, device, DEVICE_MUTABLE_CAPABILITIES);
  }
  cl_int update(BufferHandle buffer, const DispatchConfig& config) {
    const cl_uint type = UPDATE_DISPATCH;
    const void* configs[] = {&config};
    return api.update(buffer, 1, &type, configs);
  }
  cl_int set_term(BufferHandle buffer, CommandHandle command, cl_int term) {
    const DispatchArgument argument{2, sizeof term, &term};
    DispatchConfig config{};
    config.command = command;
    config.num_args = 1;
    config.arg_list = &argument;
    return update(buffer, config);
  }
  template <class T>
  std::vector<T> command_info(CommandHandle command, cl_uint name) {
    size_t size = 0;
    EXPECT_CL(api.command_info(command, name, 0, nullptr, &size));
    std::vector<T> values(size / sizeof(T));
    if (size != 0) {
      EXPECT_CL(api.command_info(command, name, size, values.data(), nullptr));
    }
    return values;
  }

  cl_bitfield fields = 0;
};

TEST_F(CommandBufferUpdates, ChangesValuesAndMemory) {
  SPEC("clUpdateMutableCommandsKHR");
  if (!(fields & FIELD_ARGUMENTS))
    GTEST_SKIP();
  const auto first = make_zeros(kItems), second = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  CommandHandle command = nullptr;
  record_step(recorded, first, 1, 5, 0, nullptr, nullptr, &command);
  ASSERT_NE(command, nullptr);
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(set_term(recorded, command, 30));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  const DispatchArgument argument{0, sizeof(cl_mem), second.ptr()};
  DispatchConfig config{};
  config.command = command;
  config.num_args = 1;
  config.arg_list = &argument;
  ASSERT_CL(update(recorded, config));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(first, kItems), std::vector<cl_int>(kItems, 35));
  EXPECT_EQ(read<cl_int>(second, kItems), std::vector<cl_int>(kItems, 30));
}

// What has been enqueued before an update runs as it was.
TEST_F(CommandBufferUpdates, DoNotChangeWhatIsEnqueued) {
  SPEC("clUpdateMutableCommandsKHR");
  if (!(fields & FIELD_ARGUMENTS))
    GTEST_SKIP();
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  CommandHandle command = nullptr;
  record_step(recorded, buffer, 3, 0, 0, nullptr, nullptr, &command);
  record_step(recorded, buffer, 3, 1);
  ASSERT_CL(api.finalize(recorded));
  cl_int error = CL_SUCCESS;
  const Event gate(clCreateUserEvent(context, &error));
  ASSERT_CL(error);
  cl_int expected = 0;
  for (cl_int term = 0; term < 10; ++term) {
    ASSERT_CL(set_term(recorded, command, term));
    ASSERT_CL(api.enqueue(0, nullptr, recorded, term == 0 ? 1 : 0, term == 0 ? gate.ptr() : nullptr,
                          nullptr));
    expected = static_cast<cl_int>(9u * static_cast<cl_uint>(expected) +
                                   3u * static_cast<cl_uint>(term) + 1u);
  }
  ASSERT_CL(set_term(recorded, command, 1000));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, expected));
}

// Replays that may run at the same time, each with its own arguments.
TEST_F(CommandBufferUpdates, SimultaneousUse) {
  SPEC("simultaneous use");
  const auto capabilities = info<cl_bitfield>(clGetDeviceInfo, device, DEVICE_CAPABILITIES);
  if (!(fields & FIELD_ARGUMENTS) || !(capabilities & CAPABILITY_SIMULTANEOUS_USE) ||
      !supports(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    GTEST_SKIP();
  const auto free = make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const cl_properties properties[] = {FLAGS, MUTABLE | SIMULTANEOUS_USE, 0};
  const auto recorded = create(free, properties);
  std::vector<Memory> buffers;
  for (int i = 0; i < 16; ++i)
    buffers.push_back(make_zeros(kItems));
  CommandHandle command = nullptr;
  record_step(recorded, buffers[0], 1, 1, 0, nullptr, nullptr, &command);
  ASSERT_CL(api.finalize(recorded));
  for (cl_int i = 0; i < 16; ++i) {
    const cl_int term = 100 + i;
    const DispatchArgument arguments[] = {{0, sizeof(cl_mem), buffers[size_t(i)].ptr()},
                                          {2, sizeof term, &term}};
    DispatchConfig config{};
    config.command = command;
    config.num_args = 2;
    config.arg_list = arguments;
    ASSERT_CL(update(recorded, config));
    ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  }
  ASSERT_CL(clFinish(free));
  for (cl_int i = 0; i < 16; ++i)
    EXPECT_EQ(read<cl_int>(buffers[size_t(i)], kItems), std::vector<cl_int>(kItems, 100 + i));
}

TEST_F(CommandBufferUpdates, ChangesSizes) {
  SPEC("DispatchConfig");
  constexpr cl_bitfield kSizes = FIELD_GLOBAL_SIZE | FIELD_GLOBAL_OFFSET | FIELD_LOCAL_SIZE;
  if ((fields & kSizes) != kSizes)
    GTEST_SKIP();
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  set_step(buffer, 1, 1);
  CommandHandle command = nullptr;
  const size_t local = 8;
  ASSERT_CL(api.kernel(recorded, nullptr, nullptr, step, 1, nullptr, &kItems, &local, 0, nullptr,
                       nullptr, &command));
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  const size_t offset = 16, global = 32, smaller = 4;
  DispatchConfig config{};
  config.command = command;
  config.work_dim = 1;
  config.global_work_offset = &offset;
  config.global_work_size = &global;
  config.local_work_size = &smaller;
  ASSERT_CL(update(recorded, config));
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_GLOBAL_WORK_OFFSET),
            std::vector<size_t>{offset});
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_GLOBAL_WORK_SIZE), std::vector<size_t>{global});
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_LOCAL_WORK_SIZE), std::vector<size_t>{smaller});
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  std::vector<cl_int> expected(kItems, 1);
  std::fill_n(expected.begin() + 16, 32, 2);
  EXPECT_EQ(read<cl_int>(buffer, kItems), expected);
}

TEST_F(CommandBufferUpdates, SvmArguments) {
  SPEC("DispatchConfig, arg_svm_list");
  const auto svm =
      info<cl_device_svm_capabilities>(clGetDeviceInfo, device, CL_DEVICE_SVM_CAPABILITIES);
  if (!(fields & FIELD_ARGUMENTS) || !(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
    GTEST_SKIP();
  const auto buffer = make_zeros(kItems);
  auto* memory =
      static_cast<cl_int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, kItems * sizeof(cl_int), 0));
  ASSERT_NE(memory, nullptr);
  const cl_int zero = 0;
  ASSERT_CL(clEnqueueSVMMemFill(queue, memory, &zero, sizeof zero, kItems * sizeof(cl_int), 0,
                                nullptr, nullptr));
  const auto recorded = create(queue, kMutableProperties);
  CommandHandle command = nullptr;
  record_step(recorded, buffer, 1, 9, 0, nullptr, nullptr, &command);
  ASSERT_CL(api.finalize(recorded));
  const DispatchArgument argument{0, 0, memory};
  DispatchConfig config{};
  config.command = command;
  config.num_svm_args = 1;
  config.arg_svm_list = &argument;
  ASSERT_CL(update(recorded, config));
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, kItems * sizeof(cl_int), 0,
                            nullptr, nullptr));
  EXPECT_TRUE(std::all_of(memory, memory + kItems, [](cl_int x) { return x == 9; }));
  ASSERT_CL(clEnqueueSVMUnmap(queue, memory, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 0));
  clSVMFree(context, memory);
}

TEST_F(CommandBufferUpdates, DeferredArguments) {
  SPEC("Command-Buffer Lifecycle, Finalized");
  if (!(fields & FIELD_ARGUMENTS))
    GTEST_SKIP();
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  cl_int error = CL_SUCCESS;
  const Kernel unset(clCreateKernel(program, "affine", &error));
  ASSERT_CL(error);
  const cl_int factor = 1, term = 4;
  ASSERT_CL(clSetKernelArg(unset, 1, sizeof factor, &factor));
  ASSERT_CL(clSetKernelArg(unset, 2, sizeof term, &term));
  const cl_properties properties[] = {UPDATABLE_FIELDS, FIELD_ARGUMENTS, 0};
  CommandHandle command = nullptr;
  ASSERT_CL(api.kernel(recorded, nullptr, properties, unset, 1, nullptr, &kItems, nullptr, 0,
                       nullptr, nullptr, &command));
  ASSERT_CL(api.finalize(recorded));
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_STATE), STATE_FINALIZED);
  EXPECT_EQ(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  const DispatchArgument argument{0, sizeof(cl_mem), buffer.ptr()};
  DispatchConfig config{};
  config.command = command;
  config.num_args = 1;
  config.arg_list = &argument;
  ASSERT_CL(update(recorded, config));
  EXPECT_EQ(buffer_info<cl_uint>(recorded, INFO_STATE), STATE_EXECUTABLE);
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 4));
}

TEST_F(CommandBufferUpdates, Queries) {
  SPEC("clGetMutableCommandInfoKHR");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  set_step(buffer, 1, 1);
  const size_t global[2] = {16, 4}, local[2] = {4, 2};
  const cl_properties properties[] = {UPDATABLE_FIELDS, fields & FIELD_ARGUMENTS, 0};
  CommandHandle command = nullptr;
  ASSERT_CL(api.kernel(recorded, nullptr, properties, step, 2, nullptr, global, local, 0, nullptr,
                       nullptr, &command));
  EXPECT_EQ(command_info<cl_command_queue>(command, COMMAND_QUEUE),
            std::vector<cl_command_queue>{queue.get()});
  EXPECT_EQ(command_info<BufferHandle>(command, COMMAND_BUFFER),
            std::vector<BufferHandle>{recorded});
  EXPECT_EQ(command_info<cl_command_type>(command, COMMAND_COMMAND_TYPE),
            std::vector<cl_command_type>{CL_COMMAND_NDRANGE_KERNEL});
  EXPECT_EQ(command_info<cl_kernel>(command, DISPATCH_KERNEL), std::vector<cl_kernel>{step.get()});
  EXPECT_EQ(command_info<cl_uint>(command, DISPATCH_DIMENSIONS), std::vector<cl_uint>{2});
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_GLOBAL_WORK_SIZE),
            std::vector<size_t>(global, global + 2));
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_LOCAL_WORK_SIZE),
            std::vector<size_t>(local, local + 2));
  EXPECT_EQ(command_info<size_t>(command, DISPATCH_GLOBAL_WORK_OFFSET),
            (std::vector<size_t>{0, 0}));
  EXPECT_EQ(command_info<cl_properties>(command, COMMAND_PROPERTIES_ARRAY),
            std::vector<cl_properties>(properties, properties + 3));
  EXPECT_EQ(api.command_info(command, 0xffff, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.command_info(nullptr, COMMAND_QUEUE, 0, nullptr, nullptr), INVALID_MUTABLE_COMMAND);
}

TEST_F(CommandBufferUpdates, Errors) {
  SPEC("clUpdateMutableCommandsKHR");
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties),
             other = create(queue, kMutableProperties);
  set_step(buffer, 1, 1);
  const cl_properties nothing[] = {UPDATABLE_FIELDS, 0, 0};
  CommandHandle fixed = nullptr, command = nullptr, foreign = nullptr;
  ASSERT_CL(api.kernel(recorded, nullptr, nothing, step, 1, nullptr, &kItems, nullptr, 0, nullptr,
                       nullptr, &fixed));
  record_step(recorded, buffer, 1, 1, 0, nullptr, nullptr, &command);
  record_step(other, buffer, 1, 1, 0, nullptr, nullptr, &foreign);
  EXPECT_EQ(set_term(recorded, command, 1), CL_INVALID_OPERATION) << "not finalized";
  ASSERT_CL(api.finalize(recorded));
  ASSERT_CL(api.finalize(other));
  EXPECT_EQ(set_term(nullptr, command, 1), INVALID_COMMAND_BUFFER);
  EXPECT_EQ(set_term(recorded, nullptr, 1), INVALID_MUTABLE_COMMAND);
  EXPECT_EQ(set_term(recorded, foreign, 1), INVALID_MUTABLE_COMMAND);
  EXPECT_EQ(set_term(recorded, fixed, 1), CL_INVALID_OPERATION);
  const cl_uint type = UPDATE_DISPATCH, unknown = 99;
  DispatchConfig config{};
  config.command = command;
  const void* configs[] = {&config};
  const void* null_config[] = {nullptr};
  EXPECT_EQ(api.update(recorded, 1, nullptr, configs), CL_INVALID_VALUE);
  EXPECT_EQ(api.update(recorded, 1, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(api.update(recorded, 0, &type, configs), CL_INVALID_VALUE);
  EXPECT_EQ(api.update(recorded, 1, &unknown, configs), CL_INVALID_VALUE);
  EXPECT_EQ(api.update(recorded, 1, &type, null_config), CL_INVALID_VALUE);
  config.num_args = 1;
  EXPECT_EQ(update(recorded, config), CL_INVALID_VALUE);
  const cl_int value = 1;
  const DispatchArgument bad_index{9, sizeof value, &value}, bad_size{1, 1, &value};
  config.arg_list = &bad_index;
  EXPECT_EQ(update(recorded, config), CL_INVALID_ARG_INDEX);
  config.arg_list = &bad_size;
  EXPECT_EQ(update(recorded, config), CL_INVALID_ARG_SIZE);
  config = {};
  config.command = command;
  config.work_dim = 2;
  EXPECT_EQ(update(recorded, config), CL_INVALID_OPERATION);
  // A handle ends with its command buffer, and only mutable buffers are updated.
  {
    const auto constant = create();
    CommandHandle handle = nullptr;
    record_step(constant, buffer, 1, 1, 0, nullptr, nullptr, &handle);
    ASSERT_CL(api.finalize(constant));
    EXPECT_EQ(set_term(constant, handle, 2), CL_INVALID_OPERATION);
  }
}

// An update that is refused changes nothing.
TEST_F(CommandBufferUpdates, AreAllOrNothing) {
  SPEC("clUpdateMutableCommandsKHR");
  if (!(fields & FIELD_ARGUMENTS))
    GTEST_SKIP();
  const auto buffer = make_zeros(kItems);
  const auto recorded = create(queue, kMutableProperties);
  CommandHandle command = nullptr;
  record_step(recorded, buffer, 1, 1, 0, nullptr, nullptr, &command);
  ASSERT_CL(api.finalize(recorded));
  const cl_int term = 50;
  const DispatchArgument good{2, sizeof term, &term}, bad{9, sizeof term, &term};
  DispatchConfig first{}, second{};
  first.command = second.command = command;
  first.num_args = second.num_args = 1;
  first.arg_list = &good;
  second.arg_list = &bad;
  const cl_uint types[] = {UPDATE_DISPATCH, UPDATE_DISPATCH};
  const void* configs[] = {&first, &second};
  EXPECT_EQ(api.update(recorded, 2, types, configs), CL_INVALID_ARG_INDEX);
  ASSERT_CL(api.enqueue(0, nullptr, recorded, 0, nullptr, nullptr));
  EXPECT_EQ(read<cl_int>(buffer, kItems), std::vector<cl_int>(kItems, 1));
}

TEST_F(CommandBufferUpdates, AssertedGroupsNeedALocalSize) {
  SPEC("clCommandNDRangeKernelKHR");
  const auto buffer = make_zeros(kItems);
  set_step(buffer, 1, 1);
  const cl_properties of_buffer[] = {FLAGS, MUTABLE, BUFFER_ASSERTS,
                                     ASSERT_NO_ADDITIONAL_WORK_GROUPS, 0};
  const cl_properties of_command[] = {DISPATCH_ASSERTS, ASSERT_NO_ADDITIONAL_WORK_GROUPS, 0};
  const auto asserting = create(queue, of_buffer), recorded = create(queue, kMutableProperties);
  const size_t local = 8;
  for (const bool has_local : {false, true}) {
    const auto* size = has_local ? &local : nullptr;
    const cl_int expected = has_local ? CL_SUCCESS : CL_INVALID_VALUE;
    EXPECT_EQ(api.kernel(asserting, nullptr, nullptr, step, 1, nullptr, &kItems, size, 0, nullptr,
                         nullptr, nullptr),
              expected);
    EXPECT_EQ(api.kernel(recorded, nullptr, of_command, step, 1, nullptr, &kItems, size, 0, nullptr,
                         nullptr, nullptr),
              expected);
  }
}

} // namespace
