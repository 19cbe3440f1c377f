-- The change to apply, in numbers: codes and document are positions, instants are milliseconds.
CREATE OR REPLACE TEMP TABLE incoming (
  source UTINYINT, date INTEGER, base UTINYINT, quote UTINYINT, printed VARCHAR, decimals UTINYINT,
  observed DOUBLE, published DOUBLE, retrieved DOUBLE, revision USMALLINT, document UINTEGER
)
