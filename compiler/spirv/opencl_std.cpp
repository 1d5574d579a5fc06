// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpExtInst: the functions of OpenCL.std by their OpenCL C names.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
#include "llvm/ADT/StringSwitch.h"

namespace heddle::compiler::spirv {
namespace {

// What the types of a function's operands must be, from the first operand's or the result's.
enum class Shape {
  same,        // all operands have the result's type
  integer,     // the last operand is an integer of 32 bits for each component
  pointer,     // the last operand points to the result's type
  pointer_int, // the last operand points to integers of 32 bits, one for each component
  reduces,     // vectors in, their component out
  exponent,    // the result is integers of 32 bits
  bits,        // the operand is integers as wide as the result's components
  halves,      // operands are half as wide as the result
  select,      // the last operand is integers as wide as the others' components
};

Shape shape_of(llvm::StringRef name) {
  return llvm::StringSwitch<Shape>(name)
      .Cases({"ldexp", "pown", "rootn"}, Shape::integer)
      .Cases({"fract", "modf", "sincos"}, Shape::pointer)
      .Cases({"frexp", "lgamma_r", "remquo"}, Shape::pointer_int)
      .Cases({"distance", "length", "fast_distance", "fast_length"}, Shape::reduces)
      .Case("ilogb", Shape::exponent)
      .Case("nan", Shape::bits)
      .Cases({"s_upsample", "u_upsample"}, Shape::halves)
      .Case("select", Shape::select)
      .Default(Shape::same);
}

// Functions of numbers of either kind.
bool takes_either(llvm::StringRef name) { return name == "bitselect" || name == "select"; }

bool takes_integers(llvm::StringRef name) {
  return name.starts_with("s_") || name.starts_with("u_") || name == "clz" || name == "ctz" ||
         name == "rotate" || name == "popcount";
}

// OpenCL C's name: without the sign, and of the functions that are one in OpenCL C.
llvm::StringRef c_name(llvm::StringRef name) {
  name.consume_front("s_") || name.consume_front("u_");
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("fclamp", "clamp")
      .Case("fmax_common", "max")
      .Case("fmin_common", "min")
      .Default(name);
}

llvm::Type* with_component(llvm::Type* type, llvm::Type* component) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(component, vector->getNumElements());
  return component;
}

const char* rounding_suffix(Word mode) {
  constexpr const char* kSuffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  return mode < 4 ? kSuffixes[mode] : nullptr;
}

void extended(Translation& t, const Instruction& instruction) {
  const auto& set = t.id(instruction[3]);
  if (set.kind != IdKind::set)
    t.refuse("id " + llvm::Twine(instruction[3]) + " is not an instruction set");
  // OpExtInstWithForwardRefsKHR
  t.require(instruction.op == spv::Op::OpExtInst ||
                (set.index != kOpenClStd && set.index != kGroupAsyncCopies),
            "instructions that name later ids are of non-semantic sets");
  switch (set.index) {
  case kOpenClStd:
    t.require(t.function_number != 0, "the instruction stands inside of functions");
    return library_call(t, instruction);
  case kGroupAsyncCopies:
    return group_async_copies(t, instruction);
  case kOpenClDebug:
  case kShaderDebug:
    return t.debug.debug_instruction(instruction, set.index == kShaderDebug);
  default: // other NonSemantic sets
    t.new_id(instruction[2]).kind = IdKind::other;
    return;
  }
}

// vload*, vstore*, prefetch, shuffle and shuffle2.
void library_memory(Translation& t, const Instruction& instruction, llvm::StringRef name) {
  const auto given = instruction.from(5);
  const auto& result = t.result_type(instruction);
  const auto size = [&](Word number, const char* what) -> Argument {
    auto* word = t.builder.getInt64Ty();
    return {t.value_of(number, word, what), t.mangled(word, Sign::is_unsigned)};
  };
  const auto place_of = [&](Word number, const llvm::Type* content,
                            llvm::StringRef qualifiers) -> Argument {
    auto* place = t.pointer(number, "the pointer");
    t.require(t.is_untyped(number) || t.pointee(number).llvm == content,
              "the pointer is to what is loaded or stored");
    return {place, t.mangled_pointer(t.mangled(content, Sign::is_signed),
                                     place->getType()->getPointerAddressSpace(), qualifiers)};
  };
  if (name.starts_with("shuffle")) {
    const bool is_one = name == "shuffle";
    auto* from = t.value(given[0]);
    t.require(from->getType()->isVectorTy() && result.op == spv::Op::OpTypeVector &&
                  from->getType()->getScalarType() == result.llvm->getScalarType() &&
                  !from->getType()->isIntOrIntVectorTy(1),
              "the operands are vectors of the result's components");
    llvm::SmallVector<Argument, 3> arguments = {t.argument(from, Sign::is_signed)};
    if (!is_one)
      arguments.push_back(
          t.argument(t.value_of(given[1], from->getType(), "the second vector"), Sign::is_signed));
    auto* mask =
        with_component(result.llvm, t.builder.getIntNTy(result.llvm->getScalarSizeInBits()));
    arguments.push_back(
        t.argument(t.value_of(given[is_one ? 1 : 2], mask, "the mask"), Sign::is_unsigned));
    t.define_result(instruction, t.call_builtin(name, result.llvm, arguments, Effect::none));
    return;
  }
  if (name == "prefetch") {
    auto* place = t.pointer(given[0], "the pointer");
    t.require(place->getType()->getPointerAddressSpace() == kGlobal,
              "the pointer is CrossWorkgroup");
    (void)size(given[1], "the number of elements");
    t.require(result.op == spv::Op::OpTypeVoid, "the result is void");
    t.define_value(instruction[2], instruction[1], llvm::PoisonValue::get(t.builder.getVoidTy()));
    return; // a hint that the builtin library does not take either
  }
  auto* half = t.builder.getHalfTy();
  const bool is_half = name.contains("half");
  const bool is_aligned = name.starts_with("vloada") || name.starts_with("vstorea");
  if (name.starts_with("vload")) {
    auto* component = result.llvm->getScalarType();
    const bool is_vector = result.op == spv::Op::OpTypeVector;
    if (is_half)
      t.require(component->isFloatTy(), "halves are loaded as floats");
    t.require(is_vector != (name == "vload_half"),
              "the result is a vector, or of vload_half a number");
    t.require(!component->isIntegerTy(1) &&
                  (component->isIntegerTy() || component->isFloatingPointTy()),
              "what is loaded are numbers");
    std::string function = !is_half ? "vload" : is_aligned ? "vloada_half" : "vload_half";
    if (is_vector)
      function += std::to_string(result.count);
    if (!name.ends_with("half"))
      t.require(given.size() == 3 && given[2] == result.count,
                "the literal is the number of components");
    t.define_result(instruction,
                    t.call_builtin(function, result.llvm,
                                   {size(given[0], "the offset"),
                                    place_of(given[1], is_half ? half : component, "K")},
                                   Effect::reads));
    return;
  }
  // vstore*: data, offset, pointer and, of those with _r, the rounding mode.
  auto* data = t.value(given[0]);
  auto* component = data->getType()->getScalarType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(data->getType());
  t.require(component->isFloatingPointTy() ||
                (component->isIntegerTy() && !component->isIntegerTy(1)),
            "what is stored are numbers");
  if (is_half)
    t.require(component->isFloatTy() || component->isDoubleTy(),
              "floats and doubles become halves");
  const bool is_scalar = name == "vstore_half" || name == "vstore_half_r";
  t.require(is_scalar == (vector == nullptr), "the data is a vector, or of vstore_half a number");
  std::string function = !is_half ? "vstore" : is_aligned ? "vstorea_half" : "vstore_half";
  if (vector != nullptr)
    function += std::to_string(vector->getNumElements());
  if (name.ends_with("_r")) {
    const auto* suffix = given.size() > 3 ? rounding_suffix(given[3]) : nullptr;
    t.require(suffix != nullptr, "the rounding mode is known");
    function += suffix;
  }
  t.require(result.op == spv::Op::OpTypeVoid, "the result is void");
  auto* call = t.call_builtin(function, result.llvm,
                              {t.argument(data, Sign::is_signed), size(given[1], "the offset"),
                               place_of(given[2], is_half ? half : component, "")},
                              Effect::any);
  t.define_value(instruction[2], instruction[1], call);
}

void print(Translation& t, const Instruction& instruction) {
  t.require(t.result_type(instruction).llvm->isIntegerTy(32),
            "the result is an integer of 32 bits");
  auto* format = t.pointer(instruction[5], "the format");
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (const auto number : instruction.from(5))
    arguments.push_back(t.value(number));
  // Heddle reads the format where the printing is done, from whatever memory it is in.
  auto* constant_pointer = t.builder.getPtrTy(kConstant);
  if (format->getType() != constant_pointer)
    arguments[0] = t.builder.CreateIntToPtr(
        t.builder.CreatePtrToInt(format, t.builder.getInt64Ty()), constant_pointer);
  auto* type = llvm::FunctionType::get(t.builder.getInt32Ty(), {constant_pointer}, true);
  auto* function = t.module->getFunction("printf");
  if (function == nullptr || function->getFunctionType() != type || !function->isDeclaration()) {
    if (function != nullptr)
      function->setName("printf.cl");
    function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "printf", *t.module);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setDoesNotThrow();
    function->setConvergent();
  }
  auto* call = t.builder.CreateCall(type, function, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  t.define_result(instruction, call);
}

} // namespace

