-- Adds what a replica granted without this store, and raises the month to what it knows of it.
-- KEYS: 2 the caller's hash. ARGV: calls of 2 the last minute, 3 the last hour, 4 the month; 5 the month, 6 its calls as far
-- as the replica knows (-1: it does not).

local counts = read(KEYS[2])
counts.minute.current = counts.minute.current + tonumber(ARGV[2])
counts.hour.current = counts.hour.current + tonumber(ARGV[3])
if tonumber(ARGV[5]) == today_month then
  local known = tonumber(ARGV[6])
  if counts.month then
    counts.used = max(counts.used + tonumber(ARGV[4]), known)
  else
    counts.reported = max(counts.reported, known)
  end
end
write(KEYS[2], counts)
