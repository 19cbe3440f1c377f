-- Rows on their way into a file: days since 1970-01-01, instants in milliseconds.
CREATE OR REPLACE TABLE incoming (
  publication VARCHAR, version INTEGER, valid_from INTEGER, valid_to INTEGER, published DOUBLE, retrieved DOUBLE,
  base VARCHAR, quote VARCHAR, rate DOUBLE, printed VARCHAR, unit INTEGER, kind VARCHAR, source_url VARCHAR,
  document_sha256 VARCHAR
)
