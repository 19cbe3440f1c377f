-- Comes before take.lua, after cell.lua: one caller's windows as they are in a hash, brought up to this instant.
-- The arithmetic is that of src/domain/limits/month.ts, in the same order.
-- KEYS: 1 the life of the store, from 2 on hashes of callers. ARGV[1]: the life that the replica means; in another one
-- nothing is counted. Fields: ms mc mp (minute: start, current, previous), hs hc hp (hour), month (its first day, days since
-- 1970), used.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('EMPTIED it was emptied') end

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
-- Two of the longest sliding windows and the minute in which the expiry is not set anew.
local KEPT = 7500000
local min = math.min

-- First day of the month of a day: the Gregorian calendar with years that begin in March.
local function month_of(day)
  local shifted = day + 719468
  local of_era = shifted - floor(shifted / 146097) * 146097
  local year = floor((of_era - floor(of_era / 1460) + floor(of_era / 36524) - floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * year + floor(year / 4) - floor(year / 100))
  local march_month = floor((5 * of_year + 2) / 153)
  return day - (of_year - floor((153 * march_month + 2) / 5))
end
local today_month = month_of(floor(now / DAY))

local function refund_cell(cell, width, calls, at)
  if at >= cell.start then
    cell.current = max(0, cell.current - calls)
  elseif at >= cell.start - width then
    cell.previous = max(0, cell.previous - calls)
  end
end

local function refund(counts, calls, at)
  refund_cell(counts.minute, MINUTE, calls, at)
  refund_cell(counts.hour, HOUR, calls, at)
  if counts.month and floor(at / DAY) >= counts.month then counts.used = max(0, counts.used - calls) end
end

local function read(key)
  local stored = redis.call('HMGET', key, 'ms', 'mc', 'mp', 'hs', 'hc', 'hp', 'month', 'used')
  for place = 1, 6 do stored[place] = tonumber(stored[place] or 0) end
  local counts = {
    expires_for = stored[1],
    minute = rolled({ start = stored[1], current = stored[2], previous = stored[3] }, MINUTE),
    hour = rolled({ start = stored[4], current = stored[5], previous = stored[6] }, HOUR),
    month = tonumber(stored[7]),
    used = tonumber(stored[8]),
  }
  -- A later month begins with nothing: a charge in it would have been written.
  if counts.month and counts.month < today_month then counts.month, counts.used = today_month, 0 end
  return counts
end

local function write(key, counts)
  local minute, hour = counts.minute, counts.hour
  redis.call('HSET', key, 'ms', minute.start, 'mc', minute.current, 'mp', minute.previous)
  if hour.current + hour.previous > 0 then
    redis.call('HSET', key, 'hs', hour.start, 'hc', hour.current, 'hp', hour.previous)
  end
  if counts.month then redis.call('HSET', key, 'month', counts.month, 'used', counts.used) end
  if minute.start ~= counts.expires_for then
    -- What counts calls of a month is kept until it ends. 31 days after the first of a month always lie in the next one.
    redis.call('PEXPIRE', key, KEPT + (counts.month and month_of(today_month + 31) * DAY - now or 0))
  end
end
