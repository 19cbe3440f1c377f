-- A table's file: the rows of the ledger in its columns and order.
COPY (
  SELECT
    {country} AS country, {authority} AS authority, publication, version, valid_from, valid_to, published_at, retrieved_at, base, quote,
    printed::DOUBLE AS rate, printed, unit, kind, source_url, document_sha256
  FROM read_json({lines}, format = 'newline_delimited', columns = {
    'publication': 'VARCHAR', 'version': 'INTEGER', 'valid_from': 'DATE', 'valid_to': 'DATE', 'published_at': 'TIMESTAMPTZ',
    'retrieved_at': 'TIMESTAMPTZ', 'base': 'VARCHAR', 'quote': 'VARCHAR', 'printed': 'VARCHAR', 'unit': 'INTEGER', 'kind': 'VARCHAR',
    'source_url': 'VARCHAR', 'document_sha256': 'VARCHAR'
  })
  ORDER BY valid_from, publication, version, base, quote, kind
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION zstd, USE_TMP_FILE false)
