-- Names the life of this store: one value from when it is first used until it is emptied.
-- KEYS: 1 the life, 2 the set of replicas that have reported to it. ARGV: 1 a name for a new life, 2 this replica,
-- 3 the life that it has reported to, or empty.
-- Reply: life, its age in milliseconds, replicas that have reported to it, now.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local life = redis.call('GET', KEYS[1])
local began = life and string.match(life, '^%S+ (%d+)$')
if not began then
  began = now
  life = ARGV[1] .. ' ' .. string.format('%.0f', now)
  redis.call('SET', KEYS[1], life)
  redis.call('DEL', KEYS[2])
end
if ARGV[3] == life then redis.call('SADD', KEYS[2], ARGV[2]) end
return { life, now - tonumber(began), redis.call('SCARD', KEYS[2]), now }
