-- The rows of one request in long order, which a scan of the table keeps. Flags: 1 derived, 2 filled, 4 as published, 8 withdrawn.
CREATE TABLE {rows} (
  symbol currency, date DATE, rate DOUBLE, scale UTINYINT, source UTINYINT, flags UTINYINT, bound DOUBLE,
  revision USMALLINT, updated DOUBLE
)
