# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table on the terminal and the JUnit XML file."""

import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict

from .model import CRASH, OUTCOMES, PASS, SKIP, TIMEOUT

# Characters that XML 1.0 cannot hold, not even escaped.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def by_binary(results):
    groups = defaultdict(list)
    for result in results:
        groups[result.identifier.partition(":")[0]].append(result)
    return dict(sorted(groups.items()))


def table(results, expected, missing=()):
    """One row a binary, a row of sums, then every difference from what was expected."""
    rows = [["binary", "tests", *OUTCOMES, "worse", "better", "seconds"]]
    total = Counter()
    for binary, group in by_binary(results).items():
        counts = Counter(r.outcome for r in group)
        counts["tests"] = len(group)
        counts["worse"] = sum(expected.compare(r) > 0 for r in group)
        counts["better"] = sum(expected.compare(r) < 0 for r in group)
        counts["seconds"] = sum(r.seconds for r in group)
        rows.append(_row(binary, counts))
        total.update(counts)
    rows.append(_row("all", total))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
             for row in rows]
    for heading, sign in (("Worse than expected", 1), ("Better than expected", -1)):
        different = [r for r in results if expected.compare(r) == sign]
        if different:
            lines += ["", f"{heading}:"]
            lines += [f"  {r.identifier}: {r.outcome} (expected: {expected.outcome(r.identifier)})" for r in different]
    known = [r for r in results if r.outcome not in (PASS, SKIP) and expected.compare(r) <= 0]
    if known:
        lines += ["", "Failures that are expected:"]
        lines += [f"  {r.identifier}: {r.outcome}: {expected.reason(r.identifier) or 'no reason given'}" for r in known]
    if missing:
        lines += ["", "Not in this build of the CTS: " + ", ".join(missing)]
    return "\n".join(lines)


def _row(name, counts):
    return [name, str(counts["tests"]), *(str(counts[o]) for o in OUTCOMES), str(counts["worse"]),
            str(counts["better"]), f"{counts['seconds']:.0f}"]


def junit(results, expected, driver):
    """JUnit XML: a suite a binary. Worse than expected is a failure or an error; what is expected to fail is a skip."""
    root = ET.Element("testsuites", name=f"OpenCL CTS on {driver}")
    for binary, group in by_binary(results).items():
        failures = errors = skipped = 0
        suite = ET.SubElement(root, "testsuite", name=binary)
        for result in group:
            case = ET.SubElement(suite, "testcase", classname=binary, name=result.identifier.partition(":")[2],
                                 time=f"{result.seconds:.3f}")
            worse = expected.compare(result) > 0
            if worse and result.outcome in (CRASH, TIMEOUT):
                errors += 1
                _add(case, "error", result.outcome, result.detail)
            elif worse:
                failures += 1
                _add(case, "failure", f"{result.outcome}, expected {expected.outcome(result.identifier)}", result.detail)
            elif result.outcome != PASS:
                skipped += 1
                why = expected.reason(result.identifier)
                _add(case, "skipped", f"{'' if result.outcome == SKIP else 'expected '}{result.outcome}"
                     + (f": {why}" if why else ""), "")
        suite.attrib.update(tests=str(len(group)), failures=str(failures), errors=str(errors), skipped=str(skipped),
                            time=f"{sum(r.seconds for r in group):.3f}")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(case, kind, message, text):
    element = ET.SubElement(case, kind, message=NOT_XML.sub("?", message))
    if text:
        element.text = NOT_XML.sub("?", text)
