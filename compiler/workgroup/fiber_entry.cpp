// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/fiber_entry.h"

namespace heddle::compiler {
namespace {

using abi::Group;

class FiberEntry {
 public:
  explicit FiberEntry(WrapperBuilder& wrapper)
      : wrapper_(wrapper), kernel_(wrapper.kernel()), builder_(wrapper.builder()),
        abi_(wrapper.abi()) {}

  void make(const llvm::Twine& name) {
    auto* made = wrapper_.begin_function({abi_.pointer(), abi_.word()}, name);
    kernel_.fiber_entry = made;
    group_ = made->getArg(0);
    index_ = made->getArg(1);
    group_->setName("group");
    index_->setName("index");
    // The caller owns the group and leaves it unchanged until all fibers have returned.
    for (const auto kind : {llvm::Attribute::NoAlias, llvm::Attribute::ReadOnly,
                            llvm::Attribute::NonNull, llvm::Attribute::NoUndef})
      group_->addAttr(kind);
    auto& context = builder_.getContext();
    group_->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(Group)));
    group_->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    emit_body();
  }

 private:
  void emit_body() {
    auto* worker = abi_.worker_of(group_);
    auto* row_size = abi_.group_word(group_, offsetof(Group, local_size), 0);
    auto* per_row = wrapper_.is_vector() ? wrapper_.sub_group_count(row_size) : row_size;
    auto* size_y = abi_.group_word(group_, offsetof(Group, local_size), 1);
    auto* local_memory = abi_.load(group_, offsetof(Group, local_memory), abi_.local_pointer());
    auto* launch = abi_.launch_of(group_);
    arguments_ = wrapper_.load_arguments(launch, local_memory);

    if (kernel_.variants.has(VariantKind::crossing))
      run_across_rows(row_size, size_y);

    llvm::Value* id[3];
    split_index(per_row, size_y, id);
    if (wrapper_.is_vector())
      id[0] = builder_.CreateMul(id[0], wrapper_.width());
    auto* row = builder_.CreateAdd(builder_.CreateMul(id[2], size_y), id[1]);
    wrapper_.emit_current_item(worker,
                               builder_.CreateAdd(builder_.CreateMul(row, row_size), id[0]));
    if (wrapper_.is_vector()) {
      auto* left = builder_.CreateSub(row_size, id[0]);
      run_sub_group(id[0], id[1], id[2], left);
    } else {
      wrapper_.call_body(arguments_, group_, id[0], id[1], id[2]);
    }
    builder_.CreateRetVoid();
  }

  // Splits the index into the index within its row, y and z. Most groups have one row and need no
  // division. Group sizes fit in 32 bits, in which division is cheaper.
  void split_index(llvm::Value* per_row, llvm::Value* size_y, llvm::Value* (&id)[3]) {
    auto* one_row = builder_.GetInsertBlock();
    auto* split = wrapper_.block("split");
    auto* run = wrapper_.block("run");
    builder_.CreateCondBr(builder_.CreateICmpULT(index_, per_row), run, split);
    builder_.SetInsertPoint(split);
    const auto narrow = [&](llvm::Value* value) {
      return builder_.CreateTrunc(value, builder_.getInt32Ty());
    };
    auto* row = builder_.CreateUDiv(narrow(index_), narrow(per_row));
    auto* split_x = builder_.CreateURem(narrow(index_), narrow(per_row));
    auto* split_y = builder_.CreateURem(row, narrow(size_y));
    auto* split_z = builder_.CreateUDiv(row, narrow(size_y));
    builder_.CreateBr(run);
    builder_.SetInsertPoint(run);
    auto* zero = builder_.getInt32(0);
    const auto join = [&](llvm::Value* in_one_row, llvm::Value* in_split) {
      auto* phi = builder_.CreatePHI(builder_.getInt32Ty(), 2);
      phi->addIncoming(in_one_row, one_row);
      phi->addIncoming(in_split, split);
      return phi;
    };
    auto* narrow_index = llvm::CastInst::CreateTruncOrBitCast(
        index_, builder_.getInt32Ty(), "", one_row->getTerminator()->getIterator());
    id[0] = join(narrow_index, split_x);
    id[1] = join(zero, split_y);
    id[2] = join(zero, split_z);
    for (auto*& value : id)
      value = builder_.CreateZExt(value, abi_.word());
  }

  // Returns from the function if the group runs the variant `crossing`; the code after this is for
  // other groups.
  void run_across_rows(llvm::Value* size_x, llvm::Value* size_y) {
    auto* items = builder_.CreateMul(builder_.CreateMul(size_x, size_y),
                                     abi_.group_word(group_, offsetof(Group, local_size), 2));
    auto* crossing = wrapper_.block("crossing");
    auto* rows = wrapper_.block("rows");
    builder_.CreateCondBr(emit_crosses_rows(builder_, kernel_, size_x, items), crossing, rows);
    builder_.SetInsertPoint(crossing);
    auto* first = builder_.CreateMul(index_, wrapper_.width());
    wrapper_.emit_current_item(abi_.worker_of(group_), first);
    wrapper_.call_crossing(arguments_, group_, first, items);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(rows);
  }

  // Calls `whole` if `left`, the number of work-items to the end of the row, fills a sub-group and
  // ids do not wrap, else `tail`.
  void run_sub_group(llvm::Value* x, llvm::Value* y, llvm::Value* z, llvm::Value* left) {
    auto* whole = wrapper_.block("whole");
    auto* tail = wrapper_.block("tail");
    auto* done = wrapper_.block("done");
    auto* is_whole = builder_.CreateICmpUGE(left, wrapper_.width());
    if (!kernel_.launch.id_bases.empty()) {
      auto* ids_wrap = emit_id_wrap_check(builder_, kernel_.launch.id_bases, group_);
      is_whole = builder_.CreateAnd(is_whole, builder_.CreateNot(ids_wrap));
      left = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, wrapper_.width());
    }
    builder_.CreateCondBr(is_whole, whole, tail);
    builder_.SetInsertPoint(whole);
    wrapper_.call_whole(arguments_, group_, x, y, z);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(tail);
    wrapper_.call_tail(arguments_, left, group_, x, y, z);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  WrapperBuilder& wrapper_;
  Kernel& kernel_;
  llvm::IRBuilder<>& builder_;
  AbiBuilder& abi_;
  llvm::Argument* group_ = nullptr;
  llvm::Argument* index_ = nullptr;
  WrapperBuilder::Arguments arguments_;
};

} // namespace

void make_fiber_entry(WrapperBuilder& wrapper, const llvm::Twine& name) {
  FiberEntry(wrapper).make(name);
}

llvm::Value* emit_fiber_count(WrapperBuilder& wrapper, llvm::Value* const (&size)[3]) {
  auto& builder = wrapper.builder();
  const auto& kernel = wrapper.kernel();
  auto* per_row = wrapper.is_vector() ? wrapper.sub_group_count(size[0]) : size[0];
  auto* count = builder.CreateMul(builder.CreateMul(per_row, size[1]), size[2]);
  if (!kernel.variants.has(VariantKind::crossing))
    return count;
  auto* items = builder.CreateMul(builder.CreateMul(size[0], size[1]), size[2]);
  return builder.CreateSelect(emit_crosses_rows(builder, kernel, size[0], items),
                              wrapper.sub_group_count(items), count);
}

} // namespace heddle::compiler
