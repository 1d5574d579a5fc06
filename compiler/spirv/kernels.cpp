// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: the functions' execution modes and arguments as the metadata that Clang gives
// kernels.
#include "compiler/spirv/argument_words.h"
#include "compiler/spirv/initializers.h"
#include "compiler/spirv/readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"

namespace heddle::compiler::spirv {
namespace {

llvm::MDNode* numbers(llvm::IRBuilder<>& builder, llvm::ArrayRef<Word> values) {
  llvm::SmallVector<llvm::Metadata*, 4> words;
  for (const auto value : values)
    words.push_back(llvm::ConstantAsMetadata::get(builder.getInt32(value)));
  return llvm::MDNode::get(builder.getContext(), words);
}

void describe_kernel(Translation& t, const EntryPoint& entry, llvm::Function& kernel,
                     std::size_t index) {
  const auto& function = t.functions[index];
  const auto& signature = t.type(function.type);
  const auto count = function.parameters.size();
  const auto types = split_words(argument_words(t, "kernel_arg_type", entry.name), count);
  const auto qualifiers = split_words(argument_words(t, "kernel_arg_type_qual", entry.name), count);
  llvm::SmallVector<llvm::Metadata*, 8> spaces, accesses, type_names, base_types, type_qualifiers,
      names;
  const auto word = [&](llvm::StringRef text) { return llvm::MDString::get(t.context, text); };
  for (unsigned i = 0; i < count; ++i) {
    const auto number = function.parameters[i];
    const auto& parameter = t.type(signature.members[i]);
    auto& argument = *kernel.getArg(i);
    const bool is_by_value = argument.hasByValAttr();
    const bool is_pointer = parameter.op == spv::Op::OpTypePointer && !is_by_value;
    const bool is_pipe = parameter.op == spv::Op::OpTypePipe;
    const bool is_image = parameter.op == spv::Op::OpTypeImage;
    const bool is_sampler = parameter.op == spv::Op::OpTypeSampler;
    const bool is_queue = parameter.op == spv::Op::OpTypeQueue;
    t.require(
        parameter.op != spv::Op::OpTypeBool && !is_pointers(t, parameter) &&
            parameter.op != spv::Op::OpTypeEvent && parameter.op != spv::Op::OpTypeDeviceEvent &&
            parameter.op != spv::Op::OpTypeNamedBarrier &&
            parameter.op != spv::Op::OpTypeReserveId && parameter.op != spv::Op::OpTypeSampledImage,
        "a kernel's argument is a number, a vector, a structure, a pointer, a pipe, an image, a "
        "sampler or a queue");
    if (is_pointer) {
      const auto space = parameter.llvm->getPointerAddressSpace();
      t.require(space == 1 || space == 2 || space == 3,
                "a kernel's pointer is CrossWorkgroup, UniformConstant or Workgroup");
    }
    Word space = is_pointer ? parameter.llvm->getPointerAddressSpace() : 0;
    if (is_pipe || is_image)
      space = 1;
    spaces.push_back(llvm::ConstantAsMetadata::get(t.builder.getInt32(space)));
    accesses.push_back(word(is_pipe || is_image ? access_word(t, parameter) : "none"));
    auto own = type_word(t, is_by_value ? parameter.element : signature.members[i]);
    if (parameter.op == spv::Op::OpTypeInt && argument.hasAttribute(llvm::Attribute::ZExt))
      own.insert(own.begin(), 'u');
    const llvm::StringRef name_of_type = types.empty() ? llvm::StringRef(own) : types[i];
    type_names.push_back(word(name_of_type));
    // The pass that finds kernels tells images, samplers and queues by it, so a module's text may
    // not say that something is one.
    const bool misleads = name_of_type.starts_with("image") || name_of_type == "sampler_t" ||
                          name_of_type == "queue_t";
    base_types.push_back(word(is_image || is_sampler || is_queue ? llvm::StringRef(own)
                              : misleads                         ? llvm::StringRef()
                                                                 : name_of_type));
    std::string text;
    if (!qualifiers.empty()) {
      text = qualifiers[i].str();
    } else if (is_pointer) {
      const auto add = [&text](const char* part) {
        if (!text.empty())
          text += ' ';
        text += part;
      };
      if (argument.hasNoAliasAttr())
        add("restrict");
      bool is_constant = space == 2;
      for (const auto& decoration : t.decorations(number))
        if (decoration.kind == spv::Decoration::FuncParamAttr && !decoration.operands.empty() &&
            decoration.operands[0] == 6) // NoWrite
          is_constant = true;
      if (is_constant)
        add("const");
      if (t.is_decorated(number, spv::Decoration::Volatile))
        add("volatile");
    }
    // The pass that finds kernels tells pipes by it.
    if (is_pipe && text.find("pipe") == std::string::npos)
      text += text.empty() ? "pipe" : " pipe";
    type_qualifiers.push_back(word(text));
    names.push_back(word(t.name(number)));
    if (!is_pointer)
      continue;
    // Where a local argument is placed follows from this; a pointer to bytes may be one to
    // anything.
    auto alignment = t.alignment(number).valueOrOne();
    const auto& content = parameter.element != 0 ? t.type(parameter.element) : parameter;
    if (content.bytes > 1)
      alignment = std::max(alignment, t.module->getDataLayout().getABITypeAlign(content.llvm));
    else if (space == 3 && alignment == 1)
      alignment = llvm::Align(128);
    argument.removeAttr(llvm::Attribute::Alignment);
    argument.addAttr(llvm::Attribute::getWithAlignment(t.context, alignment));
  }
  const auto attach = [&](const char* kind, llvm::ArrayRef<llvm::Metadata*> list) {
    kernel.setMetadata(kind, llvm::MDNode::get(t.context, list));
  };
  attach("kernel_arg_addr_space", spaces);
  attach("kernel_arg_access_qual", accesses);
  attach("kernel_arg_type", type_names);
  attach("kernel_arg_base_type", base_types);
  attach("kernel_arg_type_qual", type_qualifiers);
  attach("kernel_arg_name", names);
}

} // namespace

// What is enqueued by other kernels takes a generic pointer first; translators list it among the
// entry points.
bool is_block(const Translation& t, Word function_type) {
  const auto& members = t.type(function_type).members;
  return t.enqueues && !members.empty() &&
         t.type(members[0]).storage == spv::StorageClass::Generic &&
         t.type(members[0]).op == spv::Op::OpTypePointer;
}

void make_kernels(Translation& t) {
  Initializers initializers;
  for (const auto& entry : t.entry_points) {
    const auto found = llvm::find_if(
        t.functions, [&](const auto& function) { return function.id == entry.function; });
    if (found == t.functions.end())
      t.refuse("entry point '" + entry.name + "' names no function of the module");
    t.current = t.instruction_at(found->at);
    t.require(found->llvm->getReturnType()->isVoidTy(), "a kernel returns nothing");
    auto* kernel = found->llvm;
    if (is_block(t, found->type))
      continue;
    if (initializers.take(entry, *kernel)) {
      t.require(kernel->arg_empty(), "an initializer or finalizer has no parameters");
      continue;
    }
    if (t.entry_points[t.entry_of_function.lookup(entry.function)].name != entry.name) {
      // A second name for one function: a kernel that calls it.
      auto* type = kernel->getFunctionType();
      if (t.module->getNamedValue(entry.name) != nullptr)
        t.refuse("the name '" + entry.name + "' is defined twice");
      auto* other =
          llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry.name, *t.module);
      other->copyAttributesFrom(kernel);
      t.builder.SetInsertPoint(llvm::BasicBlock::Create(t.context, "", other));
      llvm::SmallVector<llvm::Value*, 8> arguments;
      for (auto& argument : other->args())
        arguments.push_back(&argument);
      auto* call = t.builder.CreateCall(kernel, arguments);
      call->setCallingConv(kernel->getCallingConv());
      for (unsigned i = 0; i < arguments.size(); ++i)
        call->addParamAttrs(i,
                            llvm::AttrBuilder(t.context, kernel->getAttributes().getParamAttrs(i)));
      t.builder.CreateRetVoid();
      t.builder.ClearInsertionPoint();
      kernel = other;
    }
    describe_kernel(t, entry, *kernel, static_cast<std::size_t>(found - t.functions.begin()));
    for (const auto& mode : entry.modes)
      apply_mode(t, mode, *kernel);
  }
  initializers.write(*t.module);
}

