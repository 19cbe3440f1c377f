-- One row per (source, date, base, quote, revision), and which of them is current. Guarantees:
-- a revision found twice counts once, its current row before its superseded row before the change's;
-- a missing publication instant is filled from any copy; of each figure at most the highest revision
-- is current, unless it was taken back; superseded rows have why and when.
CREATE OR REPLACE TEMP TABLE settled AS
WITH copies AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY source, date, base, quote, revision ORDER BY rank, superseded_at
    ) AS copy,
    min(published_at) OVER (PARTITION BY source, date, base, quote, revision) AS any_published_at
  FROM stored
),
versions AS (
  SELECT
    copies.* REPLACE (coalesce(copies.published_at, any_published_at) AS published_at),
    w.revision IS NOT NULL AS taken_back,
    w.retrieved_at AS taken_back_at,
    w.document AS taken_back_by,
    lead(copies.retrieved_at) OVER figure AS next_at,
    lead(copies.document) OVER figure AS next_by
  FROM copies
  LEFT JOIN withdrawals AS w
    ON w.source = copies.source AND w.date = copies.date AND w.base = copies.base AND w.quote = copies.quote
    AND w.revision = copies.revision
  WHERE copy = 1
  WINDOW figure AS (
    PARTITION BY copies.source, copies.date, copies.base, copies.quote ORDER BY copies.revision
  )
)
SELECT
  date, source, base, quote, value, printed, units, scale, decimals, observed_at, published_at, retrieved_at,
  revision, document, document_sha256,
  CASE WHEN rank = 1 THEN superseded_at WHEN taken_back THEN taken_back_at ELSE next_at END AS superseded_at,
  CASE WHEN rank = 1 THEN why WHEN taken_back THEN 'withdrawn' ELSE 'revised' END AS why,
  CASE WHEN rank = 1 THEN superseded_by WHEN taken_back THEN taken_back_by ELSE next_by END AS superseded_by,
  year, rank,
  rank <> 1 AND NOT taken_back AND next_at IS NULL AS is_current
FROM versions
