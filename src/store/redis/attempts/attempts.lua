-- Counts one attempt at every gate or at none, in one atomic step. Comes after cell.lua.
-- KEYS: the hash of each gate, with fields s c p (start, current, previous). ARGV, two for each gate: limit, window in
-- milliseconds.
-- Reply: 1 counted or 0 refused, now, and the cells of the gates as they were before, rolled to now, three numbers each.

local cells, reply, passes = {}, { 1, now }, true
for nth, key in ipairs(KEYS) do
  local most, width = tonumber(ARGV[2 * nth - 1]), tonumber(ARGV[2 * nth])
  local stored = redis.call('HMGET', key, 's', 'c', 'p')
  local cell = rolled({
    start = tonumber(stored[1] or 0),
    current = tonumber(stored[2] or 0),
    previous = tonumber(stored[3] or 0),
  }, width)
  cells[nth] = cell
  reply[3 * nth], reply[3 * nth + 1], reply[3 * nth + 2] = cell.start, cell.current, cell.previous
  if occupied(cell, width) + 1 > most then passes = false end
end
if not passes then
  reply[1] = 0
  return reply
end
for nth, key in ipairs(KEYS) do
  local cell = cells[nth]
  redis.call('HSET', key, 's', cell.start, 'c', cell.current + 1, 'p', cell.previous)
  -- After two windows nothing counts any more.
  redis.call('PEXPIRE', key, 2 * tonumber(ARGV[2 * nth]))
end
return reply
