-- Takes back what was charged to a caller at an instant. Nothing where the store has lost the caller.
-- ARGV: 1 calls, 2 when they were charged, 3 milliseconds to keep the hash. Reply as of take-counts.lua, code 1.

local calls, at, ttl = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local counts = read(KEYS[1])
if counts.exists then
  refund(counts.minute, MINUTE, calls, at)
  refund(counts.hour, HOUR, calls, at)
  if counts.month and floor(at / DAY) >= counts.month then counts.used = max(0, counts.used - calls) end
  write(KEYS[1], counts, ttl)
end
return { numbers(1, counts, 0) }
