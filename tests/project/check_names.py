# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_names.py SOURCE_FOLDER: what documents name exists.

- paths in `code` and in shell blocks: files, folders, patterns, and files without their suffix, from the top, from tests/ or from the
  document's folder. Words in capitals stand for others (`tests/clients/NAME`);
- variables HEDDLE_*: an option of runtime/core/options.def, or a name that a source has;
- `tools/NAME --option`, `heddle command --option`: the option is in the tool's text;
- labels behind `-L`: tests/NAME or a label that a CMakeLists.txt sets.
"""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
errors = []


def files_of_repository():
    try:
        listed = subprocess.run(["git", "-C", ROOT, "ls-files"], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = [name for name in listed.stdout.splitlines() if (ROOT / name).exists()]
    except (OSError, subprocess.CalledProcessError):  # a tarball
        found = []
    if not found:
        found = [str((pathlib.Path(folder) / name).relative_to(ROOT)) for folder, _, names in os.walk(ROOT) for name in names
                 if not str(pathlib.Path(folder).relative_to(ROOT)).startswith(("build", ".git/"))]
    return found


FILES = files_of_repository()
TREE = set(FILES) | {str(folder) for name in FILES for folder in pathlib.PurePosixPath(name).parents}
# Without suffixes, each of them: a/b_test.cpp.in is also a/b_test and a/b_test.cpp.
STEMS = {re.sub(r"(\.\w+)+$", "", name) for name in TREE}
TOPS = sorted({name.split("/")[0] for name in FILES if "/" in name and not name.startswith(".")} - {"build"})
DOCUMENTS = [name for name in FILES if name.endswith(".md")]
SOURCES = {name: (ROOT / name).read_text(errors="ignore") for name in FILES if not name.endswith((".md", ".svg", ".png", ".pgm", ".spv"))}
VARIABLES = set(re.findall(r"\bHEDDLE_[A-Z0-9_]+", "\n".join(SOURCES.values())))
VARIABLES |= {"HEDDLE_" + name for name in re.findall(r"^HEDDLE_OPTION\((\w+)", SOURCES["runtime/core/options.def"], re.M)}
LABELS = {pathlib.PurePosixPath(name).parts[1] for name in FILES if re.fullmatch(r"tests/\w+/CMakeLists.txt", name)}
LABELS |= {label for name, text in SOURCES.items() if name.endswith(("CMakeLists.txt", ".cmake"))
           for group in re.findall(r"LABELS \"?([\w;]+)", text) for label in group.split(";")}
PATH = re.compile(r"[\w.*/{},-]+")


def alternatives(path):
    """a/{b,c} is a/b and a/c."""
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return [one for part in match[1].split(",") for one in alternatives(path[:match.start()] + part + path[match.end():])]


def is_there(path, document):
    if any(re.fullmatch(r"[A-Z][A-Z_]*", part) for part in re.split(r"[/.]", path)):
        return True
    for base in ("", "tests/", str(pathlib.PurePosixPath(document).parent) + "/"):
        name = os.path.normpath(base + path)
        if name in TREE or name in STEMS or name.startswith(".."):
            return True
        if "*" in name and any(fnmatch.fnmatch(one, name) for one in TREE | STEMS):
            return True
    return False


def check_path(word, document):
    path = word.rstrip("/.,:;")
    if "/" in path and PATH.fullmatch(path) and path.split("/")[0] in TOPS:
        for one in alternatives(path):
            if not is_there(one, document):
                errors.append(f"{document}: {one} does not exist")


def option_texts(words):
    """The sources that know the options of a command line, or None."""
    if words[0] == "heddle" and len(words) > 1:
        return "\n".join(text for name, text in SOURCES.items() if name.startswith("tools/heddle/"))
    path = words[0].removeprefix("./")
    for name in (path, path + ".py"):
        if path.startswith(("tools/", "tests/", "packaging/", "conformance/")) and name in SOURCES:
            return with_modules(name)
    return None


def with_modules(name):
    """A script, and the sources of the folders beside it that it names."""
    parent = pathlib.PurePosixPath(name).parent
    text = SOURCES[name]
    return text + "\n".join(other for path, other in SOURCES.items() if pathlib.PurePosixPath(path).parent.parent == parent and
                            re.search(rf"\b{re.escape(pathlib.PurePosixPath(path).parent.name)}\b", text))


def check_command(line, document):
    line = re.sub(r"\s#.*", "", line)
    for part in re.split(r"\||&&|;|\$\(", line):
        words = [word for word in part.split() if not re.fullmatch(r"\w+=\S*", word)]
        if not words:
            continue
        text = option_texts(words)
        if text is None:
            continue
        if words[0] == "heddle" and re.fullmatch(r"[a-z]+", words[1]) and f'"{words[1]}"' not in text:
            errors.append(f"{document}: heddle {words[1]}: no such command")
        for word in words[1:]:
            if word == "--":
                break
            option = re.match(r"--[a-z][a-z-]*", word.strip("'\""))
            if option and option[0] not in text and option[0] != "--no-tests":
                errors.append(f"{document}: {words[0]} has no option {option[0]}")
        if words[0].endswith("tools/test"):
            check_labels(words, document)


def check_labels(words, document):
    for flag, value in zip(words, words[1:]):
        for label in re.findall(r"\w+", value) if flag == "-L" else []:
            if label not in LABELS:
                errors.append(f"{document}: no tests have the label {label}")


for document in DOCUMENTS:
    text = (ROOT / document).read_text()
    for name in sorted(set(re.findall(r"\bHEDDLE_[A-Z0-9_]*[A-Z0-9]\b(?!_?\*)", text)) - VARIABLES):
        errors.append(f"{document}: no source has {name}")
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```", text, re.S | re.M)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    codes = re.findall(r"`([^`\n]+)`", prose)
    for code in codes:
        check_path(code.split()[0] if code.split() else "", document)
    for line in [*codes, *(line for block in blocks for line in block.splitlines())]:
        check_command(line, document)
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        for word in re.findall(r"(?<![\w/.$-])(?:" + "|".join(TOPS) + r")/[\w./*-]+", block):
            check_path(word, document)

print("\n".join(errors))
sys.exit(1 if errors else 0)
