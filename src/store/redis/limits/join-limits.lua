-- The life of this store, as the counters know it: named by the first replica that finds none, gone when it is emptied.
-- KEYS: 1 the life, 2 the set of replicas that have handed over. ARGV: 1 a name for a new life,
-- 2 this replica when it has handed over to the life in 3, else empty.
-- Reply: life, its age in milliseconds, replicas that have handed over to it, now.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local stored = redis.call('GET', KEYS[1])
local life, began
if stored then life, began = string.match(stored, '^(%S+) (%d+)$') end
if not life then
  life, began = ARGV[1], now
  redis.call('SET', KEYS[1], life .. ' ' .. string.format('%.0f', now))
  redis.call('DEL', KEYS[2])
end
if ARGV[2] ~= '' and ARGV[3] == life then redis.call('SADD', KEYS[2], ARGV[2]) end
return { life, now - tonumber(began), redis.call('SCARD', KEYS[2]), now }
