-- What each route stated, ordered by source, route, base, quote, first, says, from a list of JSON with the members of Statement.
COPY (
  SELECT
    source, route, base, quote, DATE '1970-01-01' + first AS first, DATE '1970-01-01' + last AS last, says, printed,
    epoch_ms(since)::TIMESTAMPTZ AS since
  FROM (SELECT unnest(from_json({rows}, '[{
    "source": "VARCHAR", "route": "VARCHAR", "base": "VARCHAR", "quote": "VARCHAR", "first": "INTEGER", "last": "INTEGER",
    "says": "VARCHAR", "printed": "VARCHAR", "since": "BIGINT"}]'), max_depth := 2))
  ORDER BY source, route, base, quote, first, says
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
