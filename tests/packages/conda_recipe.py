# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conda_recipe.py TOP BUILD SCRATCH: for conda_recipe."""
import json
import os
import pathlib
import re
import sys

import rattler_build

top, build, scratch = map(pathlib.Path, sys.argv[1:])
version = re.search(r"^project\(heddle VERSION ([0-9.]+)", (top / "CMakeLists.txt").read_text(), re.M)[1]
text = (top / "packaging/conda/recipe.yaml").read_text().replace("@VERSION@", version).replace("@SHA256@", "0" * 64)
variants = rattler_build.VariantConfig.from_yaml(
    "c_compiler: [gcc]\ncxx_compiler: [gxx]\nc_stdlib: [sysroot]\nc_stdlib_version: ['2.28']\n")

# As it is, with what conda-forge sets.
recipe = rattler_build.Stage0Recipe.from_yaml(text)
rendered = recipe.render(variants)
assert len(rendered) == 1 and rendered[0].recipe.package.name == "heddle-opencl", rendered
required = rendered[0].recipe.to_dict()["requirements"]
assert "gxx_linux-64" in required["build"] and "llvmdev 22.*" in required["host"], required
print(f"rendered: heddle-opencl {version}, {sum(len(v) for k, v in required.items() if k in ('build', 'host', 'run'))} requirements")

# The same with nothing required, of these sources and this build.
local = recipe.to_dict()
local["requirements"] = {}
local["source"] = [{"path": str(top), "use_gitignore": True, "filter": ["packaging/**", "tests/programs/**", "LICENSE", "THIRD-PARTY-NOTICES"]}]
local["build"]["script"] = {"content": [f"HEDDLE_BUILD='{build}' packaging/conda/build.sh"]}
for test in local["tests"]:
    test.pop("requirements", None)
folder = scratch / "recipe"
folder.mkdir()
(folder / "recipe.yaml").write_text(json.dumps(local))
channel = scratch / "channel"
for platform in ("linux-64", "noarch"):
    (channel / platform).mkdir(parents=True)
    (channel / platform / "repodata.json").write_text(json.dumps({"info": {"subdir": platform}, "packages": {}, "packages.conda": {}}))
result = rattler_build.Stage0Recipe.from_file(folder / "recipe.yaml").render(variants)[0].run_build(
    output_dir=scratch / "out", channels=[channel.as_uri()], no_include_recipe=True, env_isolation=rattler_build.EnvironmentIsolation.NONE)
for path in result.packages:
    print(f"{os.path.basename(path)}: {os.path.getsize(path) / 1e6:.1f} MB, {rattler_build.Package.from_file(path).test_count} tests")
