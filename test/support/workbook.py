"""Answers each path of a workbook with its sheets as a line of JSON: numbers as their digits, dates as ISO 8601, everything else as it is."""

import json
import sys
from datetime import date, datetime

import openpyxl


def plain(cell):
    value = cell.value
    if isinstance(value, datetime):
        kind = "day" if cell.number_format == "yyyy-mm-dd" else "instant"
        return {kind: value.date().isoformat() if kind == "day" else value.isoformat(timespec="milliseconds") + "Z"}
    if isinstance(value, date):
        raise SystemExit(f"a date without a time: {value}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {"number": repr(value)}
    return value


for path in sys.stdin:
    book = openpyxl.load_workbook(path.rstrip("\n"))
    print(json.dumps({sheet.title: [[plain(cell) for cell in row] for row in sheet.iter_rows()] for sheet in book}), flush=True)
