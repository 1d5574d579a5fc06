// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/insert_order_checks.h"

#include "compiler/interface/check_record.h"
#include "compiler/ir/mangled_name.h"
#include "compiler/ir/unchecked_functions.h"
#include "compiler/lower/checked_calls.h"
#include "compiler/lower/lower_barriers.h"
#include "compiler/lower/race_checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace heddle::compiler {
namespace {

using abi::CheckedCall;

// Marks the program's own functions, which the first pass has seen.
constexpr llvm::StringLiteral kOwnFunction = "heddle-order-checked";

// memory_scope of OpenCL C.
constexpr std::uint64_t kScopeDevice = 2, kScopeAllDevices = 3;
// CLK_LOCAL_MEM_FENCE and CLK_GLOBAL_MEM_FENCE are the bits of abi::MeetingOrder.
constexpr std::uint64_t kImageFence = 4; // CLK_IMAGE_MEM_FENCE
static_assert(abi::kOrdersLocal == 1 && abi::kOrdersGlobal == 2);

// A call that all work-items of a group must make.
struct Meeting {
  std::string name;
  CheckedCall copy = CheckedCall::load; // of an async copy
  std::uint64_t element_bytes = 0;      // of a typed copy
  unsigned first_equal = 0;             // the arguments from this one on must be equal
  unsigned end_equal = ~0U;
  bool is_copy = false;
  bool is_barrier = false;
};

std::optional<Meeting> find_meeting(const llvm::Function& function) {
  if (!function.isDeclaration())
    return std::nullopt;
  Meeting meeting;
  if (const auto copy = checked_copy(function)) {
    meeting.name = abi::kCheckedCalls[static_cast<unsigned>(copy->call)].name;
    meeting.copy = copy->call;
    meeting.element_bytes = copy->element_bytes;
    meeting.is_copy = true;
    return meeting;
  }
  auto name = function.getName();
  if (name.starts_with("__work_group_")) { // reservations and commits of pipes
    meeting.name = name.drop_front(2);
    return meeting;
  }
  const auto mangled = MangledName::parse(name);
  if (!mangled)
    return std::nullopt;
  meeting.name = mangled->function;
  if (is_barrier(name)) {
    meeting.is_barrier = true;
    return meeting;
  }
  if (meeting.name == "wait_group_events") {
    meeting.end_equal = 1; // events are values of the work-item
    return meeting;
  }
  if (!llvm::StringRef(meeting.name).starts_with("work_group_"))
    return std::nullopt;
  // The values differ, and the ids of a broadcast do not.
  meeting.first_equal = 1;
  return meeting;
}

class MeetingInserter {
 public:
  explicit MeetingInserter(CheckCalls& checks) : checks_(checks) {}

  void insert(llvm::CallInst& call, const Meeting& meeting) {
    llvm::IRBuilder<> builder(&call);
    auto* word = builder.getInt64Ty();
    auto* event = meeting.is_copy ? event_of(call) : nullptr;
    const bool waits = meeting.name == "wait_group_events" && call.arg_size() == 2;
    llvm::Value* no_events = builder.getInt64(0);
    llvm::SmallVector<llvm::Value*, 16> operands{
        builder.getInt64(++number_),
        checks_.text(meeting.name),
        order(builder, call, meeting),
        builder.getInt64(meeting.is_copy ? static_cast<std::uint64_t>(meeting.copy) : abi::kNoCopy),
        event != nullptr ? event
        : waits          ? call.getArgOperand(1)
                         : no_events,
        waits ? builder.CreateZExtOrTrunc(call.getArgOperand(0), word)
              : builder.getInt64(event != nullptr)};
    for (unsigned i = meeting.first_equal;
         i < std::min<unsigned>(meeting.end_equal, call.arg_size()); ++i) {
      auto* argument = call.getArgOperand(i);
      if (argument->getType()->isIntegerTy())
        operands.push_back(builder.CreateZExtOrTrunc(argument, word));
      else if (argument->getType()->isPointerTy())
        operands.push_back(argument);
    }
    if (meeting.element_bytes != 0)
      operands.push_back(builder.getInt64(meeting.element_bytes));
    checks_.insert(CheckedCall::meeting, operands, call);
    if (event != nullptr) {
      builder.SetInsertPoint(call.getNextNode());
      auto* result = builder.CreateLoad(call.getType(), event);
      call.replaceAllUsesWith(result);
    }
  }

 private:
  // A variable with the event that the copy is given; null if it has none.
  static llvm::AllocaInst* event_of(llvm::CallInst& call) {
    auto* given = call.arg_empty() ? nullptr : call.getArgOperand(call.arg_size() - 1);
    if (given == nullptr || given->getType() != call.getType() ||
        !llvm::isa<llvm::TargetExtType>(given->getType()))
      return nullptr;
    auto& entry = call.getFunction()->getEntryBlock();
    auto* event =
        llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(given->getType(), nullptr, "event");
    llvm::IRBuilder<>(&call).CreateStore(given, event);
    return event;
  }

