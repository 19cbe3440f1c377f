-- The same table as settle.sql makes, for partitions that are new and a change that names every figure once, at its
-- first revision: then every row of the change is current, and nothing needs to be compared.
CREATE OR REPLACE TEMP TABLE settled AS
SELECT
  *, NULL::TIMESTAMPTZ AS superseded_at, NULL::VARCHAR AS why, NULL::VARCHAR AS superseded_by, true AS is_current
FROM incoming_rows