void library_call(Translation& t, const Instruction& instruction) {
  const auto* function = find_library_function(instruction[4]);
  if (function == nullptr)
    t.refuse("OpenCL.std has no instruction " + llvm::Twine(instruction[4]));
  const llvm::StringRef name = function->name;
  const auto given = instruction.from(5);
  if (given.size() < function->operands)
    t.refuse(name + " has " + llvm::Twine(function->operands) + " operands");
  if (name == "printf")
    return print(t, instruction);
  if (name.starts_with("vload") || name.starts_with("vstore") || name == "prefetch" ||
      name.starts_with("shuffle"))
    return library_memory(t, instruction, name);
  t.require(given.size() == function->operands, "the function has its operands");

  auto* result = t.sized_type(instruction[1], "the result");
  const auto shape = shape_of(name);
  auto* i32 = t.builder.getInt32Ty();
  const bool of_integers = takes_integers(name);
  auto* first = t.value(given[0])->getType();
  const bool is_integer = first->isIntOrIntVectorTy() && !first->isIntOrIntVectorTy(1);
  if (!takes_either(name))
    t.require(of_integers || shape == Shape::bits ? is_integer : first->isFPOrFPVectorTy(),
              "the operands are of the function's kind");
  else
    t.require(is_integer || first->isFPOrFPVectorTy(), "the operands are numbers");
  const auto sign =
      name.starts_with("u_") || shape == Shape::bits ? Sign::is_unsigned : Sign::is_signed;

  llvm::SmallVector<Argument, 4> arguments;
  for (unsigned i = 0; i < given.size(); ++i) {
    const bool is_last = i + 1 == given.size();
    auto* expected = result;
    switch (shape) {
    case Shape::integer:
      if (is_last)
        expected = with_component(result, i32);
      break;
    case Shape::pointer:
    case Shape::pointer_int:
      if (is_last) {
        auto* place = t.pointer(given[i], "the last operand");
        auto* written = shape == Shape::pointer ? result : with_component(result, i32);
        auto* content = t.is_untyped(given[i]) ? written : t.pointee(given[i]).llvm;
        t.require(content == written, "the last operand points to what the function writes");
        arguments.push_back({place, t.mangled_pointer(t.mangled(content, Sign::is_signed),
                                                      place->getType()->getPointerAddressSpace())});
        continue;
      }
      break;
    case Shape::reduces:
      t.require(first->getScalarType() == result, "the result is a component of the operands");
      expected = first;
      break;
    case Shape::exponent:
      t.require(result == with_component(first, i32),
                "the result is an integer for each component");
      expected = first;
      break;
    case Shape::bits:
      t.require(result->isFPOrFPVectorTy(), "the result is floating-point");
      expected = with_component(result, t.builder.getIntNTy(result->getScalarSizeInBits()));
      break;
    case Shape::halves:
      t.require(result->isIntOrIntVectorTy() && result->getScalarSizeInBits() >= 16,
                "the result is of integers of at least 16 bits");
      expected = with_component(result, t.builder.getIntNTy(result->getScalarSizeInBits() / 2));
      // The lower half is unsigned in either function.
      arguments.push_back(t.argument(t.value_of(given[i], expected, "an operand"),
                                     i == 0 ? sign : Sign::is_unsigned));
      continue;
    case Shape::select:
      if (is_last)
        expected = with_component(result, t.builder.getIntNTy(result->getScalarSizeInBits()));
      break;
    default:
      break;
    }
    arguments.push_back(t.argument(t.value_of(given[i], expected, "an operand"), sign));
  }
  const bool writes = shape == Shape::pointer || shape == Shape::pointer_int;
  auto* call = t.call_builtin(c_name(name), result, arguments, writes ? Effect::any : Effect::none);
  if (result->isFPOrFPVectorTy()) {
    t.set_fast_math(instruction[2]);
    auto flags = t.builder.getFastMathFlags();
    flags.setAllowContract(t.fast_math.allowContract());
    call->setFastMathFlags(flags);
    if (name == "sqrt" && t.divides_roughly && result->getScalarType()->isFloatTy())
      call->setMetadata(
          llvm::LLVMContext::MD_fpmath,
          llvm::MDNode::get(t.context, llvm::ConstantAsMetadata::get(
                                           llvm::ConstantFP::get(t.builder.getFloatTy(), 3.0))));
  }
  t.define_result(instruction, call);
}

void add_extended_instructions(Readers& readers) {
  for (const auto op : {spv::Op::OpExtInst, op(4433)}) { // OpExtInstWithForwardRefsKHR
    readers.add(extended, {op});
    readers.add_outside(extended, {op});
  }
}

} // namespace heddle::compiler::spirv
