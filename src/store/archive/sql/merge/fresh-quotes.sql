-- The incoming quotes of one date that its file does not have. A quote that came twice is there once, with its first
-- retrieval. One that two collectors retrieved, as at a takeover, counts once. Only the file's quotes of these instants are in memory.
CREATE OR REPLACE TEMP TABLE fresh AS
SELECT DISTINCT ON (feed, base, quote, observed_at, bid, ask, mid) *
FROM incoming ANTI JOIN (FROM ({known}) SEMI JOIN incoming USING (feed, base, quote, observed_at)) AS known
  ON known.feed = incoming.feed AND known.base = incoming.base AND known.quote = incoming.quote
  AND known.observed_at = incoming.observed_at
  AND (
    known.retrieved_at = incoming.retrieved_at
    OR (
      known.mid = incoming.mid AND known.bid IS NOT DISTINCT FROM incoming.bid
      AND known.ask IS NOT DISTINCT FROM incoming.ask
    )
  )
WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
ORDER BY retrieved_at
