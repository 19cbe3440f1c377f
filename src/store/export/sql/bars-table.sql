-- The bars of one question, in the order of the file; scanning the table keeps it. `start` is in milliseconds.
CREATE TABLE {rows} (
  symbol currency, start DOUBLE, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, mean DOUBLE, ticks DOUBLE,
  imported UTINYINT
)
