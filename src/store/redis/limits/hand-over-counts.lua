-- What a replica knows of a caller goes into a store that was away: where the store has lost everything, what the replica
-- last saw in it comes back, and later, in a call of its own, what it granted alone is charged without asking. Of several
-- replicas that saw the same cell the one that saw most saw last.
-- ARGV: 1 minute start, 2 current, 3 previous, 4 hour start, 5 current, 6 previous (as last seen in the lost store; all 0
-- where it lost nothing), 7 calls to charge a minute, 8 an hour, 9 a month, 10 the month, 11 its calls as far as the
-- replica knows (-1: it does not), 12 milliseconds to keep the hash.

local counts = read(KEYS[1])
local function restore(cell, width, from)
  local seen = { start = tonumber(ARGV[from]), current = tonumber(ARGV[from + 1]), previous = tonumber(ARGV[from + 2]) }
  if seen.current + seen.previous == 0 then return end
  seen = rolled(seen, width)
  if seen.current + seen.previous == 0 then return end
  if cell.current + cell.previous == 0 then
    cell.start, cell.current, cell.previous = seen.start, seen.current, seen.previous
  elseif cell.start == seen.start then
    cell.current, cell.previous = max(cell.current, seen.current), max(cell.previous, seen.previous)
  else
    cell.current = cell.current + occupied(seen, width)
  end
end
restore(counts.minute, MINUTE, 1)
restore(counts.hour, HOUR, 4)
counts.minute.current = counts.minute.current + tonumber(ARGV[7])
counts.hour.current = counts.hour.current + tonumber(ARGV[8])
local month, used = tonumber(ARGV[10]), tonumber(ARGV[11])
if month == counts.today_month then
  if counts.month == month then
    counts.used = counts.used + tonumber(ARGV[9])
  elseif used >= 0 then
    local handed = counts.handed_month == month and counts.handed or 0
    counts.handed_month, counts.handed = month, max(handed, used)
  end
end
write(KEYS[1], counts, tonumber(ARGV[12]))
return { numbers(1, counts, 0) }
