"""A Spark session that reads and writes Delta tables, on this machine alone. Needs Java 17 or 21."""

import os

from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession


def start(name: str) -> SparkSession:
    """The jars of Delta come from Maven at the first start. SPARK_MASTER and SPARK_MEMORY say how much of the machine it takes."""
    builder = (
        SparkSession.builder.appName(name)
        .master(os.environ.get("SPARK_MASTER", "local[*]"))
        .config("spark.driver.memory", os.environ.get("SPARK_MEMORY", "4g"))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        # The tables' instants are UTC.
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "8")
        # The log of a table is small; fifty tasks for it take longer than reading it.
        .config("spark.databricks.delta.snapshotPartitions", "2")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
    )
    session = configure_spark_with_delta_pip(builder).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
