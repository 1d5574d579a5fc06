// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/x86/lower_target_math.h"

#include "compiler/x86/dot_products.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr llvm::StringLiteral kPrefix = "__heddle_math_";
// Selects an element of a constant table by the low four bits of a number.
constexpr llvm::StringLiteral kPick = "__heddle_math_pick_";
constexpr unsigned kTableLength = 16;
// Whether the selection is an instruction.
constexpr llvm::StringLiteral kHasTableLookup = "__heddle_math_has_pick";

// The instructions for registers of 128, 256 and 512 bits, of floats and of doubles.
struct Step {
  llvm::StringLiteral name;
  intrinsic::ID single[3], twice[3];
  int immediate; // below 0: none
  bool has_rounding;
  bool is_avx512 = true; // and has a mask
};

// Immediate of getmant: significands in [3/4, 3/2), NaN for negative numbers.
constexpr int kAroundOne = 3 | 2 << 2;
// The same for [1, 2).
constexpr int kAboveOne = 0 | 2 << 2;
// Immediate of range: the operand of smaller magnitude, with the sign of the first; the second if
// the first is NaN.
constexpr int kNearerToZero = 2;
// Rounding mode of MXCSR.
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
    {"significand",
     {intrinsic::x86_avx512_mask_getmant_ps_128, intrinsic::x86_avx512_mask_getmant_ps_256,
      intrinsic::x86_avx512_mask_getmant_ps_512},
     {intrinsic::x86_avx512_mask_getmant_pd_128, intrinsic::x86_avx512_mask_getmant_pd_256,
      intrinsic::x86_avx512_mask_getmant_pd_512},
     kAboveOne,
     true},
    {"within",
     {intrinsic::x86_avx512_mask_range_ps_128, intrinsic::x86_avx512_mask_range_ps_256,
      intrinsic::x86_avx512_mask_range_ps_512},
     {intrinsic::x86_avx512_mask_range_pd_128, intrinsic::x86_avx512_mask_range_pd_256,
      intrinsic::x86_avx512_mask_range_pd_512},
     kNearerToZero,
     true},
    {"reciprocal",
     {intrinsic::x86_avx512_rcp14_ps_128, intrinsic::x86_avx512_rcp14_ps_256,
      intrinsic::x86_avx512_rcp14_ps_512},
     {intrinsic::x86_avx512_rcp14_pd_128, intrinsic::x86_avx512_rcp14_pd_256,
      intrinsic::x86_avx512_rcp14_pd_512},
     -1,
     false},
    {"rsqrt",
     {intrinsic::x86_avx512_rsqrt14_ps_128, intrinsic::x86_avx512_rsqrt14_ps_256,
      intrinsic::x86_avx512_rsqrt14_ps_512},
     {intrinsic::x86_avx512_rsqrt14_pd_128, intrinsic::x86_avx512_rsqrt14_pd_256,
      intrinsic::x86_avx512_rsqrt14_pd_512},
     -1,
     false},
    {"coarse_rsqrt",
     {intrinsic::x86_sse_rsqrt_ps, intrinsic::x86_avx_rsqrt_ps_256, intrinsic::not_intrinsic},
     {},
     -1,
     false,
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

bool is_table_lookup(const llvm::Function& function) {
  return function.getName().starts_with(kPick);
}

void answer_with_true(llvm::Function& question) {
  for (auto* user : llvm::make_early_inc_range(question.users()))
    user->replaceAllUsesWith(llvm::ConstantInt::getTrue(user->getType()));
}

// One instruction, for operands that fill a register.
llvm::Value* one_register(const Step& step, llvm::IRBuilder<>& builder,
                          llvm::ArrayRef<llvm::Value*> operands) {
  auto* type = llvm::cast<llvm::FixedVectorType>(operands[0]->getType());
  const unsigned elements = type->getNumElements();
  const auto bits = elements * type->getScalarSizeInBits();
  const unsigned size = bits == 512 ? 2 : bits == 256 ? 1 : 0;
  llvm::SmallVector<llvm::Value*, 6> arguments(operands);
  if (step.immediate >= 0)
    arguments.push_back(builder.getInt32(static_cast<unsigned>(step.immediate)));
  if (step.is_avx512) {
    // The pass-through operand of masked elements, and the mask.
    arguments.push_back(llvm::Constant::getNullValue(type));
    arguments.push_back(
        llvm::ConstantInt::getAllOnesValue(builder.getIntNTy(std::max(elements, 8U))));
  }
  if (step.has_rounding && size == 2)
    arguments.push_back(builder.getInt32(kCurrentRounding));
  return builder.CreateIntrinsic(
      (type->getElementType()->isFloatTy() ? step.single : step.twice)[size], {}, arguments);
}

// The number of elements that one instruction computes: 128 to 512 bits.
unsigned elements_at_once(const llvm::CallInst& call) {
  const unsigned element_bits = call.getType()->getScalarSizeInBits();
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  const unsigned width = vector != nullptr ? vector->getNumElements() : 1;
  const auto& callee = *call.getCalledFunction();
  const auto* step = find_step(callee.getName());
  const unsigned least = is_table_lookup(callee) ? 512 : 128;
  const unsigned most = step != nullptr && !step->is_avx512 ? 256 : 512;
  return std::clamp(width * element_bits, least, most) / element_bits;
}

// Elements `first` and following of a scalar or vector, as many as fill a register.
llvm::Value* part_of(llvm::Value* operand, unsigned first, unsigned each,
                     llvm::IRBuilder<>& builder) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(operand->getType());
  if (vector == nullptr)
    return builder.CreateInsertElement(
        llvm::Constant::getNullValue(llvm::FixedVectorType::get(operand->getType(), each)), operand,
        std::uint64_t{0});
  const unsigned width = vector->getNumElements();
  if (width == each)
    return operand;
  llvm::SmallVector<int, 16> picked;
  for (unsigned i = 0; i < each; ++i)
    picked.push_back(static_cast<int>(std::min(first + i, width - 1)));
  return builder.CreateShuffleVector(operand, picked);
}

