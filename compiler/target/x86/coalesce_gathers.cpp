// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/target/x86/coalesce_gathers.h"

#include "compiler/ir/id_based_access.h"
#include "compiler/ir/vectorized_attribute.h"
#include "compiler/target/x86/features.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace heddle::compiler {
namespace {

namespace intrinsic = llvm::Intrinsic;

constexpr unsigned kLanes = 16; // of a register
constexpr unsigned kBytes = 4;  // of an element, unless it is a half that is loaded
constexpr unsigned kHalfBytes = 2;
constexpr unsigned kPage = 4096;

struct Access {
  llvm::CallInst* call;
  llvm::Value* stored; // null: a gather
  llvm::Value* addresses;
  llvm::Value* mask;
  llvm::Value* inactive; // what a gather gives inactive lanes
  llvm::FixedVectorType* type;
};

Access access_of(llvm::IntrinsicInst& call) {
  Access access{};
  access.call = &call;
  if (call.getIntrinsicID() == intrinsic::masked_gather) {
    access.addresses = call.getArgOperand(0);
    access.mask = call.getArgOperand(1);
    access.inactive = call.getArgOperand(2);
    access.type = llvm::cast<llvm::FixedVectorType>(call.getType());
  } else {
    access.stored = call.getArgOperand(0);
    access.addresses = call.getArgOperand(1);
    access.mask = call.getArgOperand(2);
    access.type = llvm::cast<llvm::FixedVectorType>(access.stored->getType());
  }
  return access;
}

bool is_constant_true(const llvm::Value* mask) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant != nullptr && constant->isAllOnesValue();
}

// At most that of an element.
llvm::Align alignment_of(const Access& access) {
  const unsigned parameter = access.stored == nullptr ? 0 : 1;
  return std::min(access.call->getParamAlign(parameter).valueOrOne(),
                  llvm::Align(access.type->getScalarSizeInBits() / 8));
}

// Sixteen lanes, and 32 elements from a multiple of the size of 16 on, or as far behind it as lane
// 0's is behind a multiple of its own size.
struct Window {
  llvm::Value* mask; // null: all lanes
  llvm::Value* begin;
  llvm::Value* offsets; // of the lanes' elements, 32 bits
  llvm::Value* is_near; // all active lanes are within
};

class Splitter {
 public:
  Splitter(const Access& access, llvm::IRBuilderBase& builder)
      : access_(access), builder_(builder), bytes_(access.type->getScalarSizeInBits() / 8),
        alignment_(alignment_of(access)) {}

  Window window(unsigned part) {
    Window window;
    window.mask = is_constant_true(access_.mask) ? nullptr : lanes_of(access_.mask, part);
    auto* places = builder_.CreatePtrToInt(
        access_.addresses,
        llvm::FixedVectorType::get(builder_.getInt64Ty(), access_.type->getNumElements()));
    places = lanes_of(places, part);
    auto* first = builder_.CreateExtractElement(places, std::uint64_t{0});
    llvm::Value* begin = builder_.CreateAnd(
        first, ~(std::uint64_t{kLanes} * bytes_ - (alignment_.value() < bytes_ ? bytes_ : 1)));
    if (access_.stored == nullptr)
      begin = within_page(begin);
    auto* distances = builder_.CreateSub(places, builder_.CreateVectorSplat(kLanes, begin));
    auto* inside = builder_.CreateICmpULT(
        distances, llvm::ConstantInt::get(distances->getType(), 2 * kLanes * bytes_));
    // Others may lie between those of the window, as members of packed structures do.
    if (alignment_.value() < bytes_)
      inside = builder_.CreateAnd(inside,
                                  builder_.CreateIsNull(builder_.CreateAnd(distances, bytes_ - 1)));
    // Inactive lanes have to be in ascending order for a store, too.
    if (window.mask != nullptr && access_.stored == nullptr)
      inside = builder_.CreateOr(inside, builder_.CreateNot(window.mask));
    window.offsets =
        builder_.CreateTrunc(builder_.CreateLShr(distances, std::uint64_t{llvm::Log2_32(bytes_)}),
                             llvm::FixedVectorType::get(builder_.getInt32Ty(), kLanes));
    if (access_.stored != nullptr)
      inside = builder_.CreateAnd(inside, is_rising(window.offsets));
    window.is_near = all(inside);
    // Lane 0's address proves that the page is mapped.
    if (access_.stored == nullptr && window.mask != nullptr)
      window.is_near = builder_.CreateAnd(
          window.is_near, builder_.CreateExtractElement(window.mask, std::uint64_t{0}));
    window.begin = builder_.CreateIntToPtr(begin, access_.addresses->getType()->getScalarType());
    return window;
  }

