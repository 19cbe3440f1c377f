"""Reads CSV files by their URLs with Polars, as an analyst would; prints rows and columns of each as JSON."""

import json
import sys

import polars as pl

for url in sys.argv[1:]:
    read, scanned = pl.read_csv(url), pl.scan_csv(url).collect()
    print(json.dumps([read.shape, scanned.shape, scanned.write_csv()]), flush=True)
