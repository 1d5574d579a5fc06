// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpFunction: first all are declared, because calls may come before; then their bodies.
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/readers.h"
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

bool is_import_known(Translation& t, llvm::StringRef name) {
  return !name.starts_with("llvm.") ||
         llvm::any_of(kIntrinsics, [&](llvm::StringRef known) { return name.starts_with(known); });
}

void parameter_attributes(Translation& t, llvm::Function& function, unsigned index, Word number,
                          Word type_number) {
  auto& argument = *function.getArg(index);
  const auto& parameter = t.type(type_number);
  const bool is_pointer = parameter.op == Op::OpTypePointer;
  for (const auto& decoration : t.decorations(number)) {
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
        auto* content = t.sized_type(parameter.element, "what is passed by value");
        argument.addAttr(llvm::Attribute::getWithByValType(t.context, content));
        argument.addAttr(llvm::Attribute::getWithAlignment(
            t.context, std::max(t.alignment(number).valueOrOne(),
                                t.module->getDataLayout().getABITypeAlign(content))));
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
  if (is_pointer && t.is_decorated(number, spv::Decoration::Restrict))
    argument.addAttr(llvm::Attribute::NoAlias);
  if (const auto text = t.name(number); !text.empty())
    argument.setName(text);
}

// A function's name, and how it is linked.
std::pair<std::string, llvm::GlobalValue::LinkageTypes>
name_and_linkage(Translation& t, const Function& function, const Linkage& link) {
  const auto entry = t.entry_of_function.find(function.id);
  auto kind = llvm::GlobalValue::InternalLinkage;
  std::string function_name = t.name(function.id).str();
  if (link.kind != Linkage::none) {
    kind = link.kind == Linkage::linkonce ? llvm::GlobalValue::LinkOnceODRLinkage
                                          : llvm::GlobalValue::ExternalLinkage;
    function_name = link.name.str();
    t.require(!function_name.empty(), "a linkage has a name");
  }
  if (entry != t.entry_of_function.end()) {
    t.require(link.kind != Linkage::imported, "an entry point is not imported");
    function_name = t.entry_points[entry->second].name.str();
    kind = llvm::GlobalValue::ExternalLinkage;
    if (is_block(t, function.type)) {
      function_name += ".function";
      kind = llvm::GlobalValue::InternalLinkage;
    }
  } else if (link.kind == Linkage::exported || link.kind == Linkage::linkonce) {
    // Translators export a kernel's code under the kernel's name and call it from an entry point.
    for (const auto& other : t.entry_points)
      if (other.name == function_name) {
        function_name += ".function";
        kind = llvm::GlobalValue::InternalLinkage;
      }
  }
  if (link.kind == Linkage::imported && !is_import_known(t, function_name))
    t.refuse("the function '" + function_name + "' cannot be imported");
  if (auto* other = t.module->getNamedValue(function_name)) {
    if (kind == llvm::GlobalValue::InternalLinkage)
      function_name += ".internal";
    else if (other->hasLocalLinkage())
      other->setName(function_name + ".internal");
    else
      t.refuse("the name '" + function_name + "' is exported or imported twice");
  }
  return {function_name, kind};
}

// `control`: of OpFunction.
void function_attributes(Translation& t, llvm::Function& made, Word control, bool is_kernel) {
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
  if (t.flushes_denormals ||
      (!t.preserves_denormals &&
       llvm::is_contained(t.build.options.clang,
                          "-fdenormal-fp-math-f32=preserve-sign,preserve-sign")))
    made.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
}

// Takes the parameters, finds the body, and answers where the function ends.
std::size_t read_to_end(Translation& t, Function& function, const Type& signature,
                        const Linkage& link) {
  auto instruction = t.current;
  auto at = function.at + instruction.length;
  for (; at < t.words.size(); at += instruction.length) {
    instruction = t.instruction_at(at);
    if (instruction.op == Op::OpFunctionParameter) {
      t.require(function.parameters.size() < signature.members.size() &&
                    signature.members[function.parameters.size()] == instruction[1],
                "the parameters are those of the function's type");
      function.parameters.push_back(instruction[2]);
    } else if (instruction.op == Op::OpLabel && function.body == 0) {
      function.body = at;
      t.require(link.kind != Linkage::imported, "an imported function has no body");
    } else if (instruction.op == Op::OpFunctionEnd) {
      break;
    } else if (function.body == 0 && instruction.op != Op::OpLine &&
               instruction.op != Op::OpNoLine) {
      t.refuse("a function's body begins with a label");
    } else if (instruction.op == Op::OpFunction) {
      t.refuse("a function ends with OpFunctionEnd");
    }
  }
  t.require(at < t.words.size(), "a function ends with OpFunctionEnd");
  t.require(function.parameters.size() == signature.members.size(),
            "the parameters are those of the function's type");
  t.require(function.body != 0 || link.kind == Linkage::imported,
            "a function without a body is imported");
  return at + instruction.length;
}

// Answers where the next one begins.
std::size_t declare_function(Translation& t, std::size_t at) {
  const auto instruction = t.instruction_at(at);
  if (instruction.op == Op::OpLine || instruction.op == Op::OpNoLine || instruction.op == Op::OpNop)
    return at + instruction.length;
  if (instruction.op == Op::OpExtInst ||
      static_cast<Word>(instruction.op) ==
          4433) // debug information that stands behind the functions
    return at + instruction.length;
  t.require(instruction.op == Op::OpFunction, "behind a function comes a function");
  Function function{};
  function.at = at;
  function.id = instruction[2];
  t.require(function.id < t.bound, "a function's id is below the bound");
  function.type = instruction[4];
  const auto& signature = t.type(function.type);
  t.require(signature.op == Op::OpTypeFunction, "a function has a function type");
  t.require(signature.element == instruction[1], "a function's result is that of its type");
  const auto link = t.linkage(function.id);
  const bool is_kernel = t.entry_of_function.contains(function.id) && !is_block(t, function.type);
  const auto [function_name, kind] = name_and_linkage(t, function, link);
  function.llvm = llvm::Function::Create(llvm::cast<llvm::FunctionType>(signature.llvm), kind,
                                         function_name, *t.module);
  auto& made = *function.llvm;
  if (!made.isIntrinsic())
    function_attributes(t, made, instruction[3], is_kernel);
  t.define_value(function.id, function.type, &made);
  const auto end = read_to_end(t, function, signature, link);
  if (!made.isIntrinsic())
    for (unsigned i = 0; i < function.parameters.size(); ++i)
      parameter_attributes(t, made, i, function.parameters[i], signature.members[i]);
  t.functions.push_back(std::move(function));
  return end;
}

void define_block(Translation& t, std::size_t at) {
  for (bool is_first = true;; is_first = false) {
    const auto next = t.instruction_at(at);
    if (is_first)
      label(t, next);
    else if (next.op == Op::OpLine)
      t.debug.line(next);
    else if (next.op == Op::OpNoLine)
      t.debug.no_line();
    else if (next.op != Op::OpNop) {
      t.check_odd_integers(next);
      read_instruction(t, next);
    }
    if (t.builder.GetInsertBlock()->getTerminator() != nullptr)
      return;
    at += next.length;
  }
}

void define_function(Translation& t, std::size_t index) {
  const auto& function = t.functions[index];
  t.function_number = static_cast<Word>(index + 1);
  const auto& signature = t.type(function.type);
  const auto blocks = find_blocks(t, function.body);
  t.builder.SetInsertPoint(&function.llvm->getEntryBlock());
  for (unsigned i = 0; i < function.parameters.size(); ++i) {
    t.current = t.instruction_at(function.at);
    t.define_value(function.parameters[i], signature.members[i], function.llvm->getArg(i));
  }
  t.debug.begin_function_lines(function.body, *function.llvm);
  // Values come before their uses in an order in which blocks come before those that they dominate.
  // A module has its blocks in such an order, but some translators do not see to that.
  unsigned last = 0;
  for (const auto index : dominance_order(blocks)) {
    if (index != 0 && index != last + 1) {
      if (blocks[index].line_at != 0)
        t.debug.line(t.instruction_at(blocks[index].line_at));
      else
        t.debug.no_line();
    }
    define_block(t, blocks[index].at);
    last = index;
  }
  complete_phis(t);
  attach_loops(t);
  for (const auto& [loaded, which] : t.body.loaded_builtins)
    erase_unused(loaded);
  t.body = FunctionBody();
  t.builder.ClearInsertionPoint();
  t.debug.no_line();
  t.function_number = 0;
}

} // namespace

void declare_functions(Translation& t, std::size_t at) {
  while (at < t.words.size())
    at = declare_function(t, at);
}

void define_functions(Translation& t) {
  for (std::size_t i = 0; i < t.functions.size(); ++i)
    if (t.functions[i].body != 0) {
      define_function(t, i);
      if (!t.build.within_limits())
        t.refuse("the build's limits are exceeded");
    }
}

// Kernels may not be recursive (SPIR-V specification, 2.16.1): a walk without recursion of its own.
void check_calls(Translation& t) {
  enum : std::uint8_t { unseen, open, closed };
  llvm::DenseMap<const llvm::Function*, std::uint8_t> states;
  llvm::DenseMap<const llvm::Function*, llvm::SmallVector<const llvm::Function*, 4>> callees;
  for (const auto& function : t.functions)
    for (const auto* user : function.llvm->users())
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        callees[call->getFunction()].push_back(function.llvm);
  for (const auto& function : t.functions) {
    std::vector<std::pair<const llvm::Function*, unsigned>> path;
    const auto enter = [&](const llvm::Function* next) {
      auto& state = states[next];
      if (state == open) {
        t.current = t.instruction_at(function.at);
        t.refuse("the function '" + next->getName() + "' calls itself, which OpenCL excludes");
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
