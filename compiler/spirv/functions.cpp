// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpFunction: first all are declared, because calls may come before; then their bodies.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/translator.h"
#include "compiler/support/build.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

using Op = spv::Op;

// What modules import of LLVM: arithmetic that is the same everywhere.
constexpr llvm::StringLiteral kIntrinsics[] = {
    "llvm.uadd.sat.", "llvm.sadd.sat.",   "llvm.usub.sat.", "llvm.ssub.sat.", "llvm.umin.",
    "llvm.umax.",     "llvm.smin.",       "llvm.smax.",     "llvm.abs.",      "llvm.ctpop.",
    "llvm.bswap.",    "llvm.bitreverse.", "llvm.fshl.",     "llvm.fshr.",     "llvm.fabs.",
    "llvm.copysign.", "llvm.fma.",        "llvm.fmuladd.",  "llvm.minnum.",   "llvm.maxnum.",
    "llvm.floor.",    "llvm.ceil.",       "llvm.trunc.",    "llvm.rint.",     "llvm.sqrt.",
    "llvm.ctlz.",     "llvm.cttz.",       "llvm.minimum.",  "llvm.maximum.",  "llvm.roundeven.",
    "llvm.round.",    "llvm.nearbyint.",  "llvm.assume",    "llvm.expect.",
};

// A vector put together of calls, of which only components were used.
void erase_unused(llvm::Value* value) {
  while (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
    if (!insert->use_empty())
      return;
    value = insert->getOperand(0);
    auto* component = insert->getOperand(1);
    insert->eraseFromParent();
    while (auto* instruction = llvm::dyn_cast<llvm::Instruction>(component)) {
      if (!instruction->use_empty())
        break;
      component = instruction->getNumOperands() != 0 ? instruction->getOperand(0) : nullptr;
      instruction->eraseFromParent();
      if (component == nullptr)
        break;
    }
  }
}

} // namespace

bool Translator::is_import_known(llvm::StringRef name) {
  return !name.starts_with("llvm.") ||
         llvm::any_of(kIntrinsics, [&](llvm::StringRef known) { return name.starts_with(known); });
}

void Translator::declare_functions(std::size_t at) {
  while (at < words_.size())
    at = declare_function(at);
}

