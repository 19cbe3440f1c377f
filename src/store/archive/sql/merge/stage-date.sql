-- The quotes of one date of a file in the columns of the archive's files, in their order. The nth quote of an instant is
-- retrieved n milliseconds later: the key stays unique, and the order is that of the file.
COPY (
  WITH unnested AS (
    SELECT line, observed, unnest(quotes) AS price, generate_subscripts(quotes, 1) AS place, ask
    FROM read_parquet({rows})
    WHERE observed >= {from} AND observed < {to}
  ),
  quotes AS (
    SELECT
      line, place, price, observed + CASE WHEN place > 1 THEN 59999 ELSE 0 END AS observed,
      CASE WHEN {side} IN ('bid', 'both') THEN price END AS bid, CASE {side} WHEN 'both' THEN ask WHEN 'ask' THEN price END AS ask
    FROM unnested
  )
  SELECT
    make_timestamptz(observed * 1000) AS observed_at,
    make_timestamptz(({imported} + row_number() OVER (PARTITION BY observed ORDER BY line, place) - 1) * 1000) AS retrieved_at,
    'imported' AS feed, {base} AS base, {quote} AS quote, bid::DOUBLE AS bid, ask::DOUBLE AS ask,
    CASE {side} WHEN 'both' THEN mean_units(bid, ask) / pow(10.0, mean_decimals(bid, ask)) ELSE price::DOUBLE END AS mid,
    CASE {side} WHEN 'both' THEN mean_decimals(bid, ask) ELSE decimals_in(price) END::SMALLINT AS decimals,
    decimals_in(bid)::SMALLINT AS bid_decimals, decimals_in(ask)::SMALLINT AS ask_decimals
  FROM quotes
  ORDER BY observed_at, retrieved_at
) TO {target} (
  FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE {row_group}
)
