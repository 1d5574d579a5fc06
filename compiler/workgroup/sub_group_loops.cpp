// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/workgroup/sub_group_loops.h"

namespace heddle::compiler {
namespace {

class SubGroupLoops {
 public:
  SubGroupLoops(WrapperBuilder& wrapper, const GroupValues& values)
      : wrapper_(wrapper), kernel_(wrapper.kernel()), builder_(wrapper.builder()),
        loops_(wrapper.loops()), values_(values) {}

  void emit() {
    llvm::BasicBlock* done = nullptr;
    if (kernel_.variants.has(VariantKind::crossing)) {
      done = wrapper_.block("group.done");
      run_across_rows(done);
    }
    if (!kernel_.launch.id_bases.empty())
      ids_wrap_ = emit_id_wrap_check(builder_, kernel_.launch.id_bases, values_.group);
    if (uses_row_ids())
      run_rows();
    else
      run_equal_rows();
    if (done != nullptr) {
      builder_.CreateBr(done);
      builder_.SetInsertPoint(done);
    }
  }

 private:
  // Whether the code of a row depends on local ids in y and z, the last two parameters.
  bool uses_row_ids() const {
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

  void run_rows() {
    auto* const* size = values_.size;
    const auto z = loops_.begin(size[2], "z");
    auto* first_row = run_row_blocks(z.value);
    if (first_row != size[1]) { // constants are unique
      const auto y = first_row != nullptr ? loops_.begin_from(first_row, size[1], "y")
                                          : loops_.begin(size[1], "y");
      auto* row = builder_.CreateAdd(builder_.CreateMul(z.value, size[1]), y.value);
      run_row(row, y.value, z.value);
      loops_.end(y);
    }
    loops_.end(z);
  }

  // One loop compiles faster than two.
  void run_equal_rows() {
    const auto row = loops_.begin(builder_.CreateMul(values_.size[1], values_.size[2]), "row");
    auto* unused = builder_.getInt64(0);
    run_row(row.value, unused, unused);
    loops_.end(row);
  }

  // Runs the variant `block` and returns the first row that is left; null if there is no such
  // variant.
  llvm::Value* run_row_blocks(llvm::Value* z) {
    if (!kernel_.variants.has(VariantKind::block))
      return nullptr;
    auto* const* size = values_.size;
    auto* end = emit_block_row_count(builder_, kernel_, size[0], size[1], ids_wrap_, values_.group);
    const auto y =
        loops_.begin_from(builder_.getInt64(0), end, "block.y", kernel_.metadata.row_interleave);
    const auto x = loops_.begin(size[0], "block.x", kernel_.metadata.vector_width);
    auto* row =
        builder_.CreateMul(builder_.CreateAdd(builder_.CreateMul(z, size[1]), y.value), size[0]);
    wrapper_.emit_current_item(values_.worker, builder_.CreateAdd(row, x.value));
    auto arguments = values_.arguments;
    arguments.append({values_.group, x.value, y.value, z});
    builder_.CreateCall(kernel_.variant(VariantKind::block), arguments);
    loops_.end(x);
    loops_.end(y);
    return end;
  }

  // Branches to `done` after groups that run the variant `crossing`; the code after this is for
  // other groups.
  void run_across_rows(llvm::BasicBlock* done) {
    auto* const* size = values_.size;
    auto* items = builder_.CreateMul(builder_.CreateMul(size[0], size[1]), size[2]);
    auto* crossing = wrapper_.block("crossing");
    auto* rows = wrapper_.block("rows");
    builder_.CreateCondBr(emit_crosses_rows(builder_, kernel_, size[0], items), crossing, rows);
    builder_.SetInsertPoint(crossing);
    const auto number = loops_.begin(wrapper_.sub_group_count(items), "sub_group");
    auto* first = builder_.CreateMul(number.value, wrapper_.width());
    wrapper_.emit_current_item(values_.worker, first);
    wrapper_.call_crossing(values_.arguments, values_.group, first, items);
    loops_.end(number);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(rows);
  }

  // Runs one row: work-items of a scalar kernel, or whole sub-groups and a tail.
  void run_row(llvm::Value* row, llvm::Value* y, llvm::Value* z) {
    auto* size = values_.size[0];
    auto* worker = values_.worker;
    auto* first = builder_.CreateMul(row, size); // linear local id
    if (!wrapper_.is_vector()) {
      const auto x = loops_.begin(size, "x");
      wrapper_.emit_current_item(worker, builder_.CreateAdd(first, x.value));
      wrapper_.call_body(values_.arguments, values_.group, x.value, y, z);
      loops_.end(x);
      return;
    }
    auto* whole = emit_whole_item_count(builder_, kernel_, size, ids_wrap_);
    auto* preheader = builder_.GetInsertBlock();
    auto* header = wrapper_.block("x");
    auto* rest = wrapper_.block("rest");
    builder_.CreateCondBr(builder_.CreateICmpEQ(whole, builder_.getInt64(0)), rest, header);
    builder_.SetInsertPoint(header);
    auto* x = builder_.CreatePHI(builder_.getInt64Ty(), 2, "x");
    x->addIncoming(builder_.getInt64(0), preheader);
    wrapper_.emit_current_item(worker, builder_.CreateAdd(first, x));
    wrapper_.call_whole(values_.arguments, values_.group, x, y, z);
    auto* next = builder_.CreateNUWAdd(x, wrapper_.width());
    x->addIncoming(next, builder_.GetInsertBlock());
    loops_.keep_rolled(builder_.CreateCondBr(builder_.CreateICmpEQ(next, whole), rest, header));
    builder_.SetInsertPoint(rest);
    if (!kernel_.variants.has(VariantKind::tail))
      return;
    auto* left = builder_.CreateSub(size, whole);
    auto* run_tail = wrapper_.block("tail");
    auto* done = wrapper_.block("row.done");
    builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt64(0)), done, run_tail);
    builder_.SetInsertPoint(run_tail);
    const TailLoop tail(builder_, kernel_, whole, size, ids_wrap_);
    wrapper_.emit_current_item(worker, builder_.CreateAdd(first, tail.x));
    wrapper_.call_tail(values_.arguments, tail.active, values_.group, tail.x, y, z);
    tail.end(done);
    builder_.SetInsertPoint(done);
  }

  WrapperBuilder& wrapper_;
  const Kernel& kernel_;
  llvm::IRBuilder<>& builder_;
  LoopBuilder& loops_;
  const GroupValues& values_;
  llvm::Value* ids_wrap_ = nullptr; // null: ids do not wrap in any group
};

} // namespace

void emit_sub_group_loops(WrapperBuilder& wrapper, const GroupValues& values) {
  SubGroupLoops(wrapper, values).emit();
}

} // namespace heddle::compiler