void apply_mode(Translation& t, const EntryPoint::Mode& mode, llvm::Function& kernel) {
  const auto operand = [&](unsigned index) -> Word {
    t.require(index < mode.operands.size(), "an execution mode has its operands");
    return mode.operands_are_ids ? static_cast<Word>(t.constant_number(
                                       mode.operands[index], "an execution mode's operand"))
                                 : mode.operands[index];
  };
  using Mode = spv::ExecutionMode;
  switch (mode.mode) {
  case Mode::LocalSize:
  case Mode::LocalSizeId:
    kernel.setMetadata("reqd_work_group_size",
                       numbers(t.builder, {operand(0), operand(1), operand(2)}));
    break;
  case Mode::LocalSizeHint:
  case Mode::LocalSizeHintId:
    kernel.setMetadata("work_group_size_hint",
                       numbers(t.builder, {operand(0), operand(1), operand(2)}));
    break;
  case Mode::VecTypeHint: {
    // The number of components, and the component in the lower half.
    const auto word = operand(0);
    llvm::Type* component = nullptr;
    switch (word & 0xFFFF) {
    case 0:
      component = t.builder.getInt8Ty();
      break;
    case 1:
      component = t.builder.getInt16Ty();
      break;
    case 2:
      component = t.builder.getInt32Ty();
      break;
    case 3:
      component = t.builder.getInt64Ty();
      break;
    case 4:
      component = t.builder.getHalfTy();
      break;
    case 5:
      component = t.builder.getFloatTy();
      break;
    case 6:
      component = t.builder.getDoubleTy();
      break;
    default:
      return;
    }
    const auto count = word >> 16;
    if (count > 16)
      return;
    if (count > 1)
      component = llvm::FixedVectorType::get(component, count);
    kernel.setMetadata(
        "vec_type_hint",
        llvm::MDNode::get(t.context,
                          {llvm::ConstantAsMetadata::get(llvm::PoisonValue::get(component)),
                           llvm::ConstantAsMetadata::get(t.builder.getInt32(1))}));
    break;
  }
  case Mode::SubgroupSize:
    kernel.setMetadata("intel_reqd_sub_group_size", numbers(t.builder, {operand(0)}));
    break;
  case Mode::RoundingModeRTZ:
    t.refuse("this device rounds to nearest even only");
  default: // those of floating-point arithmetic are seen to; the others allow, or are hints
    break;
  }
}

} // namespace heddle::compiler::spirv
