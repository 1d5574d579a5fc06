#include "compiler/workgroup/kernel_wrappers.h"

#include "compiler/ir/abi_builder.h"
#include "compiler/ir/debug_info.h"
#include "compiler/ir/fault_markers.h"
#include "compiler/ir/loop_builder.h"
#include "compiler/optimize/nontemporal_stores.h"
#include "compiler/support/build.h"
#include "compiler/workgroup/emit_region_loops.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/TargetParser/Triple.h"

namespace heddle::compiler {
namespace {

using abi::Group;
using abi::Launch;
using abi::Worker;

// Code generation calls these by name; a kernel of that name would be called instead.
bool is_reserved(llvm::StringRef name) {
  static const llvm::TargetLibraryInfoImpl info{llvm::Triple("x86_64-unknown-linux-gnu")};
  llvm::LibFunc function;
  return info.getLibFunc(name, function) || name.starts_with("heddle_") || name == "roundeven" ||
         name == "roundevenf";
}

class EntryPoint {
 public:
  EntryPoint(llvm::Module& module, Kernel& kernel)
      : module_(module), context_(module.getContext()), kernel_(kernel), builder_(context_),
        access_(builder_), loops_(builder_) {}

  void make() {
    std::string name = kernel_.metadata.name;
    if (is_reserved(name))
      name += ".cl";
    if (kernel_.metadata.uses_fibers()) {
      make_item_function(name);
      make_group_loop(name + ".groups");
    } else {
      make_group_loop(name);
    }
    kernel_.body->setLinkage(llvm::GlobalValue::InternalLinkage);
  }

