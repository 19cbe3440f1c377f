"""Reads the lake's daily figures with Spark: the newest version, an older one, and what changed in between.

    python read.py data/live/lake/daily
"""

import sys
from pathlib import Path

from session import start

path = Path(sys.argv[1]).resolve()
spark = start("crossrate-read")
table = f"delta.`{path}`"

print("The newest figures of the dollar:")
spark.sql(
    f"""
    SELECT date, quote, value, revision
    FROM {table}
    WHERE source = 'ecb_daily' AND year >= 2025 AND quote = 'USD'
    ORDER BY date DESC
    LIMIT 5
    """
).show()

history = spark.sql(f"DESCRIBE HISTORY {table}").select("version", "timestamp", "operation")
history.orderBy("version", ascending=False).show(5, truncate=False)
newest = history.agg({"version": "max"}).first()[0]
older = max(newest - 1, history.agg({"version": "min"}).first()[0])

print(f"What VERSION AS OF {older} does not have:")
spark.sql(
    f"""
    SELECT source, date, quote, printed, revision FROM {table} VERSION AS OF {newest}
    EXCEPT ALL
    SELECT source, date, quote, printed, revision FROM {table} VERSION AS OF {older}
    """
).orderBy("source", "date", "quote").show(10)
spark.stop()
