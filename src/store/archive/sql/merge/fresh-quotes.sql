-- The incoming quotes of one date. A quote that came twice is there once, with its first retrieval.
CREATE OR REPLACE TEMP TABLE fresh AS
SELECT DISTINCT ON (feed, base, quote, observed_at, bid, ask, mid) *
FROM incoming
WHERE observed_at >= epoch_ms({from})::TIMESTAMPTZ AND observed_at < epoch_ms({to})::TIMESTAMPTZ
ORDER BY retrieved_at
