// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() in a program that has used the driver: parent and child both continue, the child with new
// objects.
#include "tests/hostile/hostile.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace heddle::hostile;

static void child_of(const char* when) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    failures = 0;
    {
      Session own;
      expect_works(own, std::string("in the child ") + when);
      if (!failures) {
        // And its child.
        const pid_t grandchild = fork();
        if (grandchild == 0) {
          alarm(60);
          Session session;
          expect_works(session, "in the grandchild");
          _exit(failures ? 1 : 0);
        }
        int status = 0;
        waitpid(grandchild, &status, 0);
        expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the grandchild's end");
      }
    }
    exit(failures ? 1 : 0); // with destructors: what a real program does
  }
  int status = 0;
  waitpid(child, &status, 0);
  expect(WIFEXITED(status) && WEXITSTATUS(status) == 0,
         std::string("the child ") + when + " ended with status " + std::to_string(status));
}

static void body() {
  child_of("before the parent has used OpenCL");
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  child_of("after listing platforms");
  Session session;
  expect_works(session, "before the fork");
  child_of("after the parent has run kernels");
  expect_works(session, "in the parent");
  // With pending commands.
  const auto program =
      build(session.context, "kernel void k(global int* x) { x[get_global_id(0)] += 1; }");
  const auto kernel = make_kernel(program, "k");
  const auto buffer = make_buffer(session.context, 1 << 20, std::vector<char>(1 << 20).data());
  set_args(kernel, buffer);
  for (int i = 0; i != 200; ++i)
    check(enqueue(session.queue, kernel, {{1 << 18}, {}, {}}), "enqueue");
  check(clFlush(session.queue), "clFlush");
  child_of("with commands of the parent in flight");
  expect_status(clFinish(session.queue), CL_SUCCESS, "clFinish in the parent");
  const auto values = read<cl_int>(session.queue, buffer, 1 << 18);
  for (const auto value : values)
    if (value != 200) {
      expect(false, "the parent's results");
      break;
    }
}

int main() { return run_program(body); }
