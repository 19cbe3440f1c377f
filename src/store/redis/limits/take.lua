-- Charges calls one after the other, each to every window of its caller at once or to none, and a lease with it where there
-- is room enough. The whole script is one step: no other call comes in between. Comes after cell.lua.
-- KEYS: 1 the life of the store, from 2 on the hashes of the callers, each once. Fields of a hash: ms mc mp (minute: start, current,
-- previous), hs hc hp (hour), month (its first day, days since 1970), used.
-- ARGV: 1 the life that the replica means: in another one nothing is counted. 2 and 3 the first days of the month that it takes for
-- the running one, and of the next. 4 twelve doubles for each call, the lower byte first: place of its hash in KEYS, cost, limit a
-- minute, an hour, a month (-1: none), tokens wished for, least room for each token, unspent tokens of an earlier lease, when those
-- were charged, a month and the calls used in it as far as the replica knows (-1: it did not ask the ledger), and how many of the next
-- twelve doubles are the same call at the networks around its caller: all of them are charged, or none is.
-- Reply: eleven doubles for each twelve: code (1 charged, 0 refused, -1 the month or the calls used in it are not known), now, the
-- two cells, month, used, tokens.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then return redis.error_reply('EMPTIED it was emptied or set back') end

local MINUTE, HOUR, DAY = 60000, 3600000, 86400000
-- Two of the longest sliding windows and the minute in which the expiry is not set again.
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
  -- A clock that was ahead has counted in a later month. The ledger knows what was used in this one.
  if is_running and counts.month and counts.month * DAY > now + HOUR then counts.month, counts.used = nil, nil end
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
    -- Counts of a month are kept until it ends.
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

-- Returns the calls that fit into every window of a caller; nil while the month is not known.
local function room_of(one)
  local counts = one.counts
  local room = one.per_minute - occupied(counts.minute, MINUTE)
  if one.per_hour >= 0 then room = min(room, one.per_hour - occupied(counts.hour, HOUR)) end
  if one.per_month < 0 then return room end
  return is_running and counts.month and min(room, one.per_month - counts.used)
end

local function take(group, cost, wish, least_room)
  local room = math.huge
  for _, one in ipairs(group) do
    local its_room = room_of(one)
    if not its_room then return -1, 0 end
    room = min(room, its_room)
  end
  if cost > 0 and cost > room then return 0, 0 end
  local extra = max(0, min(wish, floor((room - cost) / least_room)))
  local charge = cost + extra
  for _, one in ipairs(group) do
    local counts = one.counts
    counts.minute.current = counts.minute.current + charge
    if one.per_hour >= 0 then counts.hour.current = counts.hour.current + charge end
    if one.per_month >= 0 then counts.used = counts.used + charge end
  end
  return 1, extra
end

-- A caller of several calls is read once and written once.
local known, answers, group, asked, from = {}, {}, {}, ARGV[4], 1
while from <= #asked do
  local nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used, more
  nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used, more, from =
    struct.unpack('<dddddddddddd', asked, from)
  local counts = known[nth] or read(KEYS[nth])
  known[nth] = counts
  if unspent > 0 then refund(counts, unspent, charged_at) end
  if per_month >= 0 and is_running and month == running_month then
    counts.month, counts.used = month, max(month_used, counts.used or 0)
  end
  group[#group + 1] = { counts = counts, per_minute = per_minute, per_hour = per_hour, per_month = per_month }
  if more == 0 then
    local code, extra = take(group, cost, wish, least_room)
    for _, one in ipairs(group) do
      local minute, hour = one.counts.minute, one.counts.hour
      answers[#answers + 1] = struct.pack('<ddddddddddd', code, now, minute.start, minute.current, minute.previous,
        hour.start, hour.current, hour.previous, one.counts.month or -1, one.counts.used or -1, extra)
    end
    group = {}
  end
end
for nth, counts in pairs(known) do write(KEYS[nth], counts) end
return table.concat(answers)