// The table in vectors that fill registers.
llvm::SmallVector<llvm::Constant*, 2> table_of(llvm::Value* pointer, llvm::Type* element,
                                               const llvm::DataLayout& layout) {
  const unsigned size = element->getScalarSizeInBits() / 8;
  llvm::APInt offset(64, 0);
  auto* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  llvm::SmallVector<llvm::Constant*, kTableLength> elements;
  for (unsigned i = 0; variable != nullptr && i < kTableLength; ++i)
    elements.push_back(llvm::ConstantFoldLoadFromConst(variable->getInitializer(), element,
                                                       offset + i * size, layout));
  llvm::SmallVector<llvm::Constant*, 2> parts;
  const unsigned each = 64 / size;
  for (unsigned first = 0; first < elements.size(); first += each)
    parts.push_back(llvm::ConstantVector::get(llvm::ArrayRef(elements).slice(first, each)));
  return parts;
}

// Table elements for a register of numbers.
llvm::Value* picked(llvm::CallInst& call, llvm::Value* numbers, llvm::IRBuilder<>& builder) {
  auto* element = call.getType()->getScalarType();
  const auto parts = table_of(call.getArgOperand(1), element, call.getDataLayout());
  if (element->isFloatTy())
    return builder.CreateIntrinsic(intrinsic::x86_avx512_permvar_sf_512, {}, {parts[0], numbers});
  return builder.CreateIntrinsic(intrinsic::x86_avx512_vpermi2var_pd_512, {},
                                 {parts[0], numbers, parts[1]});
}

