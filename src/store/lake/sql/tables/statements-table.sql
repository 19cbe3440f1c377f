-- What each route stated, the complete list after the change; days since 1970, no digits as an empty text, milliseconds or NaN.
CREATE TEMP TABLE statements (
  source VARCHAR, route VARCHAR, base VARCHAR, quote VARCHAR, first INTEGER, last INTEGER, says VARCHAR, printed VARCHAR,
  since DOUBLE
)