// Answers where the next one begins.
std::size_t Translator::declare_function(std::size_t at) {
  auto instruction = instruction_at(at);
  if (instruction.op == Op::OpLine || instruction.op == Op::OpNoLine || instruction.op == Op::OpNop)
    return at + instruction.length;
  if (instruction.op == Op::OpExtInst ||
      static_cast<Word>(instruction.op) ==
          4433) // debug information that stands behind the functions
    return at + instruction.length;
  require(instruction.op == Op::OpFunction, "behind a function comes a function");
  Function function{};
  function.at = at;
  function.id = instruction[2];
  require(function.id < bound_, "a function's id is below the bound");
  function.type = instruction[4];
  const auto& signature = type(function.type);
  require(signature.op == Op::OpTypeFunction, "a function has a function type");
  require(signature.element == instruction[1], "a function's result is that of its type");
  const auto control = instruction[3];
  const auto link = linkage(function.id);
  const auto entry = entry_of_function_.find(function.id);
  const bool is_kernel = entry != entry_of_function_.end() && !is_block(function.type);

  auto kind = llvm::GlobalValue::InternalLinkage;
  std::string function_name = name(function.id).str();
  if (link.kind != Linkage::none) {
    kind = link.kind == Linkage::linkonce ? llvm::GlobalValue::LinkOnceODRLinkage
                                          : llvm::GlobalValue::ExternalLinkage;
    function_name = link.name.str();
    require(!function_name.empty(), "a linkage has a name");
  }
  if (entry != entry_of_function_.end()) {
    require(link.kind != Linkage::imported, "an entry point is not imported");
    function_name = entry_points_[entry->second].name.str();
    kind = llvm::GlobalValue::ExternalLinkage;
    if (is_block(function.type)) {
      function_name += ".function";
      kind = llvm::GlobalValue::InternalLinkage;
    }
  } else if (link.kind == Linkage::exported || link.kind == Linkage::linkonce) {
    // Translators export a kernel's code under the kernel's name and call it from an entry point.
    for (const auto& other : entry_points_)
      if (other.name == function_name) {
        function_name += ".function";
        kind = llvm::GlobalValue::InternalLinkage;
      }
  }
  if (link.kind == Linkage::imported && !is_import_known(function_name))
    refuse("the function '" + function_name + "' cannot be imported");
  if (auto* other = module_->getNamedValue(function_name)) {
    if (kind == llvm::GlobalValue::InternalLinkage)
      function_name += ".internal";
    else if (other->hasLocalLinkage())
      other->setName(function_name + ".internal");
    else
      refuse("the name '" + function_name + "' is exported or imported twice");
  }

  function.llvm = llvm::Function::Create(llvm::cast<llvm::FunctionType>(signature.llvm), kind,
                                         function_name, *module_);
  auto& made = *function.llvm;
  if (!made.isIntrinsic()) {
    made.setCallingConv(is_kernel ? llvm::CallingConv::SPIR_KERNEL : llvm::CallingConv::SPIR_FUNC);
    made.setConvergent();
    made.setDoesNotThrow();
    if ((control & 1) != 0)
      made.addFnAttr(llvm::Attribute::AlwaysInline);
    if ((control & 2) != 0 && (control & 1) == 0)
      made.addFnAttr(llvm::Attribute::NoInline);
    if ((control & 8) != 0)
      made.setDoesNotAccessMemory();
    else if ((control & 4) != 0)
      made.setOnlyReadsMemory();
    made.addFnAttr("no-trapping-math", "true");
    made.addFnAttr("reciprocal-estimates", "!vec-divf");
    if (flushes_denormals_ ||
        (!preserves_denormals_ &&
         llvm::is_contained(build_.options.clang,
                            "-fdenormal-fp-math-f32=preserve-sign,preserve-sign")))
      made.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  }
  define_value(function.id, function.type, &made);

  at += instruction.length;
  for (; at < words_.size(); at += instruction.length) {
    instruction = instruction_at(at);
    if (instruction.op == Op::OpFunctionParameter) {
      require(function.parameters.size() < signature.members.size() &&
                  signature.members[function.parameters.size()] == instruction[1],
              "the parameters are those of the function's type");
      function.parameters.push_back(instruction[2]);
    } else if (instruction.op == Op::OpLabel && function.body == 0) {
      function.body = at;
      require(link.kind != Linkage::imported, "an imported function has no body");
    } else if (instruction.op == Op::OpFunctionEnd) {
      break;
    } else if (function.body == 0 && instruction.op != Op::OpLine &&
               instruction.op != Op::OpNoLine) {
      refuse("a function's body begins with a label");
    } else if (instruction.op == Op::OpFunction) {
      refuse("a function ends with OpFunctionEnd");
    }
  }
  require(at < words_.size(), "a function ends with OpFunctionEnd");
  require(function.parameters.size() == signature.members.size(),
          "the parameters are those of the function's type");
  require(function.body != 0 || link.kind == Linkage::imported,
          "a function without a body is imported");
  if (!made.isIntrinsic())
    for (unsigned i = 0; i < function.parameters.size(); ++i)
      parameter_attributes(made, i, function.parameters[i], signature.members[i]);
  functions_.push_back(std::move(function));
  return at + instruction.length;
}

void Translator::parameter_attributes(llvm::Function& function, unsigned index, Word number,
                                      Word type_number) {
  auto& argument = *function.getArg(index);
  const auto& parameter = type(type_number);
  const bool is_pointer = parameter.op == Op::OpTypePointer;
  for (const auto& decoration : decorations(number)) {
    if (decoration.kind != spv::Decoration::FuncParamAttr || decoration.operands.empty())
      continue;
    switch (decoration.operands[0]) {
    case 0: // Zext
      if (argument.getType()->isIntegerTy())
        argument.addAttr(llvm::Attribute::ZExt);
      break;
    case 1: // Sext
      if (argument.getType()->isIntegerTy())
        argument.addAttr(llvm::Attribute::SExt);
      break;
    case 2: // ByVal
      if (is_pointer && parameter.element != 0 &&
          (parameter.storage == spv::StorageClass::Function ||
           parameter.storage == spv::StorageClass::Generic)) { // chipStar's are Generic
        auto* content = sized_type(parameter.element, "what is passed by value");
        argument.addAttr(llvm::Attribute::getWithByValType(context_, content));
        argument.addAttr(llvm::Attribute::getWithAlignment(
            context_, std::max(alignment(number).valueOrOne(),
                               module_->getDataLayout().getABITypeAlign(content))));
      }
      break;
    case 4: // NoAlias
      if (is_pointer)
        argument.addAttr(llvm::Attribute::NoAlias);
      break;
    default: // Sret, NoCapture, NoWrite and NoReadWrite are found by analysis
      break;
    }
  }
  if (is_pointer && is_decorated(number, spv::Decoration::Restrict))
    argument.addAttr(llvm::Attribute::NoAlias);
  if (const auto text = name(number); !text.empty())
    argument.setName(text);
}

