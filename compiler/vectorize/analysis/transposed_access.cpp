// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectorize/analysis/transposed_access.h"

#include "compiler/interface/kernel_abi.h"
#include "compiler/vectorize/analysis/affine_id.h"
#include "compiler/vectorize/analysis/lane_access.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kMaxTransposedDepth = 16;

// Whether the value is the local or the global id in y plus a small constant.
bool is_row_id(const llvm::Value& value, const WorkItemParams& params) {
  const auto id = affine_id(value, params, 1);
  if (!id || id->factor != 1 || id->constant >= kMaxTransposedConstant ||
      id->constant <= -kMaxTransposedConstant)
    return false;
  constexpr auto kYOffset = sizeof(std::uint64_t);
  const IdTerm group{IdTerm::Kind::group, offsetof(abi::Group, group_id) + kYOffset};
  const IdTerm size{IdTerm::Kind::launch, offsetof(abi::Launch, local_size) + kYOffset};
  const IdTerm offset{IdTerm::Kind::launch, offsetof(abi::Launch, global_offset) + kYOffset};
  const IdSum first{{{group, size}, 1}, {{offset}, 1}};
  const IdSum first_of_group{{{group, size}, 1}};
  return id->start.empty() || id->start == first || id->start == first_of_group;
}

class RowStride {
 public:
  explicit RowStride(const LaneShapes& shapes, const llvm::Instruction& at)
      : shapes_(shapes), params_(work_item_params(const_cast<llvm::Function&>(*at.getFunction()))),
        layout_(at.getModule()->getDataLayout()) {}

  std::optional<std::int64_t> of(const llvm::Value& value, unsigned depth = 0) const {
    using Op = llvm::Instruction;
    if (!shapes_.differs_by_row(value))
      return 0;
    if (&value == params_.local_id[1])
      return 1;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (instruction == nullptr || depth > kMaxTransposedDepth)
      return std::nullopt;
    const auto operand = [&](unsigned i) { return of(*instruction->getOperand(i), depth + 1); };
    switch (instruction->getOpcode()) {
    case Op::GetElementPtr:
      return of_address(llvm::cast<llvm::GetElementPtrInst>(*instruction), depth);
    case Op::AddrSpaceCast:
      return operand(0);
    case Op::Add:
    case Op::Sub: {
      if (!value.getType()->isIntegerTy(64) && !instruction->hasNoSignedWrap())
        return std::nullopt;
      const auto a = operand(0), b = operand(1);
      if (!a || !b)
        return std::nullopt;
      return instruction->getOpcode() == Op::Add ? *a + *b : *a - *b;
    }
    case Op::Trunc:
      return value.getType()->isIntegerTy(32) && is_row_id(*instruction->getOperand(0), params_)
                 ? std::optional<std::int64_t>(1)
                 : std::nullopt;
    case Op::SExt:
      return operand(0);
    case Op::And:
    case Op::AShr:
    case Op::LShr: {
      const auto narrowed = narrowed_value(*instruction);
      if (!narrowed || narrowed->bits < 32 || narrowed->shift > 16 ||
          narrowed->added >= kMaxTransposedConstant || narrowed->added <= -kMaxTransposedConstant ||
          instruction->getOpcode() != Op::AShr || !is_row_id(*narrowed->value, params_))
        return std::nullopt;
      return std::int64_t{1} << narrowed->shift;
    }
    case Op::Mul:
    case Op::Shl: {
      const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1));
      if (factor == nullptr || factor->getValue().getSignificantBits() > 16 ||
          (!value.getType()->isIntegerTy(64) && !instruction->hasNoSignedWrap()))
        return std::nullopt;
      const auto a = operand(0);
      const auto number = factor->getSExtValue();
      if (!a || (instruction->getOpcode() == Op::Shl && number > 16))
        return std::nullopt;
      return instruction->getOpcode() == Op::Mul ? *a * number : *a * (std::int64_t{1} << number);
    }
    default:
      return std::nullopt;
    }
  }

 private:
  std::optional<std::int64_t> of_address(const llvm::GetElementPtrInst& address,
                                         unsigned depth) const {
    auto sum = of(*address.getPointerOperand(), depth + 1);
    for (auto index_type = llvm::gep_type_begin(address), end = llvm::gep_type_end(address);
         sum && index_type != end; ++index_type) {
      const auto index = of(*index_type.getOperand(), depth + 1);
      if (!index || (*index != 0 && (index_type.isStruct() ||
                                     !index_type.getOperand()->getType()->isIntegerTy(64))))
        return std::nullopt;
      if (*index != 0)
        *sum += *index * static_cast<std::int64_t>(
                             index_type.getSequentialElementStride(layout_).getFixedValue());
    }
    return sum;
  }

  const LaneShapes& shapes_;
  const WorkItemParams params_;
  const llvm::DataLayout& layout_;
};

// The bytes from the address in one row to that in the next, the same in all lanes; nothing if it
// does not differ by row or has no such stride. Assumes that the global ids in y of a block of rows
// do not cross a multiple of 2^31 (emit_block_row_count() of workgroup/group_partition.h), and that
// sums without signed wrap do not wrap around.
std::optional<std::int64_t> row_stride(const llvm::Value& address, const LaneShapes& shapes) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&address);
  if (instruction == nullptr || !shapes.differs_by_row(address))
    return std::nullopt;
  return RowStride(shapes, *instruction).of(address);
}

} // namespace

bool is_transposed(const llvm::Instruction& access, const LaneShapes& shapes) {
  const auto* address = llvm::getLoadStorePointerOperand(&access);
  if (address == nullptr || access.isVolatile() || access.isAtomic() || shapes.is_uniform(*address))
    return false;
  auto* type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access));
  if (!type->isFloatTy() && !type->isDoubleTy() && !type->isIntegerTy(32) && !type->isIntegerTy(64))
    return false;
  const auto size = static_cast<std::int64_t>(type->getScalarSizeInBits() / 8);
  const auto lanes = lane_access(access, shapes);
  const bool is_far = lanes.kind != LaneAccess::Kind::strided ||
                      lanes.stride > kMaxInterleaveFactor * size || lanes.stride < -size;
  return is_far && row_stride(*address, shapes) == size;
}

} // namespace heddle::compiler
