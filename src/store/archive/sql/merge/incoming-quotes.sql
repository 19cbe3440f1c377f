-- The quotes to merge in the columns of the files, from lines of JSON with the members of LiveQuote. Prices are the doubles nearest to
-- their decimals.
CREATE OR REPLACE TEMP TABLE incoming AS
SELECT
  epoch_ms("observedAt")::TIMESTAMPTZ AS observed_at, epoch_ms("retrievedAt")::TIMESTAMPTZ AS retrieved_at, feed, base, quote,
  bid::DOUBLE AS bid, ask::DOUBLE AS ask, mid::DOUBLE AS mid, length(split_part(mid, '.', 2))::SMALLINT AS decimals,
  length(split_part(bid, '.', 2))::SMALLINT AS bid_decimals, length(split_part(ask, '.', 2))::SMALLINT AS ask_decimals
FROM (SELECT unnest(from_json(line, '{
  "observedAt": "BIGINT", "retrievedAt": "BIGINT", "feed": "VARCHAR", "base": "VARCHAR", "quote": "VARCHAR", "bid": "VARCHAR",
  "ask": "VARCHAR", "mid": "VARCHAR"}')) FROM (SELECT unnest(string_split({lines}, chr(10))) AS line) WHERE line <> '')
