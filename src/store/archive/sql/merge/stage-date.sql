-- Writes the quotes of one date of an imported file in the columns and the order of the archive's files. The nth quote of an instant is
-- retrieved n milliseconds later: the key stays unique, and the file's order is kept. make_timestamptz takes a fifth of the time of a
-- cast to TIMESTAMPTZ, which asks the calendar of the time zone.
COPY (
  SELECT
    make_timestamptz(observed::BIGINT * 1000) AS observed_at, make_timestamptz(({imported} + nth)::BIGINT * 1000) AS retrieved_at,
    'imported' AS feed, {base} AS base, {quote} AS quote, nullif(bid, 0) AS bid, nullif(ask, 0) AS ask, mid,
    decimals::SMALLINT AS decimals, CASE WHEN bid > 0 THEN bid_decimals::SMALLINT END AS bid_decimals,
    CASE WHEN ask > 0 THEN ask_decimals::SMALLINT END AS ask_decimals
  FROM imported_rows
  WHERE observed >= {from} AND observed < {to}
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group}
)