void Translator::define_functions() {
  for (std::size_t i = 0; i < functions_.size(); ++i)
    if (functions_[i].body != 0) {
      define_function(i);
      if (!build_.within_limits())
        refuse("the build's limits are exceeded");
    }
}

void Translator::define_function(std::size_t index) {
  const auto& function = functions_[index];
  function_ = static_cast<Word>(index + 1);
  const auto& signature = type(function.type);
  const auto blocks = find_blocks(function.body);
  builder_.SetInsertPoint(&function.llvm->getEntryBlock());
  for (unsigned i = 0; i < function.parameters.size(); ++i) {
    current_ = instruction_at(function.at);
    define_value(function.parameters[i], signature.members[i], function.llvm->getArg(i));
  }
  begin_function_lines(function.body, *function.llvm);
  // Values come before their uses in an order in which blocks come before those that they dominate.
  // A module has its blocks in such an order, but some translators do not see to that.
  unsigned last = 0;
  for (const auto index : dominance_order(blocks)) {
    if (index != 0 && index != last + 1) {
      if (blocks[index].line_at != 0)
        line(instruction_at(blocks[index].line_at));
      else
        no_line();
    }
    define_block(blocks[index].at);
    last = index;
  }
  complete_phis();
  attach_loops();
  builtin_copies_.clear();
  scopes_begun_.clear();
  saves_memory_ = false;
  block_ends_.clear();
  first_blocks_.clear();
  for (const auto& [loaded, which] : loaded_builtins_)
    erase_unused(loaded);
  loaded_builtins_.clear();
  builder_.ClearInsertionPoint();
  no_line();
  function_ = 0;
}

void Translator::define_block(std::size_t at) {
  for (bool is_first = true;; is_first = false) {
    const auto next = instruction_at(at);
    if (is_first)
      label(next);
    else if (next.op == Op::OpLine)
      line(next);
    else if (next.op == Op::OpNoLine)
      no_line();
    else if (next.op != Op::OpNop) {
      check_odd_integers(next);
      instruction(next);
    }
    if (builder_.GetInsertBlock()->getTerminator() != nullptr)
      return;
    at += next.length;
  }
}
// Kernels may not be recursive (SPIR-V specification, 2.16.1): a walk without recursion of its own.
void Translator::check_calls() {
  enum : std::uint8_t { unseen, open, closed };
  llvm::DenseMap<const llvm::Function*, std::uint8_t> states;
  llvm::DenseMap<const llvm::Function*, llvm::SmallVector<const llvm::Function*, 4>> callees;
  for (const auto& function : functions_)
    for (const auto* user : function.llvm->users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        callees[call->getFunction()].push_back(function.llvm);
  for (const auto& function : functions_) {
    std::vector<std::pair<const llvm::Function*, unsigned>> path;
    const auto enter = [&](const llvm::Function* next) {
      auto& state = states[next];
      if (state == open) {
        current_ = instruction_at(function.at);
        refuse("the function '" + next->getName() + "' calls itself, which OpenCL excludes");
      }
      if (state == unseen) {
        state = open;
        path.emplace_back(next, 0);
      }
    };
    enter(function.llvm);
    while (!path.empty()) {
      const auto* top = path.back().first;
      const auto& called = callees[top];
      if (path.back().second < called.size()) {
        enter(called[path.back().second++]);
      } else {
        states[top] = closed;
        path.pop_back();
      }
    }
  }
}

} // namespace heddle::compiler::spirv
