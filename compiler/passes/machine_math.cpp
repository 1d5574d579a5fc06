#include "compiler/passes/machine_math.h"

#include "compiler/codegen/target.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr llvm::StringLiteral kPrefix = "__heddle_math_";

// The instructions for registers of 128, 256 and 512 bits, of floats and of doubles.
struct Step {
  llvm::StringLiteral name;
  intrinsic::ID single[3], twice[3];
  int immediate; // below 0: none
  bool has_rounding;
};

// An immediate of getmant: significands in [3/4, 3/2), NaN for negative numbers.
constexpr int kAroundOne = 3 | 2 << 2;
// Rounding as the thread's state says.
constexpr int kCurrentRounding = 4;

constexpr Step kSteps[] = {
    {"scale",
     {intrinsic::x86_avx512_mask_scalef_ps_128, intrinsic::x86_avx512_mask_scalef_ps_256,
      intrinsic::x86_avx512_mask_scalef_ps_512},
     {intrinsic::x86_avx512_mask_scalef_pd_128, intrinsic::x86_avx512_mask_scalef_pd_256,
      intrinsic::x86_avx512_mask_scalef_pd_512},
     -1,
     true},
    {"exponent",
     {intrinsic::x86_avx512_mask_getexp_ps_128, intrinsic::x86_avx512_mask_getexp_ps_256,
      intrinsic::x86_avx512_mask_getexp_ps_512},
     {intrinsic::x86_avx512_mask_getexp_pd_128, intrinsic::x86_avx512_mask_getexp_pd_256,
      intrinsic::x86_avx512_mask_getexp_pd_512},
     -1,
     true},
    {"mantissa",
     {intrinsic::x86_avx512_mask_getmant_ps_128, intrinsic::x86_avx512_mask_getmant_ps_256,
      intrinsic::x86_avx512_mask_getmant_ps_512},
     {intrinsic::x86_avx512_mask_getmant_pd_128, intrinsic::x86_avx512_mask_getmant_pd_256,
      intrinsic::x86_avx512_mask_getmant_pd_512},
     kAroundOne,
     true},
    {"rsqrt",
     {intrinsic::x86_avx512_rsqrt14_ps_128, intrinsic::x86_avx512_rsqrt14_ps_256,
      intrinsic::x86_avx512_rsqrt14_ps_512},
     {intrinsic::x86_avx512_rsqrt14_pd_128, intrinsic::x86_avx512_rsqrt14_pd_256,
      intrinsic::x86_avx512_rsqrt14_pd_512},
     -1,
     false},
};

const Step* find_step(llvm::StringRef name) {
  if (!name.consume_front(kPrefix))
    return nullptr;
  for (const auto& step : kSteps)
    if (name.starts_with(step.name))
      return &step;
  return nullptr;
}

// One instruction for operands that fill a register.
llvm::Value* one_register(const Step& step, llvm::IRBuilder<>& builder,
                          llvm::ArrayRef<llvm::Value*> operands) {
  auto* type = llvm::cast<llvm::FixedVectorType>(operands[0]->getType());
  const unsigned elements = type->getNumElements();
  const auto bits = elements * type->getScalarSizeInBits();
  const unsigned size = bits == 512 ? 2 : bits == 256 ? 1 : 0;
  llvm::SmallVector<llvm::Value*, 6> arguments(operands);
  if (step.immediate >= 0)
    arguments.push_back(builder.getInt32(static_cast<unsigned>(step.immediate)));
  // What masked elements would keep, and the mask.
  arguments.push_back(llvm::Constant::getNullValue(type));
  arguments.push_back(
      llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(elements, 8U))));
  if (step.has_rounding && size == 2)
    arguments.push_back(builder.getInt32(kCurrentRounding));
  return builder.CreateIntrinsic(
      (type->getElementType()->isFloatTy() ? step.single : step.twice)[size], {}, arguments);
}

llvm::Value* lowered(const Step& step, llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  auto* type = call.getType();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const unsigned width = vector != nullptr ? vector->getNumElements() : 1;
  const unsigned element_bits = type->getScalarSizeInBits();
  const unsigned each = std::clamp(width * element_bits, 128U, 512U) / element_bits;
  auto* chunk_type = llvm::FixedVectorType::get(type->getScalarType(), each);
  llvm::Value* result = nullptr;
  for (unsigned first = 0; first < width; first += each) {
    llvm::SmallVector<llvm::Value*, 2> operands;
    for (auto& argument : call.args()) {
      llvm::Value* operand = argument.get();
      if (vector == nullptr) {
        operand = builder.CreateInsertElement(llvm::Constant::getNullValue(chunk_type), operand,
                                              std::uint64_t{0});
      } else if (width != each) {
        llvm::SmallVector<int, 16> picked;
        for (unsigned i = 0; i < each; ++i)
          picked.push_back(static_cast<int>(std::min(first + i, width - 1)));
        operand = builder.CreateShuffleVector(operand, picked);
      }
      operands.push_back(operand);
    }
    auto* part = one_register(step, builder, operands);
    if (vector == nullptr)
      return builder.CreateExtractElement(part, std::uint64_t{0});
    if (width == each)
      return part;
    // All parts are of the same size, so each is put where it belongs in the whole.
    llvm::SmallVector<int, 64> spread(width, -1);
    for (unsigned i = 0; i < each && first + i < width; ++i)
      spread[first + i] = static_cast<int>(i);
    auto* placed = builder.CreateShuffleVector(part, spread);
    if (result == nullptr) {
      result = placed;
      continue;
    }
    llvm::SmallVector<int, 64> joined;
    for (unsigned i = 0; i < width; ++i)
      joined.push_back(static_cast<int>(i < first ? i : width + i));
    result = builder.CreateShuffleVector(result, placed, joined);
  }
  return result;
}

} // namespace

void keep_machine_math(llvm::Module& module, const llvm::TargetMachine& target) {
  if (!has_feature(target, "avx512f") || !has_feature(target, "avx512vl"))
    return;
  for (auto& function : module) {
    if (find_step(function.getName()) == nullptr)
      continue;
    function.deleteBody();
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
    function.addFnAttr(llvm::Attribute::Speculatable);
  }
}

bool is_machine_math(const llvm::Function& function) {
  return function.isDeclaration() && find_step(function.getName()) != nullptr;
}

llvm::Function* widen_machine_math(llvm::Function& function, unsigned width) {
  auto* type = llvm::FixedVectorType::get(function.getReturnType(), width);
  const llvm::SmallVector<llvm::Type*, 2> parameters(function.arg_size(), type);
  auto callee = function.getParent()->getOrInsertFunction(
      (function.getName() + "_v" + llvm::Twine(width)).str(),
      llvm::FunctionType::get(type, parameters, false));
  auto* wide = llvm::cast<llvm::Function>(callee.getCallee());
  wide->addFnAttrs(llvm::AttrBuilder(function.getContext(), function.getAttributes().getFnAttrs()));
  return wide;
}

void lower_machine_math(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    const auto* step = function.isDeclaration() ? find_step(function.getName()) : nullptr;
    if (step == nullptr)
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      auto* value = lowered(*step, call);
      value->takeName(&call);
      call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace heddle::compiler