 private:
  llvm::Function* function(llvm::ArrayRef<llvm::Type*> types, const llvm::Twine& name) {
    auto* made = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                        llvm::GlobalValue::InternalLinkage, name, module_);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    // Floating-point attributes and the like: inlining wants them to be compatible.
    for (const auto attribute : kernel_.body->getAttributes().getFnAttrs())
      if (attribute.isStringAttribute() && !attribute.getKindAsString().starts_with("heddle-"))
        made->addFnAttr(attribute);
    attach_subprogram(*made, *kernel_.body);
    return made;
  }

  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, current_);
  }

  void begin(llvm::Function* made) {
    current_ = made;
    builder_.SetInsertPoint(block("entry"));
    if (const auto* subprogram = made->getSubprogram())
      builder_.SetCurrentDebugLocation(llvm::DILocation::get(
          context_, subprogram->getLine(), 0, const_cast<llvm::DISubprogram*>(subprogram)));
    else
      builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  }

  // The kernel's arguments, from where clSetKernelArg has put them.
  llvm::SmallVector<llvm::Value*, 12> load_arguments(llvm::Value* launch,
                                                     llvm::Value* local_memory) {
    llvm::SmallVector<llvm::Value*, 12> values;
    if (kernel_.metadata.arguments.empty())
      return values;
    auto* packed =
        access_.load_invariant(launch, offsetof(Launch, args), access_.pointer(), "args");
    for (const auto& [described, parameter] :
         llvm::zip(kernel_.metadata.arguments, kernel_.body->args())) {
      if (parameter.hasByValAttr()) {
        values.push_back(access_.field(packed, described.offset));
        continue;
      }
      const bool is_local = described.kind == ArgumentKind::local_pointer;
      auto* type = is_local ? access_.word() : parameter.getType();
      auto* value = access_.load_invariant(packed, described.offset, type, parameter.getName());
      value->setAlignment(llvm::Align(is_local ? 8 : described.alignment));
      if (is_local)
        values.push_back(builder_.CreateInBoundsGEP(builder_.getInt8Ty(), local_memory, value));
      else
        values.push_back(value);
    }
    return values;
  }

  // Calls the body, or with `active` (the number of lanes; null: all) a vector form of it.
  llvm::CallInst* call_body(llvm::SmallVector<llvm::Value*, 12> arguments, llvm::Value* group,
                            llvm::Value* x, llvm::Value* y, llvm::Value* z) {
    arguments.append({group, x, y, z});
    auto* call = builder_.CreateCall(kernel_.body, arguments);
    // byval and the extension of small integers are part of the call.
    call->setAttributes(kernel_.body->getAttributes().removeFnAttributes(context_));
    return call;
  }
  void call_wide(llvm::SmallVector<llvm::Value*, 12> arguments, llvm::Value* active,
                 llvm::Value* group, llvm::Value* x, llvm::Value* y, llvm::Value* z) {
    if (active != nullptr)
      arguments.push_back(active);
    arguments.append({group, x, y, z});
    builder_.CreateCall(kernel_.variant(active != nullptr ? VariantKind::tail : VariantKind::whole),
                        arguments);
  }
  // The sub-group whose first linear id is `first`, in a group whose sub-groups cross rows.
  llvm::Value* call_crossing(llvm::SmallVector<llvm::Value*, 12> arguments, llvm::Value* group,
                             llvm::Value* first, llvm::Value* items) {
    auto* left = builder_.CreateSub(items, first);
    auto* zero = builder_.getInt64(0);
    arguments.append({builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, width()), group,
                      first, zero, zero});
    return builder_.CreateCall(kernel_.variant(VariantKind::crossing), arguments);
  }
  bool is_vector() const { return kernel_.variants.has(VariantKind::whole); }
  llvm::Value* width() { return builder_.getInt64(kernel_.metadata.vector_width); }
  // Sub-groups in a row of `size` work-items.
  llvm::Value* sub_groups_in(llvm::Value* size) {
    return builder_.CreateUDiv(
        builder_.CreateAdd(size, builder_.getInt64(kernel_.metadata.vector_width - 1)), width());
  }

  // Enqueued local size in x: known when the program requires it.
  llvm::Value* enqueued_row(llvm::Value* launch) {
    if (kernel_.metadata.required_group_size[0] != 0)
      return builder_.getInt64(kernel_.metadata.required_group_size[0]);
    return access_.launch_word(launch, offsetof(Launch, local_size));
  }

  // Actual size in y or z: at most what the program requires.
  llvm::Value* size_in_row(llvm::Value* worker, unsigned d) {
    const auto required = kernel_.metadata.required_group_size[d];
    if (required == 1)
      return builder_.getInt64(1);
    constexpr auto kStep = offsetof(Worker, local_size_z) - offsetof(Worker, local_size_y);
    auto* size = access_.load_invariant(worker, offsetof(Worker, local_size_y) + (d - 1) * kStep,
                                        access_.word(), d == 1 ? "size_y" : "size_z");
    if (required == 0)
      return size;
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, size, builder_.getInt64(required));
  }

  void store_current_item(llvm::Value* worker, llvm::Value* index) {
    note(builder_, index, access_.field(worker, offsetof(Worker, current_item)));
  }

  // NAME(group, index): one work-item on its fiber.
  void make_item_function(const llvm::Twine& name) {
    auto* made = function({access_.pointer(), access_.word()}, name);
    kernel_.fiber_entry = made;
    auto* group = made->getArg(0);
    auto* index = made->getArg(1);
    group->setName("group");
    index->setName("index");
    // The group is the caller's and stays as it is until every item has returned.
    for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly,
                            llvm::Attribute::NonNull, llvm::Attribute::NoUndef})
      group->addAttr(kind);
    group->addAttr(llvm::Attribute::getWithDereferenceableBytes(context_, sizeof(Group)));
    group->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(8)));
    begin(made);
    auto* worker = access_.worker_of(group);
    auto* row_size = access_.group_word(group, offsetof(Group, local_size), 0);
    auto* size_x = is_vector() ? sub_groups_in(row_size) : row_size;
    auto* size_y = access_.group_word(group, offsetof(Group, local_size), 1);
    auto* local_memory =
        access_.load(group, offsetof(Group, local_memory), access_.local_pointer());
    auto* launch = access_.launch_of(group);
    const auto arguments = load_arguments(launch, local_memory);

    if (kernel_.variants.has(VariantKind::crossing))
      item_across_rows(arguments, group, index, row_size, size_y);

    // Most groups are one row: no division. Group sizes fit in 32 bits, where it is cheaper.
    auto* row = builder_.GetInsertBlock();
    auto* split = block("split");
    auto* run = block("run");
    builder_.CreateCondBr(builder_.CreateICmpULT(index, size_x), run, split);
    builder_.SetInsertPoint(split);
    const auto narrow = [&](llvm::Value* value) {
      return builder_.CreateTrunc(value, builder_.getInt32Ty());
    };
    auto* split_line = builder_.CreateUDiv(narrow(index), narrow(size_x));
    auto* split_x = builder_.CreateURem(narrow(index), narrow(size_x));
    auto* split_y = builder_.CreateURem(split_line, narrow(size_y));
    auto* split_z = builder_.CreateUDiv(split_line, narrow(size_y));
    builder_.CreateBr(run);
    builder_.SetInsertPoint(run);
    auto* zero = builder_.getInt32(0);
    const auto join = [&](llvm::Value* in_row, llvm::Value* in_split) {
      auto* phi = builder_.CreatePHI(builder_.getInt32Ty(), 2);
      phi->addIncoming(in_row, row);
      phi->addIncoming(in_split, split);
      return phi;
    };
    auto* narrow_index = llvm::CastInst::CreateTruncOrBitCast(index, builder_.getInt32Ty(), "",
                                                              row->getTerminator()->getIterator());
    llvm::Value* id[3] = {join(narrow_index, split_x), join(zero, split_y), join(zero, split_z)};
    for (auto*& value : id)
      value = builder_.CreateZExt(value, access_.word());
    if (is_vector())
      id[0] = builder_.CreateMul(id[0], width());
    auto* line = builder_.CreateAdd(builder_.CreateMul(id[2], size_y), id[1]);
    store_current_item(worker, builder_.CreateAdd(builder_.CreateMul(line, row_size), id[0]));
    if (is_vector()) {
      auto* left = builder_.CreateSub(row_size, id[0]);
      run_sub_group(arguments, group, id[0], id[1], id[2], left);
    } else {
      call_body(arguments, group, id[0], id[1], id[2]);
    }
    builder_.CreateRetVoid();
  }

  // Returns if the group's sub-groups cross rows; what follows is for the others.
  void item_across_rows(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                        llvm::Value* index, llvm::Value* size_x, llvm::Value* size_y) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size_x, size_y),
                                     access_.group_word(group, offsetof(Group, local_size), 2));
    auto* crossing = block("crossing");
    auto* rows = block("rows");
    builder_.CreateCondBr(crosses_rows(builder_, kernel_, size_x, items), crossing, rows);
    builder_.SetInsertPoint(crossing);
    auto* first = builder_.CreateMul(index, width());
    store_current_item(access_.worker_of(group), first);
    call_crossing(arguments, group, first, items);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(rows);
  }

  // With all lanes, if so many are left in the row, or with what is left.
  void run_sub_group(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                     llvm::Value* x, llvm::Value* y, llvm::Value* z, llvm::Value* left) {
    auto* whole = block("whole");
    auto* part = block("part");
    auto* done = block("done");
    auto* is_whole = builder_.CreateICmpUGE(left, width());
    if (!kernel_.launch.id_bases.empty()) {
      auto* ids_wrap = emit_id_wrap_check(builder_, kernel_.launch.id_bases, group);
      is_whole = builder_.CreateAnd(is_whole, builder_.CreateNot(ids_wrap));
      left = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, width());
    }
    builder_.CreateCondBr(is_whole, whole, part);
    builder_.SetInsertPoint(whole);
    call_wide(arguments, nullptr, group, x, y, z);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(part);
    call_wide(arguments, left, group, x, y, z);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  // NAME(launch, first, last, worker): groups of one row of groups.
  void make_group_loop(const llvm::Twine& name) {
    auto* pointer = access_.pointer();
    auto* made = function({pointer, access_.word(), access_.word(), pointer}, name);
    kernel_.entry = made;
    auto* launch = made->getArg(0);
    auto* first = made->getArg(1);
    auto* last = made->getArg(2);
    auto* worker = made->getArg(3);
    launch->setName("launch");
    first->setName("first_group");
    last->setName("last_group");
    worker->setName("worker");
    for (auto* argument : {launch, worker}) {
      // Programs have no pointer to them; what others are told of the work-item is volatile.
      argument->addAttr(llvm::Attribute::NoAlias);
      argument->addAttr(llvm::Attribute::NonNull);
      argument->addAttr(llvm::Attribute::NoUndef);
      argument->addAttr(llvm::Attribute::getWithAlignment(context_, llvm::Align(8)));
    }
    launch->addAttr(llvm::Attribute::getWithDereferenceableBytes(context_, sizeof(Launch)));
    worker->addAttr(llvm::Attribute::getWithDereferenceableBytes(context_, sizeof(Worker)));
    begin(made);
    auto* group = builder_.CreateAlloca(llvm::ArrayType::get(access_.word(), sizeof(Group) / 8),
                                        nullptr, "group");
    group->setAlignment(llvm::Align(16));
    auto* local_memory = access_.load_invariant(worker, offsetof(Worker, local_memory),
                                                access_.local_pointer(), "local_memory");
    builder_.CreateStore(launch, access_.field(group, offsetof(Group, launch)));
    builder_.CreateStore(worker, access_.field(group, offsetof(Group, worker)));
    builder_.CreateStore(local_memory, access_.field(group, offsetof(Group, local_memory)));
    llvm::SmallVector<llvm::Value*, 12> arguments;
    if (!kernel_.metadata.uses_fibers())
      arguments = load_arguments(launch, local_memory);
    llvm::Value* size[3] = {nullptr, size_in_row(worker, 1), size_in_row(worker, 2)};
    for (unsigned d = 1; d < 3; ++d) {
      auto* id = access_.load_invariant(worker, offsetof(Worker, current_group) + 8 * d,
                                        access_.word(), "group_id");
      builder_.CreateStore(id, access_.field(group, offsetof(Group, group_id) + 8 * d));
      builder_.CreateStore(size[d], access_.field(group, offsetof(Group, local_size) + 8 * d));
    }
    auto* global_size = access_.launch_word(launch, offsetof(Launch, global_size));
    auto* enqueued_size = enqueued_row(launch);
    auto* most_merged = most_at_once(launch);
    auto* start = builder_.GetInsertBlock();
    auto* head = block("group");
    builder_.CreateBr(head);
    builder_.SetInsertPoint(head);
    auto* id = builder_.CreatePHI(access_.word(), 2, "group_id");
    id->addIncoming(first, start);
    auto* merged = most_merged == nullptr
                       ? builder_.getInt64(1)
                       : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                        builder_.CreateSub(last, id), most_merged);
    size[0] = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin,
        builder_.CreateSub(global_size, builder_.CreateMul(id, enqueued_size)),
        builder_.CreateMul(enqueued_size, merged));
    builder_.CreateStore(id, access_.field(group, offsetof(Group, group_id)));
    builder_.CreateStore(size[0], access_.field(group, offsetof(Group, local_size)));
    note(builder_, id, access_.field(worker, offsetof(Worker, current_group)));
    note(builder_, size[0], access_.field(worker, offsetof(Worker, current_row)));
    if (kernel_.metadata.uses_fibers())
      run_on_fibers(group, worker, size);
    else if (kernel_.metadata.has_barrier)
      RegionLoopEmitter(builder_, kernel_, {arguments, group, worker, {size[0], size[1], size[2]}})
          .emit();
    else
      run_in_loops(arguments, group, worker, size);

    auto* next = builder_.CreateNUWAdd(id, merged);
    id->addIncoming(next, builder_.GetInsertBlock());
    auto* finish = block("finish");
    loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpULT(next, last), head, finish));
    builder_.SetInsertPoint(finish);
    if (kernel_.launch.nontemporal_bytes != 0)
      finish_streams(launch);
    else if (kernel_.launch.has_nontemporal_loops)
      builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {});
    builder_.CreateRetVoid();
  }

  // What was stored past the caches is not ordered with what tells others that it is there.
  void finish_streams(llvm::Value* launch) {
    auto* fence = block("fence");
    auto* done = block("done");
    builder_.CreateCondBr(emit_exceeds_caches(builder_, launch, kernel_.launch.nontemporal_bytes),
                          fence, done);
    builder_.SetInsertPoint(fence);
    builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {});
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  // Groups that may be run as one: as many as have no more work-items in x than one group may have,
  // which passes count on. Null: none are.
  llvm::Value* most_at_once(llvm::Value* launch) {
    switch (kernel_.launch.coalescing) {
    case GroupCoalescing::none:
      return nullptr;
    case GroupCoalescing::all:
      return access_.load_invariant(launch, offsetof(Launch, merged_groups), access_.word(),
                                    "merged_groups");
    case GroupCoalescing::single_rows:
      return access_.load_invariant(launch, offsetof(Launch, merged_rows), access_.word(),
                                    "merged_rows");
    }
    return nullptr;
  }

  void run_on_fibers(llvm::Value* group, llvm::Value* worker, llvm::Value* const (&size)[3]) {
    auto* run = access_.load_invariant(worker, offsetof(Worker, run_fibers), access_.pointer());
    auto* type = llvm::FunctionType::get(
        builder_.getVoidTy(), {access_.pointer(), access_.pointer(), access_.word()}, false);
    auto* row = is_vector() ? sub_groups_in(size[0]) : size[0];
    auto* count = builder_.CreateMul(builder_.CreateMul(row, size[1]), size[2]);
    if (kernel_.variants.has(VariantKind::crossing)) {
      auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
      count = builder_.CreateSelect(crosses_rows(builder_, kernel_, size[0], items),
                                    sub_groups_in(items), count);
    }
    builder_.CreateCall(type, run, {group, kernel_.fiber_entry, count});
  }

  void run_in_loops(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                    llvm::Value* worker, llvm::Value* const (&size)[3]) {
    llvm::BasicBlock* done = nullptr;
    if (kernel_.variants.has(VariantKind::crossing)) {
      done = block("group.done");
      run_across_rows(arguments, group, worker, size, done);
    }
    llvm::Value* ids_wrap = nullptr;
    if (!kernel_.launch.id_bases.empty())
      ids_wrap = emit_id_wrap_check(builder_, kernel_.launch.id_bases, group);
    if (is_told_its_row())
      run_numbered_rows(arguments, group, worker, size, ids_wrap);
    else
      run_like_rows(arguments, group, worker, size, ids_wrap);
    if (done != nullptr) {
      builder_.CreateBr(done);
      builder_.SetInsertPoint(done);
    }
  }

  // Whether the code for one row depends on its local ids in y and z, the last parameters.
  bool is_told_its_row() const {
    if (kernel_.variants.has(VariantKind::block))
      return true;
    return llvm::any_of(
        llvm::ArrayRef<llvm::Function*>{kernel_.body, kernel_.variant(VariantKind::whole),
                                        kernel_.variant(VariantKind::tail)},
        [](const llvm::Function* function) {
          return function != nullptr && !(function->getArg(function->arg_size() - 1)->use_empty() &&
                                          function->getArg(function->arg_size() - 2)->use_empty());
        });
  }

  void run_numbered_rows(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                         llvm::Value* worker, llvm::Value* const (&size)[3],
                         llvm::Value* ids_wrap) {
    const auto z = loops_.begin(size[2], "z");
    auto* first_row = run_blocks(arguments, group, worker, size, z.value, ids_wrap);
    const auto y = first_row != nullptr ? loops_.begin_from(first_row, size[1], "y")
                                        : loops_.begin(size[1], "y");
    auto* row = builder_.CreateAdd(builder_.CreateMul(z.value, size[1]), y.value);
    run_row(arguments, group, worker, row, size[0], y.value, z.value, ids_wrap);
    loops_.end(y);
    loops_.end(z);
  }

  // One loop is less to compile than two.
  void run_like_rows(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                     llvm::Value* worker, llvm::Value* const (&size)[3], llvm::Value* ids_wrap) {
    const auto row = loops_.begin(builder_.CreateMul(size[1], size[2]), "row");
    auto* any = builder_.getInt64(0);
    run_row(arguments, group, worker, row.value, size[0], any, any, ids_wrap);
    loops_.end(row);
  }

  // Blocks of rows side by side, as far as there are whole ones; gives the first row that is left
  // (null if the kernel has no form for blocks).
  llvm::Value* run_blocks(llvm::SmallVector<llvm::Value*, 12> arguments, llvm::Value* group,
                          llvm::Value* worker, llvm::Value* const (&size)[3], llvm::Value* z,
                          llvm::Value* ids_wrap) {
    if (!kernel_.variants.has(VariantKind::block))
      return nullptr;
    auto* end = rows_in_blocks(builder_, kernel_, size[0], size[1], ids_wrap, group);
    const auto y =
        loops_.begin_from(builder_.getInt64(0), end, "block.y", kernel_.launch.block_rows);
    const auto x = loops_.begin(size[0], "block.x", kernel_.metadata.vector_width);
    auto* row =
        builder_.CreateMul(builder_.CreateAdd(builder_.CreateMul(z, size[1]), y.value), size[0]);
    store_current_item(worker, builder_.CreateAdd(row, x.value));
    arguments.append({group, x.value, y.value, z});
    builder_.CreateCall(kernel_.variant(VariantKind::block), arguments);
    loops_.end(x);
    loops_.end(y);
    return end;
  }

  // Goes to `done` if the group's sub-groups cross rows; what follows is for the others.
  void run_across_rows(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
                       llvm::Value* worker, llvm::Value* const (&size)[3], llvm::BasicBlock* done) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    auto* crossing = block("crossing");
    auto* rows = block("rows");
    builder_.CreateCondBr(crosses_rows(builder_, kernel_, size[0], items), crossing, rows);
    builder_.SetInsertPoint(crossing);
    const auto number = loops_.begin(sub_groups_in(items), "sub_group");
    auto* first = builder_.CreateMul(number.value, width());
    store_current_item(worker, first);
    call_crossing(arguments, group, first, items);
    loops_.end(number);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(rows);
  }

  // One row, the work-items one at a time or in sub-groups, of which the last has what is left, or
  // all as if they were the last where ids wrap (null: nowhere).
  void run_row(const llvm::SmallVector<llvm::Value*, 12>& arguments, llvm::Value* group,
               llvm::Value* worker, llvm::Value* row, llvm::Value* size, llvm::Value* y,
               llvm::Value* z, llvm::Value* ids_wrap) {
    auto* first = builder_.CreateMul(row, size); // linear id
    if (!is_vector()) {
      const auto x = loops_.begin(size, "x");
      store_current_item(worker, builder_.CreateAdd(first, x.value));
      call_body(arguments, group, x.value, y, z);
      loops_.end(x);
      return;
    }
    auto* whole = whole_sub_groups(builder_, kernel_, size, ids_wrap);
    auto* before = builder_.GetInsertBlock();
    auto* head = block("x");
    auto* rest = block("rest");
    builder_.CreateCondBr(builder_.CreateICmpEQ(whole, builder_.getInt64(0)), rest, head);
    builder_.SetInsertPoint(head);
    auto* x = builder_.CreatePHI(access_.word(), 2, "x");
    x->addIncoming(builder_.getInt64(0), before);
    store_current_item(worker, builder_.CreateAdd(first, x));
    call_wide(arguments, nullptr, group, x, y, z);
    auto* next = builder_.CreateNUWAdd(x, width());
    x->addIncoming(next, builder_.GetInsertBlock());
    loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(next, whole), rest, head));
    builder_.SetInsertPoint(rest);
    auto* left = builder_.CreateSub(size, whole);
    auto* tail = block("tail");
    auto* done = block("row.done");
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt64(0)), done, tail);
    builder_.SetInsertPoint(tail);
    const RestOfRow masked(builder_, kernel_, whole, size, ids_wrap);
    store_current_item(worker, builder_.CreateAdd(first, masked.x));
    call_wide(arguments, masked.active, group, masked.x, y, z);
    masked.end(done);
    builder_.SetInsertPoint(done);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  Kernel& kernel_;
  llvm::IRBuilder<> builder_;
  AbiBuilder access_;
  LoopBuilder loops_;
  llvm::Function* current_ = nullptr;
};

