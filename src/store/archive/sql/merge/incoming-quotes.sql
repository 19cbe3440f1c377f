-- Incoming quotes before they are merged: instants in milliseconds, prices as the doubles nearest to their decimals, 0 if absent.
CREATE TEMP TABLE incoming (
  observed DOUBLE, retrieved DOUBLE, feed VARCHAR, base VARCHAR, quote VARCHAR, bid DOUBLE, ask DOUBLE, mid DOUBLE,
  decimals UTINYINT, bid_decimals UTINYINT, ask_decimals UTINYINT
)
