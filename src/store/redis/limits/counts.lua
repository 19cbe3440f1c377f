-- Comes before the other scripts of the counters, after cell.lua: one caller's windows as they lie in a hash, brought up to
-- this instant. The arithmetic is that of src/domain/limits/month.ts, in the same order.
-- KEYS: hashes of callers. Fields: ms mc mp (minute: start, current, previous), hs hc hp (hour), month (its first day,
-- days since 1970), used; hm hu (what replicas say was used of a month that this store has lost); born (when the hash was made:
-- a replica that knew another one has been forgotten).

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
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

local function refund(cell, width, cost, at)
  if at >= cell.start then
    cell.current = max(0, cell.current - cost)
  elseif at >= cell.start - width then
    cell.previous = max(0, cell.previous - cost)
  end
end

local function read(key)
  local stored = redis.call('HMGET', key, 'ms', 'mc', 'mp', 'hs', 'hc', 'hp', 'month', 'used', 'hm', 'hu', 'born')
  local figures = {}
  for place = 1, 11 do figures[place] = tonumber(stored[place] or 0) end
  local counts = {
    stored = stored,
    exists = stored[1] ~= false,
    born = stored[1] and figures[11] or now,
    minute = rolled({ start = figures[1], current = figures[2], previous = figures[3] }, MINUTE),
    hour = rolled({ start = figures[4], current = figures[5], previous = figures[6] }, HOUR),
    today_month = month_of(floor(now / DAY)),
    handed_month = figures[9],
    handed = figures[10],
  }
  if stored[7] then
    -- A later month begins with nothing: whoever had charged it would have written it.
    counts.month, counts.used = figures[7], figures[8]
    if counts.month < counts.today_month then counts.month, counts.used = counts.today_month, 0 end
  end
  return counts
end

-- Only what has changed. The minute's start changes with every minute of calls: often enough to keep the hash from expiring.
local function write(key, counts, ttl)
  local fields, stored = {}, counts.stored
  local function put(name, place, figure)
    if not stored[place] or tonumber(stored[place]) ~= figure then
      fields[#fields + 1] = name
      fields[#fields + 1] = figure
    end
  end
  local minute, hour = counts.minute, counts.hour
  put('mc', 2, minute.current)
  if not stored[1] or tonumber(stored[1]) ~= minute.start then
    put('ms', 1, minute.start)
    put('mp', 3, minute.previous)
    put('born', 11, counts.born)
  else
    put('mp', 3, minute.previous)
  end
  if hour.current + hour.previous > 0 or stored[4] then
    put('hs', 4, hour.start)
    put('hc', 5, hour.current)
    put('hp', 6, hour.previous)
  end
  if counts.month then
    put('month', 7, counts.month)
    put('used', 8, counts.used)
  end
  if counts.handed > 0 then
    put('hm', 9, counts.handed_month)
    put('hu', 10, counts.handed)
  end
  if #fields == 0 then return end
  redis.call('HSET', key, unpack(fields))
  if fields[3] == 'ms' or fields[1] == 'ms' then
    -- What counts calls of a month ends with it. 31 days after the first of a month always lie in the next one.
    if counts.month or counts.handed > 0 then ttl = ttl + month_of(counts.today_month + 31) * DAY - now end
    redis.call('PEXPIRE', key, ttl)
  end
end

local function numbers(code, counts, extra)
  local minute, hour = counts.minute, counts.hour
  return code, now, minute.start, minute.current, minute.previous, hour.start, hour.current, hour.previous,
    counts.month or -1, counts.used or -1, extra, counts.born
end
