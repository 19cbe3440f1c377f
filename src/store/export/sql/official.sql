-- Official rates, from the CSV that the API prints: the same columns in the same order.
SELECT * REPLACE (rate::DOUBLE AS rate), rate AS printed
FROM read_csv(
  {csv}, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', auto_detect = false,
  columns = {
    'base': 'VARCHAR', 'quote': 'VARCHAR', 'rate': 'VARCHAR', 'unit': 'INTEGER', 'kind': 'VARCHAR',
    'publication': 'VARCHAR', 'version': 'INTEGER', 'valid_from': 'DATE', 'valid_to': 'DATE',
    'published_at': 'TIMESTAMPTZ', 'retrieved_at': 'TIMESTAMPTZ', 'source_url': 'VARCHAR',
    'document_sha256': 'VARCHAR', 'citation': 'VARCHAR'
  }
)
