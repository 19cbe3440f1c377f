-- The change's rows of one source and a span of years. `units` holds the printed digits, so that
-- value = units / 10^scale exactly; `value` is the double nearest to the printed decimal.
SELECT
  DATE '1970-01-01' + date AS date,
  {sources}[source + 1] AS source,
  {currencies}[base + 1] AS base,
  {currencies}[quote + 1] AS quote,
  printed::DOUBLE AS value,
  printed,
  replace(printed, '.', '')::BIGINT AS units,
  (CASE WHEN contains(printed, '.') THEN length(printed) - instr(printed, '.') ELSE 0 END)::UTINYINT AS scale,
  decimals,
  epoch_ms(observed::BIGINT)::TIMESTAMPTZ AS observed_at,
  epoch_ms(CASE WHEN isnan(published) THEN NULL ELSE published END::BIGINT)::TIMESTAMPTZ AS published_at,
  epoch_ms(retrieved::BIGINT)::TIMESTAMPTZ AS retrieved_at,
  revision,
  url AS document,
  sha256 AS document_sha256,
  year(DATE '1970-01-01' + date)::INTEGER AS year,
  2::UTINYINT AS rank
FROM incoming JOIN documents ON documents.id = incoming.document
