-- Adds the change's rows. `units` has the printed digits, which makes value = units / 10^scale exact; `value` is the
-- double nearest to the printed decimal.
INSERT INTO stored BY NAME
SELECT
  DATE '1970-01-01' + date AS date,
  source, base, quote,
  printed::DOUBLE AS value,
  printed,
  replace(printed, '.', '')::BIGINT AS units,
  (CASE WHEN contains(printed, '.') THEN length(printed) - instr(printed, '.') ELSE 0 END)::UTINYINT AS scale,
  decimals,
  make_timestamptz(observed_at::BIGINT * 1000) AS observed_at,
  make_timestamptz((CASE WHEN NOT isnan(published_at) THEN published_at END)::BIGINT * 1000) AS published_at,
  make_timestamptz(retrieved_at::BIGINT * 1000) AS retrieved_at,
  revision, document, document_sha256,
  year(DATE '1970-01-01' + date)::INTEGER AS year,
  2 AS rank
FROM incoming
