-- The incoming quotes of one date in the columns of the files, each key once; one that came twice, at its first retrieval.
CREATE OR REPLACE TEMP TABLE fresh AS
SELECT DISTINCT ON (feed, base, quote, observed, bid, ask, mid)
  make_timestamptz(observed::BIGINT * 1000) AS observed_at,
  make_timestamptz(retrieved::BIGINT * 1000) AS retrieved_at,
  feed, base, quote, bid, ask, mid, decimals::SMALLINT AS decimals, bid_decimals::SMALLINT AS bid_decimals,
  ask_decimals::SMALLINT AS ask_decimals
FROM incoming
WHERE observed >= {from} AND observed < {to}
ORDER BY retrieved
