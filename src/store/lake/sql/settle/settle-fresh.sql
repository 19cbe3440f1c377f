-- The same columns as settle.sql gives, for partitions that are new and a change that names every figure once, at its
-- first revision: every row of the change is current, nothing needs to be compared, and nothing is copied.
CREATE OR REPLACE TEMP VIEW settled AS
SELECT
  *, NULL::TIMESTAMPTZ AS superseded_at, NULL::VARCHAR AS why, NULL::VARCHAR AS superseded_by, true AS is_current
FROM incoming_rows
