#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the notices of what a wheel has of others into it. Usage: wheel_notices.py WHEEL

Of bundled libraries they stand beside the library, of headers that are compiled in beside the licence.
"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

#: The name of a bundled library, and the Debian package whose copyright file is its notice.
NOTICES = {"libtbb": "libtbb12", "libfmt": "libfmt9", "libstdc++": "libstdc++6", "libgcc_s": "libgcc-s1"}
#: What is compiled in from headers, and the Debian package that brings those.
COMPILED = {"highway": "libhwy-dev", "eigen": "libeigen3-dev", "nlohmann-json": "nlohmann-json3-dev"}


def copyright_of(package):
    return Path(f"/usr/share/doc/{package}/copyright").read_bytes()


def notice_of(library):
    stem = re.match(r"lib[a-z_+]+", library).group()
    for name, package in NOTICES.items():
        if stem.startswith(name):
            return copyright_of(package)
    raise SystemExit(f"{library} is bundled, and there is no notice of it")


def notices(names):
    """Paths in the wheel, and what is to stand there."""
    for name in names:
        if ".libs/" in name and ".so" in name:
            yield name.split(".libs/")[0] + ".libs/" + Path(name).name + ".notice.txt", notice_of(Path(name).name)
    licence = next(name for name in names if name.endswith("/LICENSE"))
    for name, package in COMPILED.items():
        yield licence.removesuffix("LICENSE") + f"{name}.notice.txt", copyright_of(package)


def main():
    wheel = Path(sys.argv[1])
    with zipfile.ZipFile(wheel) as archive:
        files = {info.filename: (info, archive.read(info)) for info in archive.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    lines = files[record][1].decode()
    for path, text in list(notices(list(files))):
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        lines += f"{path},sha256={digest},{len(text)}\n"
        files[path] = (path, text)
    files[record] = (files[record][0], lines.encode())
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in files.values():
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
