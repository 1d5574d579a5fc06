# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A series of programs: generates each, runs it the reference way and in others, and records what
differs, reduced."""
import os
import random
import tempfile
import time
from dataclasses import dataclass

from generator.kernel import Features, make_kernel
from generator.program import build_options, kernel_seed, make_trees, program_text

from . import ways
from .reduce import Reducer


@dataclass
class Finding:
    seed: int
    name: str
    way: dict
    expected: object  # Outcome of the reference
    got: object
    directory: str = ""


def same(expected, got):
    return expected == got and expected.kind == "done"


def common_features(runner, all_ways, math=False, without=(), only_groups=False, often=()):
    """The features that all participating drivers have."""
    words = set.intersection(*[runner.features(way) for way in all_ways])
    return Features(
        fp64="cl_khr_fp64" in words, fp16="cl_khr_fp16" in words,
        exact_division="correctly_rounded_divide_sqrt" in words,
        int64_atomics={"cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"} <= words,
        math=math, without=frozenset(without), often=frozenset(often), only_groups=only_groups,
        c11_atomics="__opencl_c_atomic_scope_device" in words,
        device_enqueue="__opencl_c_device_enqueue" in words,
        images="__opencl_c_images" in words,
        progress="cl_khr_subgroups" in words,  # which demands it; __opencl_c_subgroups does not
        other_drivers=any("OCL_ICD_VENDORS" in way for way in all_ways),
        sub_groups=frozenset(w for w in words if w.startswith(("cl_khr_subgroup", "__opencl_c_subgroups"))),
        work_group_collectives="__opencl_c_work_group_collective_functions" in words)


class Campaign:
    def __init__(self, runner, features, reference, kernels=20, findings=None, reduce_seconds=60, say=print):
        self.runner, self.features, self.reference = runner, features, reference
        self.kernels, self.findings, self.reduce_seconds, self.say = kernels, findings, reduce_seconds, say
        self.programs = self.launches = 0
        self.found = []

    def run_program(self, seed, other_ways):
        """Compares one program's kernels; the findings are added to `found`."""
        trees = {tree.name: tree for tree in make_trees(seed, self.kernels, self.features)}
        with tempfile.TemporaryDirectory(prefix="difftest-") as directory:
            path = os.path.join(directory, "program.cl")
            expected = self._outcomes(path, trees, self.reference)
            bad = set()
            for way in other_ways:
                got = self._outcomes(path, trees, way)
                for name in trees:
                    if name not in bad and not same(expected[name], got[name]):
                        bad.add(name)
                        self._report(Finding(seed, name, way, expected[name], got[name]))
        self.programs += 1

    def _outcomes(self, path, trees, way):
        self._write(path, list(trees.values()))
        outcomes = self.runner.run(path, list(trees), way)
        self.launches += len(trees)
        if len(trees) > 1 and any(o.kind == "unbuilt" or "in the build" in o.detail for o in outcomes.values()):
            for name, tree in trees.items():  # which of them is it?
                self._write(path, [tree])
                outcomes[name] = self.runner.run(path, [name], way)[name]
        return outcomes

    def _write(self, path, trees, comment=""):
        with open(path, "w", encoding="ascii") as file:
            file.write(program_text(trees, build_options(self.features), comment))

    def _report(self, finding):
        self.found.append(finding)
        self.say(f"FOUND seed {finding.seed} {finding.name}: {ways.shown(finding.way) or 'by default'}: "
                 f"expected {finding.expected.kind} {finding.expected.detail[:16]}, got {str(finding.got)[:200]}")
        if not self.findings:
            return
        number = 1
        while os.path.exists(os.path.join(self.findings, f"{number:03}")):
            number += 1
        finding.directory = os.path.join(self.findings, f"{number:03}")
        os.makedirs(finding.directory)
        index = int(finding.name[1:])
        tree = make_kernel(kernel_seed(finding.seed, index), finding.name, self.features)
        self._write(os.path.join(finding.directory, "original.cl"), [tree])
        small = os.path.join(finding.directory, "kernel.cl")
        fails = self._predicate(finding, os.path.join(finding.directory, "try.cl"))
        started, tries = time.monotonic(), 0
        alone = fails(tree)
        if alone:
            reducer = Reducer(tree, fails, self.reduce_seconds)
            reducer.run()
            tries = reducer.tries
        self._write(small, [tree], f"seed {finding.seed} {finding.name}; "
                    f"{ways.shown(finding.way) or 'by default'} beside {ways.shown(self.reference)}")
        expected = self.runner.run(small, [finding.name], self.reference)[finding.name]
        got = self.runner.run(small, [finding.name], finding.way)[finding.name]
        with open(os.path.join(finding.directory, "README"), "w", encoding="utf-8") as file:
            file.write(f"seed {finding.seed}, kernel {finding.name}"
                       f"{'' if alone else '; it fails only beside the other kernels of its program'}\n"
                       f"run:      HEDDLE_CACHE=0 {ways.shown(finding.way)} {self.runner.program} {small} --dump DIR\n"
                       f"expected: {ways.shown(self.reference)} gives {expected}\ngot:      {got}\n"
                       f"reduced in {tries} tries, {time.monotonic() - started:.0f} s; original.cl is the whole\n")
        if os.path.exists(os.path.join(finding.directory, "try.cl")):
            os.remove(os.path.join(finding.directory, "try.cl"))
        self.say(f"      reduced in {finding.directory}")

    def _predicate(self, finding, path):
        """The same fault: both run and differ, or the reference runs and the other ends as before."""
        def fails(tree):
            self._write(path, [tree])
            expected = self.runner.run(path, [tree.name], self.reference)[tree.name]
            if expected.kind != finding.expected.kind:
                return False
            got = self.runner.run(path, [tree.name], finding.way)[tree.name]
            if got.kind != finding.got.kind:
                return False
            if got.kind in ("unbuilt", "fail"):  # for the same reason, wherever it shows now
                return got.detail.split()[:3] == finding.got.detail.split()[:3]
            return not same(expected, got)
        return fails

    def summary(self):
        return f"{self.programs} programs, {self.launches} kernels run, {len(self.found)} findings"


def seeds(first, count):
    if first is None:
        return (random.SystemRandom().randrange(1 << 30) for _ in range(count))
    return range(first, first + count)
