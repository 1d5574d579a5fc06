// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, functions and conversions of halves (cl_khr_fp16), for every half where there is one
// argument. Run for each kind of CPU: with instructions for halves, with conversions only, with
// neither.
#include "tests/api/api_test.h"
#include "tests/api/half_bits.h"

#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>

namespace heddle::test {
namespace {

constexpr size_t kEvery = 65536;

std::vector<cl_half> every_half() {
  std::vector<cl_half> all(kEvery);
  for (size_t i = 0; i != kEvery; ++i)
    all[i] = static_cast<cl_half>(i);
  return all;
}

// Pairs and triples: each special value with each, then random bits.
std::vector<cl_half> arguments(unsigned which, unsigned count) {
  const cl_half special[] = {0x0000, 0x0001, 0x0002, 0x03ff, 0x0400, 0x0401, 0x07ff, 0x1400,
                             0x2e66, 0x37ff, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00,
                             0x4000, 0x4200, 0x5bff, 0x63ff, 0x6400, 0x6401, 0x7800, 0x7bfe,
                             0x7bff, 0x7c00, 0x7e00, 0x8000, 0x8001, 0x83ff, 0x8400, 0xb800,
                             0xbc00, 0xbc01, 0xc200, 0xe400, 0xfbff, 0xfc00};
  constexpr size_t kSpecial = std::size(special);
  std::vector<cl_half> values;
  size_t combinations = 1, stride = 1;
  for (unsigned i = 0; i != count; ++i) {
    combinations *= kSpecial;
    stride *= i < which ? kSpecial : 1;
  }
  for (size_t i = 0; i != combinations; ++i)
    values.push_back(special[i / stride % kSpecial]);
  std::mt19937 random(which);
  for (unsigned i = 0; i != 1U << 18; ++i)
    values.push_back(static_cast<cl_half>(random()));
  values.resize(values.size() / 64 * 64);
  return values;
}

std::string source(const char* expression) {
  return std::string("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                     "#pragma OPENCL FP_CONTRACT OFF\n"
                     "kernel void k(global half* out, global const half* in_a, global const half* "
                     "in_b, global const half* in_c) { size_t i = get_global_id(0);"
                     "half a = in_a[i], b = in_b[i], c = in_c[i]; out[i] = ") +
         expression + "; }";
}

bool is_same(cl_half got, cl_half wanted) {
  return got == wanted || (is_nan_half(got) && is_nan_half(wanted));
}

TEST(Half, OperationsOnTwoRoundOnce) {
  const auto a = arguments(0, 2), b = arguments(1, 2);
  struct {
    const char* expression;
    double (*wanted)(double, double);
  } const operations[] = {
      {"a + b", [](double x, double y) { return x + y; }},
      {"a - b", [](double x, double y) { return x - y; }},
      {"a * b", [](double x, double y) { return x * y; }},
      {"a / b", [](double x, double y) { return x / y; }},
      {"fmod(a, b)", [](double x, double y) { return std::fmod(x, y); }},
      {"remainder(a, b)", [](double x, double y) { return std::remainder(x, y); }},
      {"fmin(a, b)", [](double x, double y) { return std::fmin(x, y); }},
      {"fmax(a, b)", [](double x, double y) { return std::fmax(x, y); }},
      {"fdim(a, b)", [](double x, double y) { return std::fdim(x, y); }},
      {"copysign(a, b)", [](double x, double y) { return std::copysign(x, y); }},
      {"(half)(a < b)", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
      {"(half)(a != b)", [](double x, double y) { return x != y ? 1.0 : 0.0; }},
      {"(half)isunordered(a, b)",
       [](double x, double y) { return std::isunordered(x, y) ? 1.0 : 0.0; }},
      {"((half4)(a, b, -a, b) + (half4)(b, a, b, -a)).s3",
       [](double x, double y) { return y - x; }},
  };
  for (const auto& operation : operations) {
    const auto out = compute<cl_half>(source(operation.expression), "", {{a.size()}, {64}, {}},
                                      a.size(), a, b, b);
    int failures = 0;
    for (size_t i = 0; i != a.size() && failures < 5; ++i) {
      // A zero of either sign may be the smaller one.
      const auto wanted = to_half(operation.wanted(half_value(a[i]), half_value(b[i])));
      if (!is_same(out[i], wanted) &&
          !(operation.expression[0] == 'f' && (out[i] & 0x7fff) == 0 && (wanted & 0x7fff) == 0)) {
        ++failures;
        ADD_FAILURE() << operation.expression << std::hex << " of " << a[i] << ", " << b[i] << ": "
                      << out[i] << ", not " << wanted;
      }
    }
  }
}

// Exactly, in units of 2^-48.
cl_half exact_fma(cl_half a, cl_half b, cl_half c) {
  const double x = half_value(a), y = half_value(b), z = half_value(c);
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z) || x * y == 0 || z == 0)
    return to_half(x * y + z);
  const auto units = [](double value, int bits) {
    return static_cast<__int128>(std::ldexp(value, bits));
  };
  const __int128 sum = units(x, 24) * units(y, 24) + units(z, 24) * (__int128{1} << 24);
  if (sum == 0)
    return to_half(x * y + z);
  const auto nearest = static_cast<double>(sum);
  const auto back = static_cast<__int128>(nearest);
  return to_half(std::ldexp(nearest, -48), HalfRounding::nearest,
                 sum > back   ? 1
                 : sum < back ? -1
                              : 0);
}

TEST(Half, FusedMultiplyAddRoundsOnce) {
  auto a = arguments(0, 3), b = arguments(1, 3), c = arguments(2, 3);
  // Products whose sum with a number is next to the middle of two halves.
  std::mt19937 random(7);
  for (unsigned i = 0; i != 1U << 18; ++i) {
    const auto odd = static_cast<cl_half>(0x3c01 + 2 * (random() % 512));
    a.push_back(odd);
    b.push_back(static_cast<cl_half>(0x1001 + random() % 0x2000));
    c.push_back(static_cast<cl_half>((random() & 0x8000) | (0x4000 + random() % 0x2000)));
  }
  for (const char* expression :
       {"fma(a, b, c)", "fma((half2)(c, a), (half2)(b, b), (half2)(a, c)).y"}) {
    const auto out =
        compute<cl_half>(source(expression), "", {{a.size()}, {64}, {}}, a.size(), a, b, c);
    int failures = 0;
    for (size_t i = 0; i != a.size() && failures < 5; ++i)
      if (const auto wanted = exact_fma(a[i], b[i], c[i]); !is_same(out[i], wanted)) {
        ++failures;
        ADD_FAILURE() << expression << std::hex << " of " << a[i] << ", " << b[i] << ", " << c[i]
                      << ": " << out[i] << ", not " << wanted;
      }
  }
}

// mad is one or the other (OpenCL C 7.4).
TEST(Half, MultiplyAddIsFusedOrRoundsTwice) {
  const auto a = arguments(0, 3), b = arguments(1, 3), c = arguments(2, 3);
  const auto out =
      compute<cl_half>(source("mad(a, b, c)"), "", {{a.size()}, {64}, {}}, a.size(), a, b, c);
  for (size_t i = 0; i != a.size(); ++i) {
    const auto twice =
        to_half(half_value(to_half(half_value(a[i]) * half_value(b[i]))) + half_value(c[i]));
    ASSERT_TRUE(is_same(out[i], twice) || is_same(out[i], exact_fma(a[i], b[i], c[i])))
        << std::hex << a[i] << ", " << b[i] << ", " << c[i] << ": " << out[i];
  }
}

struct Unary {
  const char* expression;
  double (*wanted)(double);
  bool is_exact = false; // correctly rounded, with the sign of zero
};
constexpr double kPi = 3.14159265358979323846;
// The argument is reduced exactly.
double sine_pi(double x) {
  const double r = std::remainder(x, 2.0);
  return std::fabs(r) == 1 || r == 0 ? 0 : std::sin(kPi * r);
}
double cosine_pi(double x) {
  const double r = std::fabs(std::remainder(x, 2.0));
  return r == 0.5 ? 0 : std::cos(kPi * r);
}
const Unary kUnary[] = {
    {"-a", [](double x) { return -x; }, true},
    {"fabs(a)", [](double x) { return std::fabs(x); }, true},
    {"sqrt(a)", [](double x) { return std::sqrt(x); }, true},
    {"floor(a)", [](double x) { return std::floor(x); }, true},
    {"ceil(a)", [](double x) { return std::ceil(x); }, true},
    {"trunc(a)", [](double x) { return std::trunc(x); }, true},
    {"round(a)", [](double x) { return std::round(x); }, true},
    {"rint(a)", [](double x) { return std::nearbyint(x); }, true},
    {"(half)1 / a", [](double x) { return 1 / x; }, true},
    {"logb(a)", [](double x) { return std::logb(x); }, true},
    {"rsqrt(a)", [](double x) { return 1 / std::sqrt(x); }},
    {"cbrt(a)", [](double x) { return std::cbrt(x); }},
    {"exp(a)", [](double x) { return std::exp(x); }},
    {"exp2(a)", [](double x) { return std::exp2(x); }},
    {"exp10(a)", [](double x) { return std::pow(10.0, x); }},
    {"expm1(a)", [](double x) { return std::expm1(x); }},
    {"log(a)", [](double x) { return std::log(x); }},
    {"log2(a)", [](double x) { return std::log2(x); }},
    {"log10(a)", [](double x) { return std::log10(x); }},
    {"log1p(a)", [](double x) { return std::log1p(x); }},
    {"sin(a)", [](double x) { return std::sin(x); }},
    {"cos(a)", [](double x) { return std::cos(x); }},
    {"tan(a)", [](double x) { return std::tan(x); }},
    {"sinpi(a)", sine_pi},
    {"cospi(a)", cosine_pi},
    {"asin(a)", [](double x) { return std::asin(x); }},
    {"acos(a)", [](double x) { return std::acos(x); }},
    {"atan(a)", [](double x) { return std::atan(x); }},
    {"asinpi(a)", [](double x) { return std::asin(x) / kPi; }},
    {"acospi(a)", [](double x) { return std::acos(x) / kPi; }},
    {"atanpi(a)", [](double x) { return std::atan(x) / kPi; }},
    {"sinh(a)", [](double x) { return std::sinh(x); }},
    {"cosh(a)", [](double x) { return std::cosh(x); }},
    {"tanh(a)", [](double x) { return std::tanh(x); }},
    {"asinh(a)", [](double x) { return std::asinh(x); }},
    {"acosh(a)", [](double x) { return std::acosh(x); }},
    {"atanh(a)", [](double x) { return std::atanh(x); }},
    {"erf(a)", [](double x) { return std::erf(x); }},
    {"erfc(a)", [](double x) { return std::erfc(x); }},
    {"tgamma(a)", [](double x) { return std::tgamma(x); }},
    {"pown(a, 3)", [](double x) { return x * x * x; }},
    {"rootn(a, 3)", [](double x) { return std::cbrt(x); }},
    {"ldexp(a, -9)", [](double x) { return std::ldexp(x, -9); }, true},
    {"ldexp(a, 7)", [](double x) { return std::ldexp(x, 7); }, true},
};

// All functions are computed in float or better and rounded once more.
constexpr double kMaxUlp = 0.52;

TEST(Half, FunctionsOfEveryHalf) {
  std::ostringstream text;
  text << "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
          "kernel void k(global half* out, global const half* in) {"
          "size_t i = get_global_id(0); half a = in[i];";
  for (size_t f = 0; f != std::size(kUnary); ++f)
    text << "out[" << f << " * get_global_size(0) + i] = " << kUnary[f].expression << ";\n";
  text << "}";
  const auto in = every_half();
  const auto out =
      compute<cl_half>(text.str(), "", {{kEvery}, {64}, {}}, kEvery * std::size(kUnary), in);
  for (size_t f = 0; f != std::size(kUnary); ++f) {
    const auto& function = kUnary[f];
    int failures = 0;
    for (size_t i = 0; i != kEvery && failures < 5; ++i) {
      const auto got = out[f * kEvery + i];
      const double exact = function.wanted(half_value(in[i]));
      const auto wanted = to_half(exact);
      const double error = std::fabs(half_value(got) - exact) / half_ulp(exact);
      if (is_same(got, wanted) ||
          (!function.is_exact && (error <= kMaxUlp || (exact == 0 && (got & 0x7fff) == 0))))
        continue;
      ++failures;
      ADD_FAILURE() << function.expression << " of " << std::hex << in[i] << ": " << got << ", not "
                    << wanted << ", " << error << " ulp";
    }
  }
}

struct Mode {
  const char* suffix;
  HalfRounding how;
};
constexpr Mode kModes[] = {{"", HalfRounding::nearest},
                           {"_rte", HalfRounding::nearest},
                           {"_rtz", HalfRounding::zero},
                           {"_rtp", HalfRounding::up},
                           {"_rtn", HalfRounding::down}};

template <class T>
void check_to_half(const char* type, const std::vector<T>& in) {
  for (const auto& mode : kModes) {
    const auto name = std::string("convert_half") + mode.suffix;
    const auto out =
        compute<cl_half>("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global "
                         "half* out, global const " +
                             std::string(type) +
                             "* in) { size_t i = get_global_id(0); out[i] = " + name + "(in[i]); }",
                         "", {{in.size()}, {}, {}}, in.size(), in);
    int failures = 0;
    for (size_t i = 0; i != in.size() && failures < 5; ++i)
      if (const auto wanted = to_half(static_cast<double>(in[i]), mode.how);
          !is_same(out[i], wanted)) {
        ++failures;
        ADD_FAILURE() << name << " of " << type << ' ' << +in[i] << ": " << std::hex << out[i]
                      << ", not " << wanted;
      }
  }
}

// Every half, the middles between halves, and their neighbors.
template <class T>
std::vector<T> around_halves() {
  std::vector<T> values;
  for (unsigned bits = 0; bits != kEvery; ++bits) {
    const auto here = half_value(static_cast<cl_half>(bits));
    const auto next = half_value(static_cast<cl_half>(bits + 1));
    const auto middle =
        static_cast<T>(std::isfinite(next) ? (here + next) / 2 : here + half_ulp(here) / 2);
    const auto infinity = std::numeric_limits<T>::infinity();
    for (const T value : {static_cast<T>(here), middle, std::nextafter(middle, infinity),
                          std::nextafter(middle, -infinity)})
      values.push_back(value);
  }
  return values;
}

TEST(Half, ConversionsFromFloatAndDouble) {
  check_to_half("float", around_halves<cl_float>());
  check_to_half("double", around_halves<cl_double>());
}

template <class T>
std::vector<T> integers() {
  std::vector<T> values;
  for (const auto value : around_halves<double>())
    if (value >= static_cast<double>(std::numeric_limits<T>::min()) &&
        value < static_cast<double>(std::numeric_limits<T>::max()))
      values.push_back(static_cast<T>(value));
  std::mt19937_64 random(3);
  for (int i = 0; i != 4096; ++i)
    values.push_back(static_cast<T>(random() >> (random() & 63)));
  values.push_back(std::numeric_limits<T>::max());
  values.push_back(std::numeric_limits<T>::min());
  return values;
}

TEST(Half, ConversionsFromIntegers) {
  check_to_half("char", integers<cl_char>());
  check_to_half("ushort", integers<cl_ushort>());
  check_to_half("short", integers<cl_short>());
  check_to_half("int", integers<cl_int>());
  check_to_half("uint", integers<cl_uint>());
  check_to_half("long", integers<cl_long>());
  check_to_half("ulong", integers<cl_ulong>());
}

template <class T>
void check_saturation(const char* type) {
  const auto in = every_half();
  const auto out = compute<T>(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global " + std::string(type) +
          "* out, global const half* in) { size_t i = get_global_id(0); out[i] = convert_" + type +
          "_sat_rte(in[i]); }",
      "", {{kEvery}, {64}, {}}, kEvery, in);
  const auto low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  for (size_t i = 0; i != kEvery; ++i) {
    const double x = std::nearbyint(half_value(in[i]));
    const T wanted = std::isnan(x)                    ? T{0}
                     : x <= static_cast<double>(low)  ? low
                     : x >= static_cast<double>(high) ? high
                                                      : static_cast<T>(x);
    ASSERT_EQ(out[i], wanted) << type << " of " << half_value(in[i]);
  }
}

TEST(Half, ConversionsToIntegersSaturate) {
  check_saturation<cl_char>("char");
  check_saturation<cl_uchar>("uchar");
  check_saturation<cl_short>("short");
  check_saturation<cl_ushort>("ushort");
  check_saturation<cl_int>("int");
  check_saturation<cl_uint>("uint");
  check_saturation<cl_long>("long");
  check_saturation<cl_ulong>("ulong");
}

TEST(Half, DeviceReportsIt) {
  EXPECT_NE(device_text(CL_DEVICE_EXTENSIONS).find("cl_khr_fp16"), std::string::npos);
  const auto config = info<cl_device_fp_config>(device(), CL_DEVICE_HALF_FP_CONFIG);
  EXPECT_EQ(config, cl_device_fp_config{CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                        CL_FP_ROUND_TO_ZERO | CL_FP_FMA});
}

} // namespace
} // namespace heddle::test