void make_table(llvm::Module& module, const Kernels& kernels) {
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::SmallVector<llvm::Constant*, 8> entries;
  for (const auto& kernel : kernels)
    entries.push_back(kernel.entry);
  auto* type = llvm::ArrayType::get(pointer, entries.size());
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage,
                           llvm::ConstantArray::get(type, entries), abi::kKernelTableSymbol,
                           nullptr, llvm::GlobalValue::NotThreadLocal, 0U);
} // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the module owns the table

} // namespace

static void make_kernel_wrappers(llvm::Module& module, Build& build, Kernels& kernels) {
  // The program's own functions and variables make room for the names that are to be kept.
  for (auto& function : module)
    if (!function.isDeclaration() && is_reserved(function.getName()))
      function.setName(function.getName() + ".cl");
  for (auto& kernel : kernels)
    if (auto* other = module.getNamedValue(kernel.metadata.name))
      other->setName(kernel.metadata.name + ".cl");
  for (auto& kernel : kernels)
    EntryPoint(module, kernel).make();
  make_table(module, kernels);
}

llvm::PreservedAnalyses MakeKernelWrappersPass::run(llvm::Module& module,
                                                    llvm::ModuleAnalysisManager& /*analyses*/) {
  make_kernel_wrappers(module, compilation_.build, compilation_.kernels);
  return llvm::PreservedAnalyses::none();
}

} // namespace heddle::compiler
