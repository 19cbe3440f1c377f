"""Prints what is in a wheel, what it needs, and its version when it is imported where only httpx is there."""

import json
import sys
import zipfile

wheel = sys.argv[1]
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    (metadata,) = [archive.read(name).decode() for name in names if name.endswith("METADATA")]
for optional in ("polars", "pandas", "pyarrow", "duckdb"):
    sys.modules[optional] = None  # type: ignore[assignment]
sys.path.insert(0, wheel)
import crossrate  # noqa: E402

assert crossrate.__file__.startswith(wheel)
requirements = [
    line.split(": ", 1)[1] for line in metadata.splitlines() if line.startswith("Requires-Dist: ")
]
print(json.dumps({"names": names, "metadata": requirements, "imported": [crossrate.__version__]}))
