#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the sources of core, kernels, app and gui that do not include torch (a torch source takes a minute
each; the compiler's warnings see those, and the tests).

usage: .ci/tidy.py BUILD_FOLDER. A source that was clean is not looked at again until it, a header of ours that it
includes, its command line, or .clang-tidy changes. Ends with 1 when there are findings.
"""
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path.home() / ".cache" / "concertina" / "tidy"
FOLDERS = ("core/", "kernels/", "app/", "gui/")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def our_files(name, seen):
    """The source and the headers of ours that it reaches."""
    if name not in seen and (ROOT / name).is_file():
        seen.add(name)
        for header in INCLUDE.findall((ROOT / name).read_text(errors="replace")):
            our_files(header, seen)
    return seen


def key_of(name, command):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    digest.update(command.replace(str(ROOT), "").encode())
    for file in sorted(our_files(name, set())):
        digest.update(file.encode() + (ROOT / file).read_bytes())
    return digest.hexdigest()


def without_gcc_only(command):
    """The arguments that clang understands: not GCC's own, nor a precompiled header in GCC's format."""
    unknown = ("-fpch-preprocess", "-Winvalid-pch", "-ffp-contract=off")
    kept = []
    for word in shlex.split(command):
        if word.endswith("/cmake_pch.hxx") and kept and kept[-1] == "-include":
            kept.pop()
        elif word not in unknown:
            kept.append(word)
    return kept


def check(entry):
    name, command, folder = entry
    mark = CACHE / key_of(name, command)
    if mark.exists():
        return name, True, ""
    words = without_gcc_only(command)
    while words and not words[0].endswith(("++", "c++-12", "g++-12")):
        words.pop(0)  # ccache and its environment
    result = subprocess.run(
        ["clang-tidy-14", "--quiet", str(ROOT / name), "--", *words[1:]],
        cwd=folder, capture_output=True, text=True)
    if result.returncode == 0:
        mark.touch()
    text = result.stdout or f"{name}: clang-tidy ended with {result.returncode}\n{result.stderr}"
    return name, result.returncode == 0, text


def entries(build):
    for row in json.loads((build / "compile_commands.json").read_text()):
        name = os.path.relpath(os.path.join(row["directory"], row["file"]), ROOT)
        if name.startswith(FOLDERS) and name.endswith(".cpp") and "/torch/include" not in row["command"]:
            yield name, row["command"], row["directory"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    CACHE.mkdir(parents=True, exist_ok=True)
    work = list(entries(build))
    if not work:
        sys.exit("tidy: no source found in " + str(build))
    faulty = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, clean, text in pool.map(check, work):
            if not clean:
                faulty += 1
                print(text.strip(), flush=True)
    print(f"clang-tidy: {len(work)} sources, {faulty} with findings")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
