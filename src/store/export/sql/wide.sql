-- One row per date and one column per symbol, null where the symbol has no value. The source is that of the least fresh value of the
-- row (on a tie the slower source). A row is filled when any value is.
SELECT
  date, '{base}'::currency AS base,
  {source} AS source,
  bool_or(is_filled) AS is_forward_filled,
  {columns}
FROM {rows}
GROUP BY date
ORDER BY date {order}
