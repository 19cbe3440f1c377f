-- Comes after cell.lua. Names the life of this store: the microsecond in which it was first used since it was last empty.
-- KEYS: 1 the life. Reply: the life, now.

local life = redis.call('GET', KEYS[1])
if not life then
  life = time[1] .. string.format('%06d', time[2])
  redis.call('SET', KEYS[1], life)
end
return { life, now }
