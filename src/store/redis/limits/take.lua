-- Charges calls one after the other, each to every window of its caller at once or to none, and a lease with it where there
-- is room enough. The whole script is one step: no other call comes in between. Comes after cell.lua.
-- KEYS: 1 the life of the store, from 2 on the hashes of the callers, each once. Fields of a hash: ms mc mp (minute: start, current,
-- previous), hs hc hp (hour), month (its first day, days since 1970), used.
-- ARGV: 1 the life that the replica means: in another one nothing is counted. 2 and 3 the first days of the month that it takes for
-- the running one, and of the next. 4 eleven doubles for each call, the lower byte first: place of its hash in KEYS, cost, limit a
-- minute, an hour, a month (-1: none), tokens wished for, least room for each token, unspent tokens of an earlier lease, when those
-- were charged, a month and the calls used in it as far as the replica knows (-1: it did not ask the ledger).
-- Reply: eleven doubles for each call: code (1 charged, 0 refused, -1 the month or the calls used in it are not known), now, the
-- two cells, month, used, tokens.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('EMPTIED it was emptied or set back') end

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
-- Two of the longest sliding windows and the minute in which the expiry is not set anew.
local KEPT = 7500000
local min = math.min
local running_month, next_month = tonumber(ARGV[2]), tonumber(ARGV[3])
local is_running = now >= running_month * DAY and now < next_month * DAY

-- One caller's windows, brought up to this instant. A later month begins with nothing: a charge in it would have been written.
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
  if is_running and counts.month and counts.month < running_month then counts.month, counts.used = running_month, 0 end
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
    -- What counts calls of a month is kept until it ends.
    redis.call('PEXPIRE', key, KEPT + (counts.month and max(0, next_month * DAY - now) or 0))
  end
end

local function refund(counts, calls, at)
  for cell, width in pairs({ [counts.minute] = MINUTE, [counts.hour] = HOUR }) do
    if at >= cell.start then
      cell.current = max(0, cell.current - calls)
    elseif at >= cell.start - width then
      cell.previous = max(0, cell.previous - calls)
    end
  end
  if counts.month and floor(at / DAY) >= counts.month then counts.used = max(0, counts.used - calls) end
end

-- Code and tokens.
local function take(counts, cost, per_minute, per_hour, per_month, wish, least_room)
  if per_month >= 0 and not (is_running and counts.month) then return -1, 0 end
  local room = per_minute - occupied(counts.minute, MINUTE)
  if per_hour >= 0 then room = min(room, per_hour - occupied(counts.hour, HOUR)) end
  if per_month >= 0 then room = min(room, per_month - counts.used) end
  if cost > 0 and cost > room then return 0, 0 end
  local extra = max(0, min(wish, floor((room - cost) / least_room)))
  local charge = cost + extra
  counts.minute.current = counts.minute.current + charge
  if per_hour >= 0 then counts.hour.current = counts.hour.current + charge end
  if per_month >= 0 then counts.used = counts.used + charge end
  return 1, extra
end

-- A caller of several calls is read once and written once.
local known, answers, asked, from = {}, {}, ARGV[4], 1
while from <= #asked do
  local nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used
  nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used, from =
    struct.unpack('<ddddddddddd', asked, from)
  local counts = known[nth] or read(KEYS[nth])
  known[nth] = counts
  if unspent > 0 then refund(counts, unspent, charged_at) end
  if per_month >= 0 and is_running and month == running_month then
    counts.month, counts.used = month, max(month_used, counts.used or 0)
  end
  local code, extra = take(counts, cost, per_minute, per_hour, per_month, wish, least_room)
  local minute, hour = counts.minute, counts.hour
  answers[#answers + 1] = struct.pack('<ddddddddddd', code, now, minute.start, minute.current, minute.previous,
    hour.start, hour.current, hour.previous, counts.month or -1, counts.used or -1, extra)
end
for nth, counts in pairs(known) do write(KEYS[nth], counts) end
return table.concat(answers)
