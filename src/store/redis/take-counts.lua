-- Charges a call to every window at once or to none, and a lease with it where there is room enough.
-- ARGV: 1 cost, 2 limit a minute, 3 an hour, 4 a month (-1: none), 5 tokens wished for, 6 least room for each token,
-- 7 unspent tokens of an earlier lease, 8 when those were charged, 9 calls used this month as the ledger has it (-1: not
-- asked), 10 milliseconds to keep the hash.
-- Reply: code (1 charged, 0 refused, -1 the month is not known), now, the two cells, month, used, tokens, born.

local cost, per_minute, per_hour, per_month = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local wish, least_room, unspent, charged_at = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local seed, ttl = tonumber(ARGV[9]), tonumber(ARGV[10])

local counts = read()
if unspent > 0 then
  refund(counts.minute, MINUTE, unspent, charged_at)
  refund(counts.hour, HOUR, unspent, charged_at)
  if counts.month and floor(charged_at / DAY) >= counts.month then counts.used = max(0, counts.used - unspent) end
end
if per_month >= 0 and not counts.month then
  if seed < 0 then
    if unspent > 0 then write(counts, ttl) end
    return reply(-1, counts, 0)
  end
  local handed = counts.handed_month == counts.today_month and counts.handed or 0
  counts.month, counts.used, counts.handed = counts.today_month, max(seed, handed), 0
end

local room = per_minute - occupied(counts.minute, MINUTE)
if per_hour >= 0 then room = min(room, per_hour - occupied(counts.hour, HOUR)) end
if per_month >= 0 then room = min(room, per_month - counts.used) end
local code, extra = 0, 0
if cost == 0 or cost <= room then
  code, extra = 1, max(0, min(wish, floor((room - cost) / least_room)))
  local charge = cost + extra
  counts.minute.current = counts.minute.current + charge
  if per_hour >= 0 then counts.hour.current = counts.hour.current + charge end
  if per_month >= 0 then counts.used = counts.used + charge end
end
write(counts, ttl)
return reply(code, counts, extra)
