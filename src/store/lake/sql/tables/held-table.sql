-- The complete list of held figures after the change; days since 1970, instants in milliseconds, NaN where unknown.
CREATE TEMP TABLE held (
  date INTEGER, source VARCHAR, base VARCHAR, quote VARCHAR, printed VARCHAR, decimals UTINYINT,
  observed_at DOUBLE, published_at DOUBLE, retrieved_at DOUBLE, document VARCHAR,
  document_sha256 VARCHAR, rule VARCHAR, reason VARCHAR
)
