-- Takes back what was charged to a caller at an instant.
-- KEYS: 2 the caller's hash. ARGV: 2 calls, 3 when they were charged.

local counts = read(KEYS[2])
refund(counts, tonumber(ARGV[2]), tonumber(ARGV[3]))
write(KEYS[2], counts)
