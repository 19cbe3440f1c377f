-- Tables of a change that is being written. Dates are days since 1970, instants milliseconds; NaN and an empty text mean unknown.

-- Accepted figures of one source and a span of years.
CREATE OR REPLACE TEMP TABLE incoming (
  date INTEGER, source daily_source, base currency, quote currency, printed VARCHAR, decimals UTINYINT,
  observed_at DOUBLE, published_at DOUBLE, retrieved_at DOUBLE, document VARCHAR, document_sha256 VARCHAR,
  revision USMALLINT
);

-- Every version of the figures of these years. `rank` says where a row was: 0 current file, 1 superseded file, 2 the change.
CREATE OR REPLACE TEMP TABLE stored (
  date DATE, source VARCHAR, base VARCHAR, quote VARCHAR, value DOUBLE, printed VARCHAR, units BIGINT,
  scale UTINYINT, decimals UTINYINT, observed_at TIMESTAMPTZ, published_at TIMESTAMPTZ, retrieved_at TIMESTAMPTZ,
  revision USMALLINT, document VARCHAR, document_sha256 VARCHAR,
  superseded_at TIMESTAMPTZ, why VARCHAR, superseded_by VARCHAR, year INTEGER, rank UTINYINT
)
