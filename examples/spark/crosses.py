"""Crosses of all pairs over a large table of quotes, without a join.

    python crosses.py --table /tmp/synthetic --rows 200000000
    python crosses.py --table data/live/lake/intraday --feed coinbase

The first form makes a table of made-up quotes in the columns of the lake's `intraday`, with `feed` = 'synthetic', and computes on it. The second one
computes on quotes that are there. Of every minute the last quote of each currency against the dollar counts; a cross of two currencies is the
quotient of the two, where both were quoted in that minute. The result is, for every ordered pair, how many minutes it has, and the first, the last, the
least, the greatest and the mean cross. It is written as Parquet beside the table (--out).
"""

import argparse
import time
from itertools import permutations
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from session import start

CURRENCIES = "EUR GBP JPY CHF AUD CAD NZD SEK NOK DKK SGD HKD CNY MXN ZAR TRY PLN CZK HUF".split()
SECONDS_A_DAY = 86_400
FIRST_DAY = "2026-01-05"


def make(spark: SparkSession, path: Path, rows: int) -> None:
    """Made-up quotes, rounded up to whole days: each currency once in two seconds, in a slow wave about a level of its own."""
    per_day = len(CURRENCIES) * SECONDS_A_DAY // 2
    days = -(-rows // per_day)
    # A partition of the range is a day, so every file is written by one task, and in order.
    number = F.col("id") % per_day
    currency = number % len(CURRENCIES)
    tick = (number / len(CURRENCIES)).cast("long")
    date = F.date_add(F.to_date(F.lit(FIRST_DAY)), (F.col("id") / per_day).cast("int"))
    at = F.timestamp_seconds(F.unix_timestamp(date) + tick * 2)
    codes = F.array(*[F.lit(code) for code in CURRENCIES])
    quotes = spark.range(0, rows if days == 1 else days * per_day, 1, days).select(
        at.alias("observed_at"),
        at.alias("retrieved_at"),
        F.lit("synthetic").alias("feed"),
        F.lit("USD").alias("base"),
        codes[currency.cast("int")].alias("quote"),
        F.round((currency + 1) * (1 + 0.01 * F.sin(F.col("id") / 90_000.0 + currency)), 6).alias("mid"),
        date.alias("date"),
    )
    quotes.write.format("delta").partitionBy("date").save(str(path))


def per_minute(quotes: DataFrame, feed: str) -> DataFrame:
    """A row a minute, with a column a currency: its last quote of that minute in units per dollar, null without a quote."""
    own = quotes.filter((F.col("feed") == feed) & (F.col("base") == "USD") & F.col("quote").isin(CURRENCIES))
    minute = F.date_trunc("minute", "observed_at").alias("minute")
    # First one row a currency and minute: what is left for the columns is a fraction of the quotes.
    last = own.groupBy(minute, "quote").agg(F.max_by("mid", "observed_at").alias("mid"))
    columns = [F.max(F.when(F.col("quote") == code, F.col("mid"))).alias(code) for code in CURRENCIES]
    return last.groupBy("minute").agg(*columns).withColumn("USD", F.lit(1.0))


def crosses(minutes: DataFrame) -> DataFrame:
    """For every ordered pair its minutes, and the first, last, least, greatest and mean units of `quote` per `base`."""
    pairs = list(permutations(["USD", *CURRENCIES], 2))
    each = F.explode(
        F.array(
            *[F.struct(F.lit(a).alias("base"), F.lit(b).alias("quote"), (F.col(b) / F.col(a)).alias("rate")) for a, b in pairs]
        )
    )
    return (
        minutes.select("minute", each.alias("cross"))
        .select("minute", "cross.*")
        .filter(F.col("rate").isNotNull())
        .groupBy("base", "quote")
        .agg(
            F.count("*").alias("minutes"),
            F.min_by("rate", "minute").alias("first"),
            F.max_by("rate", "minute").alias("last"),
            F.min("rate").alias("least"),
            F.max("rate").alias("greatest"),
            F.avg("rate").alias("mean"),
        )
        .orderBy("base", "quote")
    )


def check(quotes: DataFrame, result: DataFrame) -> None:
    """One cross once more, in the plain way, with a join; ends the program where it differs."""

    def last(code: str) -> DataFrame:
        minute = F.date_trunc("minute", "observed_at").alias("minute")
        own = quotes.filter((F.col("base") == "USD") & (F.col("quote") == code))
        return own.groupBy(minute).agg(F.max_by("mid", "observed_at").alias(code))

    joined = last("EUR").join(last("JPY"), "minute").select(F.avg(F.col("JPY") / F.col("EUR")), F.count("*")).first()
    found = result.filter("base = 'EUR' AND quote = 'JPY'").first()
    pairs = result.count()
    if found["minutes"] != joined[1] or abs(found["mean"] / joined[0] - 1) > 1e-12:
        raise SystemExit(f"EUR/JPY is {found['mean']} of {found['minutes']} minutes, not {joined[0]} of {joined[1]}")
    if pairs != len(CURRENCIES) * (len(CURRENCIES) + 1):
        raise SystemExit(f"{pairs} pairs")
    print("checked: EUR/JPY is what a join says")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, required=True, help="directory of the Delta table")
    parser.add_argument("--rows", type=int, default=0, help="make a table of so many made-up quotes, where there is no table")
    parser.add_argument("--feed", default="synthetic", help="the feed with the quotes that count (synthetic)")
    parser.add_argument("--out", type=Path, help="directory of the result; by default beside the table, named …-crosses")
    parser.add_argument("--check", action="store_true", help="compute one cross a second way and compare")
    options = parser.parse_args()
    table = options.table.resolve()
    out = options.out or table.with_name(f"{table.name}-crosses")
    spark = start("crossrate-crosses")
    if options.rows > 0 and not (table / "_delta_log").exists():
        begun = time.monotonic()
        make(spark, table, options.rows)
        print(f"made {options.rows:,} synthetic quotes in {time.monotonic() - begun:.1f} s")
    quotes = spark.read.format("delta").load(str(table))
    begun = time.monotonic()
    crosses(per_minute(quotes, options.feed)).coalesce(1).write.mode("overwrite").parquet(str(out))
    seconds = time.monotonic() - begun
    result = spark.read.parquet(str(out))
    result.filter("base = 'EUR' AND quote IN ('USD', 'JPY')").show()
    if options.check:
        check(quotes, result)
    rows = quotes.count()
    print(f"{result.count()} pairs from {rows:,} quotes in {seconds:.1f} s, {rows / seconds / 1e6:.2f} million a second")
    spark.stop()


if __name__ == "__main__":
    main()
