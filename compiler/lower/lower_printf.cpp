// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/lower_printf.h"

#include "compiler/interface/printf_record.h"
#include "compiler/ir/abi_builder.h"
#include "compiler/ir/end_kernel.h"
#include "compiler/ir/work_item_params.h"
#include "compiler/support/build.h"
#include "llvm/IR/Instructions.h"

namespace heddle::compiler {
namespace {

using abi::PrintfArgument;
using abi::PrintfHeader;
using abi::PrintfKind;

// Scalars as promoted by the rules of C; vectors unchanged.
llvm::Value* promote(llvm::IRBuilder<>& builder, llvm::Value* value) {
  auto* type = value->getType();
  if (type->isHalfTy() || type->isFloatTy())
    return builder.CreateFPExt(value, builder.getDoubleTy());
  if (type->isIntegerTy() && type->getIntegerBitWidth() < 32)
    return builder.CreateSExt(value, builder.getInt32Ty());
  return value;
}

bool is_printable(llvm::Type* type) {
  auto* scalar = type->getScalarType();
  if (scalar->isPointerTy())
    return !type->isVectorTy();
  if (scalar->isIntegerTy()) {
    const auto bits = scalar->getIntegerBitWidth();
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
  }
  return scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy();
}

class RecordBuilder {
 public:
  RecordBuilder(llvm::CallInst& call, bool ends_kernel)
      : call_(call), ends_kernel_(ends_kernel), builder_(&call), access_(builder_),
        state_(work_item_params(*call.getFunction())) {}

  void lower() {
    llvm::SmallVector<llvm::Value*, 8> values;
    std::uint64_t size = sizeof(PrintfHeader);
    for (unsigned i = 1; i < call_.arg_size(); ++i) {
      values.push_back(promote(builder_, call_.getArgOperand(i)));
      size += sizeof(PrintfArgument) + llvm::alignTo(bytes_of(*values.back()), 8);
    }
    make_room(size);
    auto* format = builder_.CreateAddrSpaceCast(call_.getArgOperand(0), access_.pointer());
    store(format, offsetof(PrintfHeader, format));
    store(builder_.getInt32(static_cast<std::uint32_t>(values.size())),
          offsetof(PrintfHeader, argument_count));
    store(builder_.getInt32(ends_kernel_ ? 1 : 0), offsetof(PrintfHeader, ends_kernel));
    std::uint64_t at = sizeof(PrintfHeader);
    for (auto* value : values)
      at = add(value, at);

    auto* worker = access_.worker_of(state_.group);
    auto* print = access_.load_invariant(worker, offsetof(abi::Worker, print), access_.pointer());
    auto* type = llvm::FunctionType::get(
        builder_.getInt32Ty(), {access_.pointer(), access_.pointer(), builder_.getInt64Ty()},
        false);
    auto* result = builder_.CreateCall(type, print, {worker, record_, builder_.getInt64(size)});
    builder_.CreateLifetimeEnd(record_);
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

 private:
  std::uint64_t bytes_of(const llvm::Value& value) const {
    auto* type = value.getType();
    if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return vector->getNumElements() * (vector->getScalarSizeInBits() / 8);
    return type->isPointerTy() ? 8 : type->getScalarSizeInBits() / 8;
  }

  void make_room(std::uint64_t size) {
    auto& entry = call_.getFunction()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, entry.begin());
    record_ = at_entry.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt64Ty(), llvm::divideCeil(size, 8)), nullptr, "record");
    builder_.CreateLifetimeStart(record_);
  }

  void store(llvm::Value* value, std::uint64_t offset) {
    builder_.CreateAlignedStore(value, access_.field(record_, offset), llvm::Align(4));
  }

  // Returns the offset of the next argument.
  std::uint64_t add(llvm::Value* value, std::uint64_t at) {
    auto* scalar = value->getType()->getScalarType();
    auto kind = PrintfKind::integer;
    if (scalar->isPointerTy())
      kind = PrintfKind::pointer;
    else if (scalar->isFloatingPointTy())
      kind = PrintfKind::floating;
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    const std::uint32_t count = vector != nullptr ? vector->getNumElements() : 1;
    const auto bytes = bytes_of(*value);
    store(builder_.getInt32(static_cast<std::uint32_t>(kind)), at + offsetof(PrintfArgument, kind));
    store(builder_.getInt32(static_cast<std::uint32_t>(bytes / count)),
          at + offsetof(PrintfArgument, element_bytes));
    store(builder_.getInt32(count), at + offsetof(PrintfArgument, element_count));
    store(builder_.getInt32(0), at + offsetof(PrintfArgument, reserved));
    at += sizeof(PrintfArgument);
    if (scalar->isPointerTy())
      value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    if (vector != nullptr)
      for (unsigned i = 0; i < count; ++i)
        builder_.CreateAlignedStore(builder_.CreateExtractElement(value, i),
                                    access_.field(record_, at + i * (bytes / count)),
                                    llvm::Align(1));
    else
      builder_.CreateAlignedStore(value, access_.field(record_, at), llvm::Align(8));
    return at + llvm::alignTo(bytes, 8);
  }

  llvm::CallInst& call_;
  bool ends_kernel_;
  llvm::IRBuilder<> builder_;
  AbiBuilder access_;
  WorkItemParams state_;
  llvm::AllocaInst* record_ = nullptr;
};

} // namespace

// The calls of a function that is declared only.
static llvm::SmallVector<llvm::CallInst*, 16> printf_calls(llvm::Module& module,
                                                           llvm::StringRef name) {
  llvm::SmallVector<llvm::CallInst*, 16> calls;
  if (const auto* function = module.getFunction(name);
      function != nullptr && function->isDeclaration())
    for (const auto* user : function->users())
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->getCalledOperand() == function)
        calls.push_back(const_cast<llvm::CallInst*>(call));
  return calls;
}

static bool check_call(const llvm::CallInst& call, llvm::StringRef called, Build& build) {
  auto name = call.getFunction()->getName();
  name.consume_front("__clang_ocl_kern_imp_");
  if (call.arg_empty() || !call.getArgOperand(0)->getType()->isPointerTy() ||
      !call.getType()->isIntegerTy(32))
    return build.error(called + " in '" + name + "' is not declared as OpenCL C has it");
  for (unsigned i = 1; i < call.arg_size(); ++i)
    if (!is_printable(call.getArgOperand(i)->getType()) || call.isByValArgument(i))
      return build.error(called + " in '" + name + "': argument " + llvm::Twine(i) +
                         " has a type that cannot be printed");
  return true;
}

static constexpr llvm::StringLiteral kPrinting[] = {"printf", kEndKernelFunction};

bool check_printf(llvm::Module& module, Build& build) {
  for (const auto name : kPrinting)
    for (const auto* call : printf_calls(module, name))
      if (!check_call(*call, name, build))
        return false;
  return true;
}

static bool lower_printf(llvm::Module& module, Build& build) {
  if (!check_printf(module, build))
    return false;
  for (const auto name : kPrinting) {
    for (auto* call : printf_calls(module, name))
      RecordBuilder(*call, name == kEndKernelFunction).lower();
    if (auto* function = module.getFunction(name);
        function != nullptr && function->isDeclaration() && function->use_empty())
      function->eraseFromParent();
  }
  return true;
}

llvm::PreservedAnalyses LowerPrintfPass::run(llvm::Module& module,
                                             llvm::ModuleAnalysisManager& /*analyses*/) {
  lower_printf(module, compilation_.build);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