  llvm::Value* load(const Window& window) {
    auto* type = llvm::FixedVectorType::get(builder_.getIntNTy(8 * bytes_), kLanes);
    auto* low = builder_.CreateAlignedLoad(type, window.begin, alignment_);
    auto* high = builder_.CreateAlignedLoad(type, upper(window.begin), alignment_);
    if (bytes_ == kHalfBytes)
      return builder_.CreateIntrinsic(intrinsic::x86_avx512_vpermi2var_hi_256, {},
                                      {low, builder_.CreateTrunc(window.offsets, type), high});
    return builder_.CreateIntrinsic(intrinsic::x86_avx512_vpermi2var_d_512, {},
                                    {low, window.offsets, high});
  }

  void store(const Window& window, unsigned part) {
    auto* type = llvm::FixedVectorType::get(builder_.getInt32Ty(), kLanes);
    auto* values = builder_.CreateBitCast(lanes_of(access_.stored, part), type);
    auto* one = llvm::ConstantInt::get(type, 1);
    llvm::Value* bits = builder_.CreateShl(one, window.offsets);
    if (window.mask != nullptr) {
      bits = builder_.CreateSelect(window.mask, bits, llvm::Constant::getNullValue(type));
      values = in_order(intrinsic::x86_avx512_mask_compress, values, window.mask);
    }
    auto* filled = builder_.CreateOrReduce(bits);
    auto* low = builder_.CreateTrunc(filled, builder_.getInt16Ty());
    auto* high = builder_.CreateTrunc(builder_.CreateLShr(filled, kLanes), builder_.getInt16Ty());
    store_filled(values, low, window.begin);
    auto* stored = builder_.CreateZExt(builder_.CreateUnaryIntrinsic(intrinsic::ctpop, low),
                                       builder_.getInt32Ty());
    auto* rest = builder_.CreateAdd(builder_.CreateVectorSplat(kLanes, stored), numbers());
    store_filled(builder_.CreateIntrinsic(intrinsic::x86_avx512_permvar_si_512, {}, {values, rest}),
                 high, upper(window.begin));
  }

 private:
  llvm::Value* lanes_of(llvm::Value* vector, unsigned part) {
    return builder_.CreateShuffleVector(vector,
                                        llvm::createSequentialMask(part * kLanes, kLanes, 0));
  }

  llvm::Value* numbers() {
    llvm::SmallVector<std::uint32_t, kLanes> numbers;
    for (unsigned i = 0; i < kLanes; ++i)
      numbers.push_back(i);
    return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
  }

