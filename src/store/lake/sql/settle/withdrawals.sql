-- The revisions that the change takes back, from a list of JSON with the members of LakeChange.
CREATE OR REPLACE TEMP TABLE withdrawals AS
SELECT
  source, DATE '1970-01-01' + date AS date, base, quote, revision, epoch_ms("retrievedAt")::TIMESTAMPTZ AS retrieved_at, document
FROM (SELECT unnest(from_json({rows}, '[{
  "source": "VARCHAR", "date": "INTEGER", "base": "VARCHAR", "quote": "VARCHAR", "revision": "USMALLINT", "retrievedAt": "BIGINT",
  "document": "VARCHAR"}]'), max_depth := 2))
