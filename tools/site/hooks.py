# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of mkdocs: the README and CONTRIBUTING are pages, too, pages that are in no navigation yet get into it, and links to sources leave the
site.

A link to a file outside of docs/ that is no page must lead to one that exists. It becomes a link below HEDDLE_SOURCES (the address of a
folder of the repository's files), or plain text where that is not set.
"""
import os
import pathlib
import re

import mkdocs.plugins
from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Files outside of docs/ that are pages, by the names that these have.
PAGES = {"README.md": "first-steps.md", "CONTRIBUTING.md": "contributing.md"}
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
log = mkdocs.plugins.get_plugin_logger("heddle")


def on_config(config):
    """`measurements/*.md` stands for all of them; a page of docs/ that nav lacks goes to the end of "For developers"."""
    docs = pathlib.Path(config["docs_dir"])
    named = set(re.findall(r"[\w./-]+\.md", str(config["nav"])))
    others = sorted(p.name for p in docs.glob("*.md") if p.name not in named)
    for section in config["nav"]:
        for title, pages in section.items():
            if title == "Measurements":
                section[title] = ["measurements/README.md",
                                  *sorted(f"measurements/{p.name}" for p in (docs / "measurements").glob("*.md") if p.name != "README.md")]
            elif title == "For developers":
                pages.extend(others)
    return config


def on_files(files, config):
    for source, name in PAGES.items():
        files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown, page, config, files):
    docs = pathlib.Path(config["docs_dir"]).resolve()
    source = next((name for name, other in PAGES.items() if other == page.file.src_path), None)
    folder = ROOT if source else (docs / page.file.src_path).parent
    here = docs if source else folder  # where links of the page begin in the site

    def replaced(match):
        text, path, anchor = match.groups()
        target = (folder / path).resolve()
        if not target.exists():
            log.warning(f"{page.file.src_path}: {path} does not exist")
        name = str(target.relative_to(ROOT)) if ROOT in target.parents else ""
        inside = docs / PAGES[name] if name in PAGES else target
        if docs in inside.parents:
            return f"[{text}]({os.path.relpath(inside, here)}{anchor or ''})"
        sources = os.environ.get("HEDDLE_SOURCES")
        return f"[{text}]({sources.rstrip('/')}/{name}{anchor or ''})" if sources else text

    return LINK.sub(replaced, markdown)
