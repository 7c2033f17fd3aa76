#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the notices of bundled libraries beside them in a wheel. Usage: wheel_notices.py WHEEL"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

#: The name of a bundled library, and the Debian package whose copyright file is its notice.
NOTICES = {"libtbb": "libtbb12", "libfmt": "libfmt9", "libhwy": "libhwy1", "libstdc++": "libstdc++6",
           "libgcc_s": "libgcc-s1"}


def notice_of(library):
    stem = re.match(r"lib[a-z_+]+", library).group()
    for name, package in NOTICES.items():
        if stem.startswith(name):
            return Path(f"/usr/share/doc/{package}/copyright").read_text()
    raise SystemExit(f"{library} is bundled, and there is no notice of it")


def main():
    wheel = Path(sys.argv[1])
    with zipfile.ZipFile(wheel) as archive:
        files = {info.filename: (info, archive.read(info)) for info in archive.infolist()}
    record = next(name for name in files if name.endswith(".dist-info/RECORD"))
    lines = files[record][1].decode()
    for name in [name for name in files if ".libs/" in name and ".so" in name]:
        path = name.split(".libs/")[0] + ".libs/" + Path(name).name + ".notice.txt"
        text = notice_of(Path(name).name).encode()
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        lines += f"{path},sha256={digest},{len(text)}\n"
        files[path] = (path, text)
    files[record] = (files[record][0], lines.encode())
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, data in files.values():
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
