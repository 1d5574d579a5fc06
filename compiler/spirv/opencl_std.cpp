// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpExtInst: the functions of OpenCL.std by their OpenCL C names.
#include "compiler/ir/address_space.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/translator.h"
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

} // namespace

void Translator::extended(const Instruction& instruction) {
  const auto& set = id(instruction[3]);
  if (set.kind != IdKind::set)
    refuse("id " + llvm::Twine(instruction[3]) + " is not an instruction set");
  // OpExtInstWithForwardRefsKHR
  require(instruction.op == spv::Op::OpExtInst ||
              (set.index != kOpenClStd && set.index != kGroupAsyncCopies),
          "instructions that name later ids are of non-semantic sets");
  switch (set.index) {
  case kOpenClStd:
    require(function_ != 0, "the instruction stands inside of functions");
    return library_call(instruction);
  case kGroupAsyncCopies:
    return group_async_copies(instruction);
  case kOpenClDebug:
  case kShaderDebug:
    return debug_instruction(instruction, set.index == kShaderDebug);
  default: // other NonSemantic sets
    new_id(instruction[2]).kind = IdKind::other;
    return;
  }
}

void Translator::library_call(const Instruction& instruction) {
  const auto* function = find_library_function(instruction[4]);
  if (function == nullptr)
    refuse("OpenCL.std has no instruction " + llvm::Twine(instruction[4]));
  const llvm::StringRef name = function->name;
  const auto given = instruction.from(5);
  if (given.size() < function->operands)
    refuse(name + " has " + llvm::Twine(function->operands) + " operands");
  if (name == "printf")
    return print(instruction);
  if (name.starts_with("vload") || name.starts_with("vstore") || name == "prefetch" ||
      name.starts_with("shuffle"))
    return library_memory(instruction, name);
  require(given.size() == function->operands, "the function has its operands");

  auto* result = sized_type(instruction[1], "the result");
  const auto shape = shape_of(name);
  auto* i32 = builder_.getInt32Ty();
  const bool of_integers = takes_integers(name);
  auto* first = value(given[0])->getType();
  const bool is_integer = first->isIntOrIntVectorTy() && !first->isIntOrIntVectorTy(1);
  if (!takes_either(name))
    require(of_integers || shape == Shape::bits ? is_integer : first->isFPOrFPVectorTy(),
            "the operands are of the function's kind");
  else
    require(is_integer || first->isFPOrFPVectorTy(), "the operands are numbers");
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
        auto* place = pointer(given[i], "the last operand");
        auto* written = shape == Shape::pointer ? result : with_component(result, i32);
        auto* content = is_untyped(given[i]) ? written : pointee(given[i]).llvm;
        require(content == written, "the last operand points to what the function writes");
        arguments.push_back({place, mangled_pointer(mangled(content, Sign::is_signed),
                                                    place->getType()->getPointerAddressSpace())});
        continue;
      }
      break;
    case Shape::reduces:
      require(first->getScalarType() == result, "the result is a component of the operands");
      expected = first;
      break;
    case Shape::exponent:
      require(result == with_component(first, i32), "the result is an integer for each component");
      expected = first;
      break;
    case Shape::bits:
      require(result->isFPOrFPVectorTy(), "the result is floating-point");
      expected = with_component(result, builder_.getIntNTy(result->getScalarSizeInBits()));
      break;
    case Shape::halves:
      require(result->isIntOrIntVectorTy() && result->getScalarSizeInBits() >= 16,
              "the result is of integers of at least 16 bits");
      expected = with_component(result, builder_.getIntNTy(result->getScalarSizeInBits() / 2));
      // The lower half is unsigned in either function.
      arguments.push_back(
          argument(value_of(given[i], expected, "an operand"), i == 0 ? sign : Sign::is_unsigned));
      continue;
    case Shape::select:
      if (is_last)
        expected = with_component(result, builder_.getIntNTy(result->getScalarSizeInBits()));
      break;
    default:
      break;
    }
    arguments.push_back(argument(value_of(given[i], expected, "an operand"), sign));
  }
  const bool writes = shape == Shape::pointer || shape == Shape::pointer_int;
  auto* call = call_builtin(c_name(name), result, arguments, writes ? Effect::any : Effect::none);
  if (result->isFPOrFPVectorTy()) {
    set_fast_math(instruction[2]);
    auto flags = builder_.getFastMathFlags();
    flags.setAllowContract(fast_math_.allowContract());
    call->setFastMathFlags(flags);
    if (name == "sqrt" && divides_roughly_ && result->getScalarType()->isFloatTy())
      call->setMetadata(
          llvm::LLVMContext::MD_fpmath,
          llvm::MDNode::get(context_, llvm::ConstantAsMetadata::get(
                                          llvm::ConstantFP::get(builder_.getFloatTy(), 3.0))));
  }
  define_result(instruction, call);
}

