# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb's commands for kernels. gdb loads this file with the driver, which it is beside, if its folder is in
`add-auto-load-safe-path`; else `source PATH/libheddle.so-gdb.py`.

  info work-items        the work-items that each thread runs
  work-item X [Y [Z]]    goes to the thread that runs this one, and prints the kernel's variables
  break FILE:LINE if $_at_work_item(X, Y, Z)
"""
import gdb

# abi::Worker, abi::Launch (compiler/interface/kernel_abi.h) and heddle_debugger_entry
# (runtime/execution/debugger_view.h), as numbers of words.
WORD = 8
WORKER_GROUP, WORKER_ITEM, WORKER_ROW = 4, 7, 8
LAUNCH_DIMENSIONS, LAUNCH_SIZE, LAUNCH_OFFSET, LAUNCH_LOCAL = 2, 3, 6, 9
ENTRY_WORDS = 7


def read_words(address, count):
    data = gdb.selected_inferior().read_memory(address, count * WORD)
    return [int.from_bytes(data[i * WORD:(i + 1) * WORD], "little") for i in range(count)]


class Position:
    """What a thread runs: the work-items of one sub-group, by their global ids."""

    def __init__(self, thread, worker, launch, kernel, lanes, is_swapped):
        self.thread, self.kernel = thread, gdb.Value(kernel).cast(gdb.lookup_type("char").pointer()).string()
        words = read_words(launch, LAUNCH_LOCAL + 3)
        self.dimensions = words[LAUNCH_DIMENSIONS]
        size, offset, local = (words[at:at + 3] for at in (LAUNCH_SIZE, LAUNCH_OFFSET, LAUNCH_LOCAL))
        words = read_words(worker, WORKER_ROW + 1)
        group, item = words[WORKER_GROUP:WORKER_GROUP + 3], words[WORKER_ITEM]
        # A row may span several groups; groups at the edge may be smaller.
        row = [max(1, words[WORKER_ROW])]
        row += [max(1, min(local[d], size[d] - min(size[d], group[d] * local[d]))) for d in (1, 2)]
        first = [item % row[0], item // row[0] % row[1], item // row[0] // row[1]]
        self.lanes = max(1, min(lanes, row[0] - first[0]))
        self.first = [first[d] + group[d] * local[d] + offset[d] for d in range(3)]
        self.axis = 0 # along which the lanes are
        if is_swapped:
            self.first[0], self.first[1] = self.first[1], self.first[0]
            group[0], group[1] = group[1], group[0]
            self.axis = 1
        self.group = group

    def has(self, ids):
        return all(self.first[d] <= ids[d] < self.first[d] + (self.lanes if d == self.axis else 1)
                   for d in range(self.dimensions))

    def items(self):
        last = list(self.first)
        last[self.axis] += self.lanes - 1
        return self.text(self.first) + (" to " + self.text(last) if self.lanes > 1 else "")

    def text(self, ids):
        return "(" + ", ".join(str(number) for number in ids[:self.dimensions]) + ")"


def positions():
    """Of the threads that run kernels."""
    try:
        symbol = gdb.parse_and_eval("(void*)&heddle_debugger_entries")
    except gdb.error as error:
        raise gdb.GdbError("Heddle is not loaded") from error
    threads = {thread.ptid[1]: thread for thread in gdb.selected_inferior().threads()}
    found = []
    address = read_words(int(symbol), 1)[0]
    while address != 0:
        address, thread, worker, launch, kernel, lanes, is_swapped = read_words(address, ENTRY_WORDS)
        if launch != 0 and thread in threads:
            found.append(Position(threads[thread], worker, launch, kernel, lanes, is_swapped))
    return found


def frames():
    """Of the selected thread, from the innermost one on."""
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def kernel_frame(kernel):
    """The innermost frame of the selected thread in the kernel's code, or None."""
    # Clang's name of the body of a kernel, and Heddle's of its variants: "kernel.whole".
    is_kernel = lambda name: name is not None and name.removeprefix("__clang_ocl_kern_imp_").split(".")[0] == kernel
    file = next((gdb.solib_name(frame.pc()) for frame in frames() if is_kernel(frame.name())), None)
    return next((frame for frame in frames() if file is not None and gdb.solib_name(frame.pc()) == file), None)


def variables_of(frame):
    """(name, value) of arguments and variables, from the innermost block outwards."""
    try:
        block = frame.block()
    except RuntimeError: # no debug information
        return []
    found, names = [], set()
    while block is not None:
        for symbol in block:
            if (symbol.is_argument or symbol.is_variable) and symbol.name not in names:
                names.add(symbol.name)
                found.append((symbol.name, symbol.value(frame)))
        if block.function is not None:
            break
        block = block.superblock
    return found


class InfoWorkItems(gdb.Command):
    """Lists the work-items that threads run."""

    def __init__(self):
        super().__init__("info work-items", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        running = sorted(positions(), key=lambda position: position.thread.num)
        if not running:
            print("No thread runs a kernel.")
        for position in running:
            print(f"thread {position.thread.num}: kernel '{position.kernel}', group {position.text(position.group)}, "
                  f"work-item{'s' if position.lanes > 1 else ''} {position.items()}")


class WorkItem(gdb.Command):
    """work-item X [Y [Z]]: goes to the thread that runs this work-item, and prints the kernel's variables."""

    def __init__(self):
        super().__init__("work-item", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        ids = [int(gdb.parse_and_eval(word)) for word in gdb.string_to_argv(argument)]
        if not 1 <= len(ids) <= 3:
            raise gdb.GdbError("work-item X [Y [Z]]: expected global ids")
        ids += [0] * (3 - len(ids))
        running = positions()
        position = next((position for position in running if position.has(ids)), None)
        if position is None:
            raise gdb.GdbError("no thread runs it now; `info work-items` says what they run, and "
                               "`break FILE:LINE if $_at_work_item(X, Y, Z)` stops at it")
        position.thread.switch()
        frame = kernel_frame(position.kernel)
        if frame is None:
            raise gdb.GdbError(f"thread {position.thread.num} runs it, and is not in the kernel's code")
        frame.select()
        place = frame.find_sal()
        print(f"thread {position.thread.num}: kernel '{position.kernel}', work-item {position.text(ids)}"
              + (f", {place.symtab.filename}:{place.line}" if place.symtab else ""))
        variables = variables_of(frame)
        if position.lanes > 1 or not variables:
            print(f"The values of its variables are not known: this code runs {position.lanes} work-items at once, "
                  "which debug information cannot tell apart. Build the program with -g -cl-opt-disable, or with -g "
                  "and HEDDLE_WIDTH=1 in the environment." if position.lanes > 1 else
                  "The values of its variables are not known: the code is optimized. "
                  "Build the program with -g -cl-opt-disable.")
            return
        for name, value in variables:
            print(f"{name} = {value}")


class AtWorkItem(gdb.Function):
    """$_at_work_item(X, Y, Z): whether the thread runs this work-item, alone or with others."""

    def __init__(self):
        super().__init__("_at_work_item")

    def invoke(self, x, y=0, z=0):
        ids = [int(x), int(y), int(z)]
        thread = gdb.selected_thread()
        return any(position.thread.num == thread.num and position.has(ids) for position in positions())


InfoWorkItems()
WorkItem()
AtWorkItem()
