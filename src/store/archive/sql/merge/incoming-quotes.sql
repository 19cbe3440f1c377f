-- Quotes on their way into the files: instants in milliseconds, prices as the doubles nearest to their decimals, an absent one as 0.
CREATE TEMP TABLE incoming (
  observed DOUBLE, retrieved DOUBLE, feed VARCHAR, base VARCHAR, quote VARCHAR, bid DOUBLE, ask DOUBLE, mid DOUBLE,
  decimals UTINYINT, bid_decimals UTINYINT, ask_decimals UTINYINT
)
