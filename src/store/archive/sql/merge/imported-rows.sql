-- Quotes of a file on their way into the staged files: instants in milliseconds, an absent bid or ask as 0.
CREATE OR REPLACE TEMP TABLE imported_rows (
  observed DOUBLE, nth DOUBLE, bid DOUBLE, ask DOUBLE, mid DOUBLE, bid_decimals UTINYINT, ask_decimals UTINYINT, decimals UTINYINT
)