  // A barrier orders what its flags say, all others order everything, as they do here.
  static llvm::Value* order(llvm::IRBuilder<>& builder, const llvm::CallInst& call,
                            const Meeting& meeting) {
    constexpr auto kBoth = abi::kOrdersLocal | abi::kOrdersGlobal;
    if (!meeting.is_barrier)
      return builder.getInt64(meeting.is_copy                       ? 0
                              : meeting.name == "wait_group_events" ? kBoth | abi::kWaitsForCopies
                                                                    : kBoth);
    auto* given = builder.CreateZExtOrTrunc(call.getArgOperand(0), builder.getInt64Ty());
    // Images are in global memory.
    auto* flags = builder.CreateOr(
        builder.CreateAnd(given, kBoth),
        builder.CreateSelect(builder.CreateIsNull(builder.CreateAnd(given, kImageFence)),
                             builder.getInt64(0), builder.getInt64(abi::kOrdersGlobal)));
    if (call.arg_size() < 2)
      return flags;
    auto* scope = builder.CreateZExtOrTrunc(call.getArgOperand(1), builder.getInt64Ty());
    auto* is_wide = builder.CreateICmpULE(builder.CreateSub(scope, builder.getInt64(kScopeDevice)),
                                          builder.getInt64(kScopeAllDevices - kScopeDevice));
    return builder.CreateOr(
        flags,
        builder.CreateSelect(is_wide, builder.getInt64(abi::kOrdersDevice), builder.getInt64(0)));
  }

  CheckCalls& checks_;
  std::uint64_t number_ = 0;
};

// Functions of the library, by type and dimensions (builtins/image_read_core.cl, image_write.cl).
constexpr llvm::StringLiteral kImageTexel = "__heddle_image_texel_";
constexpr llvm::StringLiteral kWrittenImageTexel = "__heddle_image_written_texel_";
constexpr llvm::StringLiteral kImageWrite = "__heddle_image_write_";

// Builtins that access memory of the program, and nothing else.
bool accesses_arguments(const llvm::Function& function) {
  const auto mangled = MangledName::parse(function.getName());
  const llvm::StringRef name = mangled ? llvm::StringRef(mangled->function) : function.getName();
  constexpr llvm::StringLiteral kPrefixes[] = {
      "vload",     "vstore",          "atomic_", "atom_", "do_atomic", "intel_sub_group_block_",
      kImageWrite, kWrittenImageTexel};
  constexpr llvm::StringLiteral kNames[] = {"fract",     "modf",           "frexp",
                                            "remquo",    "sincos",         "lgamma_r",
                                            "mem_fence", "read_mem_fence", "write_mem_fence"};
  return llvm::any_of(kPrefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
         llvm::is_contained(kNames, name);
}

void check_accesses(llvm::Function& function, RaceChecker& races) {
  for (auto& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    races.insert(instruction);
}

} // namespace

static void insert_order_checks(llvm::Module& module, const Compilation& compilation) {
  CheckCalls checks(module);
  RaceChecker races(checks);
  MeetingInserter meetings(checks);
  llvm::SmallVector<llvm::Function*, 16> own;
  for (auto& function : module)
    if (!function.isDeclaration())
      own.push_back(&function);
  llvm::SmallVector<std::pair<llvm::CallInst*, Meeting>, 16> calls;
  for (auto& function : module)
    if (const auto meeting = find_meeting(function))
      for (auto* user : function.users())
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(user);
            call != nullptr && call->getCalledOperand() == &function)
          calls.emplace_back(call, *meeting);
  for (const auto& [call, meeting] : calls)
    meetings.insert(*call, meeting);
  for (auto* function : own) {
    function->addFnAttr(kOwnFunction);
    // What is called through a pointer has no work-item parameters; blocks become plain functions.
    if (compilation.checks_race() && !is_unchecked_by(module, function->getSubprogram(), "race") &&
        (!function->hasAddressTaken() || function->getName().contains("_block_invoke")))
      check_accesses(*function, races);
  }
}

// Reads of images that the kernel may write call their own copies of functions that others share,
// which stay unchecked: no work-item writes what is read only.
static void separate_reads_of_written_images(llvm::Module& module) {
  llvm::DenseMap<llvm::Function*, llvm::Function*> copies;
  for (auto& function : llvm::make_early_inc_range(module)) {
    const auto mangled = MangledName::parse(function.getName());
    if (!mangled || !llvm::StringRef(mangled->function).starts_with("read_image") ||
        !function.getName().contains("_rw"))
      continue;
    for (auto& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto* callee = call->getCalledFunction(); callee != nullptr &&
                                                      !callee->isDeclaration() &&
                                                      callee->getName().starts_with(kImageTexel)) {
          auto*& copy = copies[callee];
          if (copy == nullptr) {
            llvm::ValueToValueMapTy values;
            copy = llvm::CloneFunction(callee, values);
            copy->setName(kWrittenImageTexel + callee->getName().drop_front(kImageTexel.size()));
          }
          call->setCalledFunction(copy);
        }
  }
}

static void insert_builtin_race_checks(llvm::Module& module) {
  separate_reads_of_written_images(module);
  CheckCalls checks(module);
  RaceChecker races(checks, /*is_library=*/true);
  for (auto& function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(kOwnFunction) &&
        accesses_arguments(function))
      check_accesses(function, races);
}

llvm::PreservedAnalyses InsertOrderChecksPass::run(llvm::Module& module,
                                                   llvm::ModuleAnalysisManager& /*analyses*/) {
  insert_order_checks(module, compilation_);
  return llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses
InsertBuiltinRaceChecksPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  insert_builtin_race_checks(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