  llvm::Value* upper(llvm::Value* begin) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin, kLanes * bytes_);
  }

  llvm::Value* all(llvm::Value* lanes) {
    auto* bits = builder_.CreateBitCast(lanes, builder_.getInt16Ty());
    return builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()));
  }

  llvm::Value* is_rising(llvm::Value* offsets) {
    llvm::SmallVector<int, kLanes> next;
    for (unsigned i = 1; i < kLanes; ++i)
      next.push_back(static_cast<int>(i));
    next.push_back(kLanes); // the end: above all
    auto* above = llvm::ConstantInt::get(offsets->getType(), 2 * kLanes);
    return builder_.CreateICmpULT(offsets, builder_.CreateShuffleVector(offsets, above, next));
  }

  // Loads more than the lanes access, but only from the page of the first one.
  llvm::Value* within_page(llvm::Value* begin) {
    auto* page = builder_.CreateAnd(begin, ~std::uint64_t{kPage - 1});
    auto* last = builder_.CreateOr(page, kPage - 2 * kLanes * bytes_);
    return builder_.CreateBinaryIntrinsic(intrinsic::umin, begin, last);
  }

  llvm::Value* in_order(intrinsic::ID id, llvm::Value* values, llvm::Value* mask) {
    return builder_.CreateIntrinsic(
        id, {values->getType()}, {values, llvm::Constant::getNullValue(values->getType()), mask});
  }

  // vpexpand: the first values go, in order, to the lanes whose bits are set.
  void store_filled(llvm::Value* values, llvm::Value* filled, llvm::Value* begin) {
    auto* mask =
        builder_.CreateBitCast(filled, llvm::FixedVectorType::get(builder_.getInt1Ty(), kLanes));
    auto* expanded = in_order(intrinsic::x86_avx512_mask_expand, values, mask);
    builder_.CreateMaskedStore(expanded, begin, alignment_, mask);
  }

  const Access& access_;
  llvm::IRBuilderBase& builder_;
  const unsigned bytes_; // of an element
  const llvm::Align alignment_;
};

void split(const Access& access) {
  llvm::IRBuilder<> builder(access.call);
  llvm::SmallVector<Window, 4> windows;
  llvm::Value* are_near = nullptr;
  for (unsigned part = 0; part < access.type->getNumElements() / kLanes; ++part) {
    windows.push_back(Splitter(access, builder).window(part));
    auto* own = windows.back().is_near;
    are_near = are_near == nullptr ? own : builder.CreateAnd(are_near, own);
  }
  llvm::Instruction *near = nullptr, *far = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(are_near, access.call, &near, &far);
  builder.SetInsertPoint(near);
  llvm::SmallVector<llvm::Value*, 4> loads;
  for (unsigned part = 0; part < windows.size(); ++part) {
    Splitter splitter(access, builder);
    if (access.stored != nullptr)
      splitter.store(windows[part], part);
    else
      loads.push_back(splitter.load(windows[part]));
  }
  access.call->moveBefore(far->getIterator());
  if (access.stored != nullptr)
    return;
  auto* loaded = builder.CreateBitCast(llvm::concatenateVectors(builder, loads), access.type);
  if (!is_constant_true(access.mask) && !llvm::isa<llvm::UndefValue>(access.inactive))
    loaded = builder.CreateSelect(access.mask, loaded, access.inactive);
  auto& after = *near->getSuccessor(0);
  builder.SetInsertPoint(&after, after.begin());
  auto* either = builder.CreatePHI(access.type, 2);
  access.call->replaceAllUsesWith(either);
  either->addIncoming(loaded, near->getParent());
  either->addIncoming(access.call, far->getParent());
}

bool has_supported_type(const Access& access, const TargetInfo& target) {
  const auto bits = access.type->getScalarSizeInBits();
  const bool is_loaded_half = bits == 8 * kHalfBytes && access.stored == nullptr;
  return (bits == 8 * kBytes || (is_loaded_half && x86::Features(target).has_avx512_words)) &&
         !access.type->getElementType()->isPointerTy() &&
         access.type->getNumElements() % kLanes == 0;
}

} // namespace

static void coalesce_gathers(llvm::Module& module, const TargetInfo& target, bool are_deferred) {
  const x86::Features features(target);
  const bool has_instructions = features.has_avx512 && features.has_avx512_short_vectors;
  llvm::SmallVector<llvm::IntrinsicInst*, 8> calls;
  for (auto& function : module) {
    if (function.hasFnAttribute(kDefersGathersAttribute) != are_deferred)
      continue;
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call != nullptr && is_id_based_access(*call))
        calls.push_back(call);
  }
  for (auto* call : calls)
    if (const auto access = access_of(*call);
        has_instructions && has_supported_type(access, target))
      split(access);
    else
      unmark_id_based_access(*call);
}

llvm::PreservedAnalyses CoalesceGathersPass::run(llvm::Module& module,
                                                 llvm::ModuleAnalysisManager& /*analyses*/) {
  coalesce_gathers(module, target_, are_deferred_);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
