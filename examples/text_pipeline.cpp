// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three kernels connected by two small pipes: the first decodes UTF-8, the second converts letters
// to lower case and everything between words to one space, the third encodes the result.
//
//   text_pipeline FILE > words.txt
//
// Each kernel is one work-item, because the start of a character depends on the preceding one; the
// three run concurrently, each on its own processor. The pipes hold 32 packets of 15 characters
// regardless of the text's length: a kernel that finds a pipe full or empty tries again.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

const char* kSource = R"(
// A packet: 0 to 15 characters of the text; an empty packet is the last.
typedef struct { uint count; uint characters[15]; } packet;

void send(write_only pipe packet p, packet* out) {
  while (write_pipe(p, out) != 0) {}
  out->count = 0;
}
void put(write_only pipe packet p, packet* out, uint character) {
  out->characters[out->count++] = character;
  if (out->count == 15) send(p, out);
}
void end(write_only pipe packet p, packet* out) {
  if (out->count != 0) send(p, out);
  send(p, out);
}

// Invalid UTF-8 is decoded to U+FFFD.
kernel void decode(global const uchar* text, ulong size, write_only pipe packet p) {
  packet out = {0};
  for (ulong i = 0; i < size;) {
    uint c = text[i++];
    int more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
    if (more < 0) c = 0xfffd;
    else if (more > 0) c &= 0x3f >> more;
    uint least = more == 2 ? 0x800 : more == 3 ? 0x10000 : 0;
    for (; more > 0; --more) {
      if (i == size || (text[i] & 0xc0) != 0x80) { c = 0xfffd; break; }
      c = c << 6 | text[i++] & 0x3f;
    }
    put(p, &out, c < least ? 0xfffd : c);
  }
  end(p, &out);
}

// Latin with accents, Greek, Cyrillic; digits.
uint fold(uint c) {
  if (c >= 'A' && c <= 'Z' || c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;
  if (c >= 0x100 && c <= 0x17f && c != 0x130 && c != 0x131 && c != 0x138 && c != 0x149 && c < 0x178)
    return c < 0x139 || c > 0x148 ? c | 1 : c + (c & 1);
  if (c >= 0x391 && c <= 0x3a9 || c >= 0x410 && c <= 0x42f) return c + 32;
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  return c;
}
bool in_word(uint c) {
  return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '\'' || c >= 0xdf && c <= 0x24f && c != 0xf7 ||
         c >= 0x3ac && c <= 0x3ce || c >= 0x430 && c <= 0x45f;
}
kernel void filter(read_only pipe packet from, write_only pipe packet to) {
  packet in, out = {0};
  bool space = true;
  do {
    while (read_pipe(from, &in) != 0) {}
    for (uint i = 0; i < in.count; ++i) {
      uint c = fold(in.characters[i]);
      bool word = in_word(c);
      if (word || !space) put(to, &out, word ? c : ' ');
      space = !word;
    }
  } while (in.count != 0);
  end(to, &out);
}

kernel void encode(read_only pipe packet p, global uchar* text, global ulong* size) {
  packet in;
  ulong n = 0;
  do {
    while (read_pipe(p, &in) != 0) {}
    for (uint i = 0; i < in.count; ++i) {
      uint c = in.characters[i];
      int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
      text[n++] = more == 0 ? c : (uchar)(0xff00 >> more + 1) | c >> 6 * more;
      for (; more > 0; --more) text[n++] = 0x80 | c >> 6 * (more - 1) & 0x3f;
    }
  } while (in.count != 0);
  *size = n;
}
)";

constexpr cl_uint kPacketBytes = 64;
constexpr cl_uint kPackets = 32;

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: error %d\n", what, error);
  std::exit(1);
}

template <class... Arguments>
cl_kernel make_kernel(cl_program program, const char* name, const Arguments&... arguments) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, name);
  cl_uint index = 0;
  (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments), name), ...);
  return kernel;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "text_pipeline FILE\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) {
    std::fprintf(stderr, "%s: cannot read the file, or it is empty\n", argv[1]);
    return 1;
  }

  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, nullptr), "clGetDeviceIDs");
  cl_bool has_pipes = CL_FALSE;
  clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, nullptr);
  if (!has_pipes) {
    std::fprintf(stderr, "the device does not support pipes\n");
    return 77;
  }
  cl_int error;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  // Out of order: the kernels run at the same time.
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &error);
  check(error, "clCreateCommandQueueWithProperties");
  cl_program program = clCreateProgramWithSource(context, 1, &kSource, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr), "clBuildProgram");

  // An invalid byte becomes nothing or one space, so the result is never longer than the text.
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, text.size(),
                             text.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, text.size(), nullptr, &error);
  check(error, "clCreateBuffer");
  cl_mem out_size = clCreateBuffer(context, CL_MEM_WRITE_ONLY, 8, nullptr, &error);
  check(error, "clCreateBuffer");
  cl_mem decoded = clCreatePipe(context, 0, kPacketBytes, kPackets, nullptr, &error);
  check(error, "clCreatePipe");
  cl_mem filtered = clCreatePipe(context, 0, kPacketBytes, kPackets, nullptr, &error);
  check(error, "clCreatePipe");

  const cl_kernel kernels[] = {
      make_kernel(program, "decode", in, cl_ulong{text.size()}, decoded),
      make_kernel(program, "filter", decoded, filtered),
      make_kernel(program, "encode", filtered, out, out_size),
  };
  const auto start = std::chrono::steady_clock::now();
  const size_t one = 1;
  for (const auto kernel : kernels)
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  cl_ulong size = 0;
  check(clEnqueueReadBuffer(queue, out_size, CL_TRUE, 0, 8, &size, 0, nullptr, nullptr), "size");
  std::string words(size, '\0');
  if (size != 0)
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, words.data(), 0, nullptr, nullptr),
          "text");
  std::fwrite(words.data(), 1, words.size(), stdout);
  std::fprintf(stderr, "%zu bytes in, %zu out, %.1f MB/s\n", text.size(), words.size(),
               double(text.size()) / taken.count() / 1e6);

  for (const auto kernel : kernels)
    clReleaseKernel(kernel);
  for (const auto memory : {in, out, out_size, decoded, filtered})
    clReleaseMemObject(memory);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
