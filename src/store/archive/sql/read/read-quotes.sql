-- The quotes observed from {from} up to, not including, {to}, in the order of observed_at, currency (the one that is not the dollar),
-- retrieved_at, feed, base, quote. Codes are positions in the catalog, feeds positions in {feeds}, instants milliseconds; an absent bid
-- or ask is 0. Quotes of other feeds are left out.
SELECT
  base::currency AS base,
  quote::currency AS quote,
  epoch_ms(observed_at)::DOUBLE AS observed,
  epoch_ms(retrieved_at)::DOUBLE AS retrieved,
  list_position({feeds}, feed)::UTINYINT AS feed,
  coalesce(bid, 0) AS bid,
  coalesce(ask, 0) AS ask,
  mid,
  coalesce(bid_decimals, 0)::UTINYINT AS bid_decimals,
  coalesce(ask_decimals, 0)::UTINYINT AS ask_decimals,
  decimals::UTINYINT AS decimals
FROM ({rows}) AS stored
WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
  AND list_contains({feeds}, stored.feed)
ORDER BY
  observed_at, CASE WHEN stored.base = 'USD' THEN stored.quote ELSE stored.base END, retrieved_at, stored.feed,
  stored.base, stored.quote
