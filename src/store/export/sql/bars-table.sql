-- The bars of one request in the order of the file, which a scan of the table keeps. `start` is in milliseconds.
CREATE TABLE {rows} (
  symbol currency, start DOUBLE, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, mean DOUBLE, ticks DOUBLE,
  imported UTINYINT
)
