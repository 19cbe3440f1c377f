-- Quotes of an imported file before they are staged: instants in milliseconds, 0 for an absent bid or ask.
CREATE OR REPLACE TEMP TABLE imported_rows (
  observed DOUBLE, nth DOUBLE, bid DOUBLE, ask DOUBLE, mid DOUBLE, bid_decimals UTINYINT, ask_decimals UTINYINT, decimals UTINYINT
)
