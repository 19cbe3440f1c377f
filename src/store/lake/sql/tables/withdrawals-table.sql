-- Revisions that the change takes back.
CREATE TEMP TABLE withdrawals (
  source VARCHAR, date DATE, base VARCHAR, quote VARCHAR, revision USMALLINT, retrieved_at TIMESTAMPTZ, document VARCHAR
)
