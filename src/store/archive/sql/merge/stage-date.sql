-- The quotes of one date of a file in the columns of the archive's files, in their order. The nth quote of an instant is
-- retrieved n milliseconds later: the key stays unique, and the order is that of the file. A cast to TIMESTAMPTZ asks the
-- calendar of the time zone: make_timestamptz takes a fifth.
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
