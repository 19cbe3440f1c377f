-- Writes a checkpoint of the Delta protocol from the same actions as JSON lines. Their last line, which is this program's own, is left
-- out.
COPY (
  SELECT txn, add, remove, metaData, protocol
  FROM read_json({json}, format = 'newline_delimited', maximum_object_size = 16777216, columns = {
    txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
    add: 'STRUCT(path VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT, dataChange BOOLEAN, stats VARCHAR, tags MAP(VARCHAR, VARCHAR))',
    remove: 'STRUCT(path VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN, extendedFileMetadata BOOLEAN, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, tags MAP(VARCHAR, VARCHAR))',
    metaData: 'STRUCT(id VARCHAR, name VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)), schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), createdTime BIGINT)',
    protocol: 'STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER)'
  })
  WHERE txn IS NOT NULL OR add IS NOT NULL OR remove IS NOT NULL OR metaData IS NOT NULL OR protocol IS NOT NULL
) TO {target} (FORMAT parquet, PARQUET_VERSION v1, COMPRESSION snappy, USE_TMP_FILE false)
