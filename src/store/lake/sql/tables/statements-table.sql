-- What each route said, the complete list after the change; days since 1970, no digits as an empty text.
CREATE TEMP TABLE statements (
  source VARCHAR, route VARCHAR, base VARCHAR, quote VARCHAR, first INTEGER, last INTEGER, says VARCHAR, printed VARCHAR
)
