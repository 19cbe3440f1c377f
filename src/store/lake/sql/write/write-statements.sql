-- What each route stated, ordered by source, route, base, quote, first, says.
COPY (
  SELECT
    source, route, base, quote, DATE '1970-01-01' + first AS first, DATE '1970-01-01' + last AS last, says,
    CASE says WHEN 'value' THEN printed END AS printed,
    epoch_ms(CASE WHEN isnan(since) THEN NULL ELSE since END::BIGINT)::TIMESTAMPTZ AS since
  FROM statements
  ORDER BY source, route, base, quote, first, says
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
