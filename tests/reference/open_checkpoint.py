"""Show what is inside a model file: python tests/reference/open_checkpoint.py MODEL.safetensors

Uses nothing but the `safetensors` package (with numpy), so it also shows that such a file can be opened outside
this project.
"""

import sys

from safetensors import safe_open

if len(sys.argv) != 2:
    sys.exit("usage: open_checkpoint.py MODEL.safetensors")
with safe_open(sys.argv[1], framework="numpy") as file:
    for key, value in sorted((file.metadata() or {}).items()):
        print(f"metadata  {key}: {value if len(value) <= 60 else value[:59] + '…'}")
    for name in sorted(file.keys()):
        part = file.get_slice(name)
        print(f"tensor    {name}  {part.get_dtype()} {part.get_shape()}")
