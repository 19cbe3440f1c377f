-- The incoming quotes of one date in the columns of the files. A quote that came twice is there once, with its first retrieval.
CREATE OR REPLACE TEMP TABLE fresh AS
SELECT DISTINCT ON (feed, base, quote, observed, incoming.bid, incoming.ask, mid)
  make_timestamptz(observed::BIGINT * 1000) AS observed_at,
  make_timestamptz(retrieved::BIGINT * 1000) AS retrieved_at,
  feed, base, quote, nullif(bid, 0) AS bid, nullif(ask, 0) AS ask, mid, decimals::SMALLINT AS decimals,
  CASE WHEN bid > 0 THEN bid_decimals::SMALLINT END AS bid_decimals,
  CASE WHEN ask > 0 THEN ask_decimals::SMALLINT END AS ask_decimals
FROM incoming
WHERE observed >= {from} AND observed < {to}
ORDER BY retrieved
