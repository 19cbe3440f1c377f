"""One engine that reads the tables when asked. Arguments: engine, directory or address of `daily`, the same of `intraday`, first date.

A line of standard input is a version of `daily`, or `newest`, or `intraday`; the answer is one line of JSON: `from` and `to`, the versions
of which the rows are one (the same where the engine says which), and the rows as sorted lines.
"""

import json
import os
import sys

ENGINE, DAILY, INTRADAY, FIRST = sys.argv[1:5]
CODES = ["USD", "JPY", "GBP", "CHF", "SEK", "NOK"]
FIGURES = (
    "SELECT CAST(date AS STRING) AS date, quote, value FROM {table} "
    "WHERE source = 'ecb_daily' AND base = 'EUR' AND year >= 2026 AND date >= DATE '{first}' "
    "AND quote IN ('USD', 'JPY', 'GBP', 'CHF', 'SEK', 'NOK')"
)


def lines(rows):
    """As JSON prints the number: 188.51, and 189 for 189.0."""
    return sorted(f"{date} {quote} {int(value) if value == int(value) else repr(value)}" for date, quote, value in rows)


def microseconds(instant):
    """pandas, pyarrow and Spark give instants of different kinds."""
    return round(instant.timestamp() * 1_000_000)


class Deltalake:
    """deltalake (delta-rs) into PyArrow."""

    def __init__(self):
        from deltalake import DeltaTable

        self.open = DeltaTable

    def daily(self, version):
        import pyarrow as pa
        import pyarrow.compute as pc

        table = self.open(DAILY, version=version)
        rows = table.to_pyarrow_table(
            columns=["date", "base", "quote", "value"], partitions=[("source", "=", "ecb_daily"), ("year", "=", "2026")]
        )
        kept = rows.filter(pc.is_in(rows["quote"], value_set=pa.array(CODES)))
        found = [(row["date"].isoformat(), row["quote"], row["value"]) for row in kept.to_pylist()]
        return table.version(), table.version(), lines(row for row in found if row[0] >= FIRST)

    def intraday(self):
        rows = self.open(INTRADAY).to_pyarrow_table(columns=["observed_at", "base", "quote", "mid"]).to_pylist()
        return sorted(f"{microseconds(row['observed_at'])} {row['base']}/{row['quote']} {row['mid']!r}" for row in rows)


class Polars(Deltalake):
    """Polars by scan_delta, with the conditions pushed down."""

    def daily(self, version):
        import polars as pl

        table = self.open(DAILY, version=version)
        rows = (
            pl.scan_delta(DAILY, version=table.version())
            .filter(
                pl.col("source") == "ecb_daily",
                pl.col("year") >= 2026,
                pl.col("date") >= pl.lit(FIRST).str.to_date(),
                pl.col("quote").is_in(CODES),
            )
            .select(pl.col("date").dt.to_string(), "quote", "value")
            .collect()
        )
        return table.version(), table.version(), lines(rows.iter_rows())

    def intraday(self):
        import polars as pl

        rows = pl.scan_delta(INTRADAY).select("observed_at", "base", "quote", "mid").collect()
        return sorted(f"{microseconds(at)} {base}/{quote} {mid!r}" for at, base, quote, mid in rows.iter_rows())


class Duckdb(Deltalake):
    """DuckDB over the Arrow dataset of deltalake: without its own extension."""

    def rows(self, table, sql):
        import duckdb

        with duckdb.connect(config={"threads": 2}) as connection:
            connection.sql("SET TimeZone = 'UTC'")
            connection.register("delta_table", table.to_pyarrow_dataset())
            return connection.sql(sql).fetchall()

    def daily(self, version):
        table = self.open(DAILY, version=version)
        rows = self.rows(table, FIGURES.format(table="delta_table", first=FIRST))
        return table.version(), table.version(), lines(rows)

    def intraday(self):
        sql = "SELECT epoch_us(observed_at), base, quote, mid FROM delta_table"
        return sorted(f"{at} {base}/{quote} {mid!r}" for at, base, quote, mid in self.rows(self.open(INTRADAY), sql))


class Spark:
    """PySpark with delta-spark, in SQL."""

    packages = []
    settings = {}

    def __init__(self):
        from delta import configure_spark_with_delta_pip
        from pyspark.sql import SparkSession

        builder = (
            SparkSession.builder.master("local[2]")
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.databricks.delta.snapshotPartitions", "2")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
        )
        for name, value in self.settings.items():
            builder = builder.config(name, value)
        self.session = configure_spark_with_delta_pip(builder, extra_packages=self.packages).getOrCreate()

    def newest(self):
        return self.session.sql(f"DESCRIBE HISTORY delta.`{DAILY}` LIMIT 1").collect()[0]["version"]

    def daily(self, version):
        if version is None:
            before = self.newest()
            rows = self.session.sql(FIGURES.format(table=f"delta.`{DAILY}`", first=FIRST)).collect()
            return before, self.newest(), lines(rows)
        table = f"delta.`{DAILY}` VERSION AS OF {version}"
        return version, version, lines(self.session.sql(FIGURES.format(table=table, first=FIRST)).collect())

    def intraday(self):
        rows = self.session.sql(f"SELECT unix_micros(observed_at), base, quote, mid FROM delta.`{INTRADAY}`").collect()
        return sorted(f"{at} {base}/{quote} {mid!r}" for at, base, quote, mid in rows)


class SparkOnS3(Spark):
    """The same on a bucket, by the file system of Hadoop; the environment has the variables of AWS."""

    packages = ["org.apache.hadoop:hadoop-aws:3.4.1"]
    settings = {
        "spark.hadoop.fs.s3a.endpoint": os.environ.get("AWS_ENDPOINT_URL_S3", ""),
        "spark.hadoop.fs.s3a.endpoint.region": os.environ.get("AWS_REGION", ""),
        "spark.hadoop.fs.s3a.path.style.access": "true",
    }


ENGINES = {
    "deltalake": Deltalake,
    "polars": Polars,
    "duckdb": Duckdb,
    "spark": Spark,
    "deltalake-s3": Deltalake,
    "polars-s3": Polars,
    "spark-s3": SparkOnS3,
}
engine = ENGINES[ENGINE]()
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    asked = line.strip()
    if asked == "intraday":
        answer = {"from": 0, "to": 0, "rows": engine.intraday()}
    else:
        first, last, rows = engine.daily(None if asked == "newest" else int(asked))
        answer = {"from": first, "to": last, "rows": rows}
    print(json.dumps(answer), flush=True)
