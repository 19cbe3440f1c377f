-- Held figures ordered by source, date, base, quote, from a list of JSON with the members of HeldFigure. `value` is null where the
-- printed text is not a number.
COPY (
  SELECT
    DATE '1970-01-01' + date AS date, source, base, quote, TRY_CAST(printed AS DOUBLE) AS value, printed, decimals,
    epoch_ms("observedAt")::TIMESTAMPTZ AS observed_at, epoch_ms("publishedAt")::TIMESTAMPTZ AS published_at,
    epoch_ms("retrievedAt")::TIMESTAMPTZ AS retrieved_at, document, "documentSha256" AS document_sha256, rule, reason
  FROM (SELECT unnest(from_json({rows}, '[{
    "date": "INTEGER", "source": "VARCHAR", "base": "VARCHAR", "quote": "VARCHAR", "printed": "VARCHAR", "decimals": "SMALLINT",
    "observedAt": "BIGINT", "publishedAt": "BIGINT", "retrievedAt": "BIGINT", "document": "VARCHAR", "documentSha256": "VARCHAR",
    "rule": "VARCHAR", "reason": "VARCHAR"}]'), max_depth := 2))
  ORDER BY source, date, base, quote
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
