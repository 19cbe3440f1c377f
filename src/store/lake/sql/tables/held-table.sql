-- The complete list of held figures after the change.
CREATE TEMP TABLE held (
  date DATE, source VARCHAR, base VARCHAR, quote VARCHAR, printed VARCHAR, decimals UTINYINT,
  observed_at TIMESTAMPTZ, published_at TIMESTAMPTZ, retrieved_at TIMESTAMPTZ, document VARCHAR,
  document_sha256 VARCHAR, rule VARCHAR, reason VARCHAR
)
