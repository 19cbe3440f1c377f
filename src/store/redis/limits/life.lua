-- Comes after cell.lua. Names the life of this store: the microsecond in which it was first used since it last lost counts. It has lost
-- some when it is empty, or when it has fewer beats than it has answered: it came back from an older file, or from a replica that was
-- behind.
-- KEYS: 1 the life, 2 its beats. ARGV: 1 the life that the replica means, 2 the beats that it saw last.
-- Reply: the life, now, the beats.

local life = redis.call('GET', KEYS[1])
local beats = tonumber(redis.call('GET', KEYS[2]) or 0)
if not life or (life == ARGV[1] and beats < tonumber(ARGV[2])) then
  life = time[1] .. string.format('%06d', time[2])
  redis.call('SET', KEYS[1], life)
end
return { life, now, redis.call('INCR', KEYS[2]) }