// vload*, vstore*, prefetch, shuffle and shuffle2.
void Translator::library_memory(const Instruction& instruction, llvm::StringRef name) {
  const auto given = instruction.from(5);
  const auto& result = result_type(instruction);
  const auto size = [&](Word number, const char* what) -> Argument {
    auto* word = builder_.getInt64Ty();
    return {value_of(number, word, what), mangled(word, Sign::is_unsigned)};
  };
  const auto place_of = [&](Word number, const llvm::Type* content,
                            llvm::StringRef qualifiers) -> Argument {
    auto* place = pointer(number, "the pointer");
    require(is_untyped(number) || pointee(number).llvm == content,
            "the pointer is to what is loaded or stored");
    return {place, mangled_pointer(mangled(content, Sign::is_signed),
                                   place->getType()->getPointerAddressSpace(), qualifiers)};
  };
  if (name.starts_with("shuffle")) {
    const bool is_one = name == "shuffle";
    auto* from = value(given[0]);
    require(from->getType()->isVectorTy() && result.op == spv::Op::OpTypeVector &&
                from->getType()->getScalarType() == result.llvm->getScalarType() &&
                !from->getType()->isIntOrIntVectorTy(1),
            "the operands are vectors of the result's components");
    llvm::SmallVector<Argument, 3> arguments = {argument(from, Sign::is_signed)};
    if (!is_one)
      arguments.push_back(
          argument(value_of(given[1], from->getType(), "the second vector"), Sign::is_signed));
    auto* mask =
        with_component(result.llvm, builder_.getIntNTy(result.llvm->getScalarSizeInBits()));
    arguments.push_back(
        argument(value_of(given[is_one ? 1 : 2], mask, "the mask"), Sign::is_unsigned));
    define_result(instruction, call_builtin(name, result.llvm, arguments, Effect::none));
    return;
  }
  if (name == "prefetch") {
    auto* place = pointer(given[0], "the pointer");
    require(place->getType()->getPointerAddressSpace() == kGlobal, "the pointer is CrossWorkgroup");
    (void)size(given[1], "the number of elements");
    require(result.op == spv::Op::OpTypeVoid, "the result is void");
    define_value(instruction[2], instruction[1], llvm::PoisonValue::get(builder_.getVoidTy()));
    return; // a hint that the builtin library does not take either
  }
  auto* half = builder_.getHalfTy();
  const bool is_half = name.contains("half");
  const bool is_aligned = name.starts_with("vloada") || name.starts_with("vstorea");
  if (name.starts_with("vload")) {
    auto* component = result.llvm->getScalarType();
    const bool is_vector = result.op == spv::Op::OpTypeVector;
    if (is_half)
      require(component->isFloatTy(), "halves are loaded as floats");
    require(is_vector != (name == "vload_half"),
            "the result is a vector, or of vload_half a number");
    require(!component->isIntegerTy(1) &&
                (component->isIntegerTy() || component->isFloatingPointTy()),
            "what is loaded are numbers");
    std::string function = !is_half ? "vload" : is_aligned ? "vloada_half" : "vload_half";
    if (is_vector)
      function += std::to_string(result.count);
    if (!name.ends_with("half"))
      require(given.size() == 3 && given[2] == result.count,
              "the literal is the number of components");
    define_result(instruction, call_builtin(function, result.llvm,
                                            {size(given[0], "the offset"),
                                             place_of(given[1], is_half ? half : component, "K")},
                                            Effect::reads));
    return;
  }
  // vstore*: data, offset, pointer and, of those with _r, the rounding mode.
  auto* data = value(given[0]);
  auto* component = data->getType()->getScalarType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(data->getType());
  require(component->isFloatingPointTy() ||
              (component->isIntegerTy() && !component->isIntegerTy(1)),
          "what is stored are numbers");
  if (is_half)
    require(component->isFloatTy() || component->isDoubleTy(), "floats and doubles become halves");
  const bool is_scalar = name == "vstore_half" || name == "vstore_half_r";
  require(is_scalar == (vector == nullptr), "the data is a vector, or of vstore_half a number");
  std::string function = !is_half ? "vstore" : is_aligned ? "vstorea_half" : "vstore_half";
  if (vector != nullptr)
    function += std::to_string(vector->getNumElements());
  if (name.ends_with("_r")) {
    const auto* suffix = given.size() > 3 ? rounding_suffix(given[3]) : nullptr;
    require(suffix != nullptr, "the rounding mode is known");
    function += suffix;
  }
  require(result.op == spv::Op::OpTypeVoid, "the result is void");
  auto* call = call_builtin(function, result.llvm,
                            {argument(data, Sign::is_signed), size(given[1], "the offset"),
                             place_of(given[2], is_half ? half : component, "")},
                            Effect::any);
  define_value(instruction[2], instruction[1], call);
}

void Translator::print(const Instruction& instruction) {
  require(result_type(instruction).llvm->isIntegerTy(32), "the result is an integer of 32 bits");
  auto* format = pointer(instruction[5], "the format");
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (const auto number : instruction.from(5))
    arguments.push_back(value(number));
  // Heddle reads the format where the printing is done, from whatever memory it is in.
  auto* constant_pointer = builder_.getPtrTy(kConstant);
  if (format->getType() != constant_pointer)
    arguments[0] = builder_.CreateIntToPtr(builder_.CreatePtrToInt(format, builder_.getInt64Ty()),
                                           constant_pointer);
  auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), {constant_pointer}, true);
  auto* function = module_->getFunction("printf");
  if (function == nullptr || function->getFunctionType() != type || !function->isDeclaration()) {
    if (function != nullptr)
      function->setName("printf.cl");
    function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "printf", *module_);
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setDoesNotThrow();
    function->setConvergent();
  }
  auto* call = builder_.CreateCall(type, function, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  define_result(instruction, call);
}

} // namespace heddle::compiler::spirv
