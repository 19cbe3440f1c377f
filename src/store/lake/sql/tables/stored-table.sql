-- Every known version of the figures of a few partitions. `rank` says where a row was found:
-- 0 current file, 1 superseded file, 2 the change.
CREATE OR REPLACE TEMP TABLE stored (
  date DATE, source VARCHAR, base VARCHAR, quote VARCHAR, value DOUBLE, printed VARCHAR, units BIGINT,
  scale UTINYINT, decimals UTINYINT, observed_at TIMESTAMPTZ, published_at TIMESTAMPTZ, retrieved_at TIMESTAMPTZ,
  revision USMALLINT, document VARCHAR, document_sha256 VARCHAR,
  superseded_at TIMESTAMPTZ, why VARCHAR, superseded_by VARCHAR, year INTEGER, rank UTINYINT
)
