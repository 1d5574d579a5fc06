#include "compiler/async_copy/local_buffer_uses.h"

#include "compiler/async_copy/expand_copies.h"
#include "compiler/lower/lower_local_variables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"

namespace heddle::compiler {
namespace {

constexpr unsigned kGlobal = 1;
constexpr std::uint64_t kMostPlaces = 8; // of a tile

// Follows a variable's address through the code.
class Uses {
 public:
  explicit Uses(LocalBufferUses& tile) : tile_(tile), layout_(tile.variable->getDataLayout()) {}

  bool collect() {
    const auto bytes = local_variable_bytes(*tile_.variable);
    // The places are the elements of an array of arrays, if it is one.
    for (auto* user : tile_.variable->users())
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
          step != nullptr && step->getNumIndices() == 1 && !step->hasAllConstantIndices() &&
          step->getSourceElementType()->isArrayTy())
        tile_.place_bytes = layout_.getTypeAllocSize(step->getSourceElementType());
    if (tile_.place_bytes == 0)
      tile_.place_bytes = bytes;
    if (bytes % tile_.place_bytes != 0 || bytes / tile_.place_bytes > kMostPlaces)
      return false;
    tile_.places = bytes / tile_.place_bytes;
    return follow(*tile_.variable, tile_.variable) && !tile_.copies.empty() && !tile_.reads.empty();
  }

 private:
  // Whether this goes from the variable to one of its places.
  bool goes_to_place(const llvm::GetElementPtrInst& step) const {
    if (step.getPointerOperand() != tile_.variable || step.getNumIndices() != 1)
      return false;
    if (const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand(1)))
      return index->getZExtValue() * layout_.getTypeAllocSize(step.getSourceElementType()) %
                 tile_.place_bytes ==
             0;
    return layout_.getTypeAllocSize(step.getSourceElementType()) == tile_.place_bytes;
  }

  bool follow(llvm::Value& pointer, llvm::Value* place) {
    return llvm::all_of(pointer.users(), [&](llvm::User* user) {
      if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
        return !step->getType()->isVectorTy() && follow(*step, goes_to_place(*step) ? step : place);
      if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user))
        return follow(*cast, place);
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        tile_.reads.push_back({load, place});
        return load->isSimple();
      }
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      return call != nullptr && add_copy(*call, pointer, place);
    });
  }

  // The copy must begin where a place does.
  bool add_copy(llvm::CallInst& call, const llvm::Value& pointer, llvm::Value* place) {
    if (callee_of(call) != kCopyBytes || call.getArgOperand(0) != &pointer ||
        call.getArgOperand(0)->stripPointerCasts() != place)
      return false;
    auto* source =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(call.getArgOperand(1), 0));
    const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    if (source == nullptr || bytes == nullptr ||
        source->getType()->getPointerAddressSpace() != kGlobal ||
        (tile_.source != nullptr && tile_.source != source) ||
        bytes->getValue().ugt(tile_.place_bytes))
      return false;
    tile_.source = source;
    tile_.copies.push_back({&call, place, bytes->getZExtValue()});
    return true;
  }

  LocalBufferUses& tile_;
  const llvm::DataLayout& layout_;
};

} // namespace

llvm::StringRef callee_of(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee == nullptr ? llvm::StringRef() : callee->getName();
}

std::optional<LocalBufferUses> LocalBufferUses::find(llvm::CallInst& variable) {
  LocalBufferUses tile;
  tile.variable = &variable;
  if (!Uses(tile).collect())
    return std::nullopt;
  return tile;
}

llvm::Value* LocalBufferUses::number_of(llvm::IRBuilder<>& builder,
                                        const llvm::Value& place) const {
  const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&place);
  if (step == nullptr)
    return builder.getInt64(0);
  auto* number = step->getOperand(1);
  const auto* index = llvm::dyn_cast<llvm::ConstantInt>(number);
  if (index == nullptr)
    return number;
  const auto element = step->getDataLayout().getTypeAllocSize(step->getSourceElementType());
  return builder.getInt64(index->getZExtValue() * element / place_bytes);
}

} // namespace heddle::compiler