// A permutation of a single element would be lowered through memory.
llvm::Value* picked_from_memory(llvm::CallInst& call, llvm::IRBuilder<>& builder) {
  auto* number = builder.CreateAnd(call.getArgOperand(0), kTableLength - 1);
  auto* type = call.getType();
  return builder.CreateLoad(type, builder.CreateInBoundsGEP(type, call.getArgOperand(1), number));
}

llvm::Value* lowered(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  const auto* step = find_step(call.getCalledFunction()->getName());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType());
  const auto name = call.getCalledFunction()->getName();
  const bool is_lookup = is_table_lookup(*call.getCalledFunction());
  if (is_lookup && vector == nullptr)
    return picked_from_memory(call, builder);
  const unsigned width = vector != nullptr ? vector->getNumElements() : 1;
  const unsigned each = elements_at_once(call);
  llvm::Value* result = nullptr;
  for (unsigned first = 0; first < width; first += each) {
    llvm::SmallVector<llvm::Value*, 2> operands;
    for (auto& argument : call.args())
      if (!argument->getType()->isPointerTy())
        operands.push_back(part_of(argument.get(), first, each, builder));
    auto* part = step != nullptr ? one_register(*step, builder, operands)
                 : is_lookup     ? picked(call, operands.front(), builder)
                                 : dot_product(name, builder, operands);
    if (vector == nullptr)
      return builder.CreateExtractElement(part, std::uint64_t{0});
    if (width == each)
      return part;
    // All parts have the same size: concatenates them by shuffles.
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

static void mark_target_math(llvm::Module& module, const TargetInfo& target) {
  const bool has_math = target.has_avx512_doublewords && target.has_avx512_short_vectors;
  const bool has_dot_products = target.has_vnni && target.has_avx512_short_vectors;
  for (auto& function : module) {
    const auto name = function.getName();
    if ((has_math && name == kHasTableLookup) || (has_dot_products && name == kHasDotProducts))
      answer_with_true(function);
    const auto* step = find_step(name);
    const bool is_kept = is_dot_product(name) ? has_dot_products
                         : step != nullptr    ? (step->is_avx512 ? has_math : target.has_avx2)
                                              : has_math && is_table_lookup(function);
    if (!is_kept)
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

bool is_target_math(const llvm::Function& function) {
  return function.isDeclaration() &&
         (find_step(function.getName()) != nullptr || is_table_lookup(function) ||
          is_dot_product(function.getName()));
}

llvm::Function* vector_target_math(llvm::Function& function, unsigned width) {
  auto* type = llvm::FixedVectorType::get(function.getReturnType(), width);
  llvm::SmallVector<llvm::Type*, 2> parameters;
  for (const auto& argument : function.args())
    parameters.push_back(argument.getType()->isPointerTy()
                             ? argument.getType()
                             : llvm::FixedVectorType::get(argument.getType(), width));
  auto callee = function.getParent()->getOrInsertFunction(
      (function.getName() + "_v" + llvm::Twine(width)).str(),
      llvm::FunctionType::get(type, parameters, false));
  auto* wide = llvm::cast<llvm::Function>(callee.getCallee());
  wide->addFnAttrs(llvm::AttrBuilder(function.getContext(), function.getAttributes().getFnAttrs()));
  return wide;
}

static void lower_target_math(llvm::Module& module) {
  for (auto& function : llvm::make_early_inc_range(module)) {
    if (!is_target_math(function))
      continue;
    for (auto* user : llvm::make_early_inc_range(function.users())) {
      auto& call = *llvm::cast<llvm::CallInst>(user);
      auto* value = lowered(call);
      value->takeName(&call);
      call.replaceAllUsesWith(value);
      call.eraseFromParent();
    }
    function.eraseFromParent();
  }
}

llvm::PreservedAnalyses MarkTargetMathPass::run(llvm::Module& module,
                                                llvm::ModuleAnalysisManager& /*analyses*/) {
  mark_target_math(module, target_);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses LowerTargetMathPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_target_math(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
