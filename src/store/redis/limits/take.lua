-- Charges calls one after the other, each to every window of its caller at once or to none, and a lease with it where there
-- is room enough. The whole script is one step: no other call comes in between.
-- KEYS from 2 on: the hashes of the callers, each once. ARGV[2]: eleven doubles for each call, the lower byte first: place of
-- its hash in KEYS, cost, limit a minute, an hour, a month (-1: none), tokens wished for, least room for each token, unspent
-- tokens of an earlier lease, when those were charged, a month and the calls used in it as far as the replica knows (-1: it did
-- not ask the ledger).
-- Reply: eleven doubles for each call: code (1 charged, 0 refused, -1 the month is not known), now, the two cells, month,
-- used, tokens.

-- Code and tokens.
local function take(counts, cost, per_minute, per_hour, per_month, wish, least_room)
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
local known, answers, asked, from = {}, {}, ARGV[2], 1
while from <= #asked do
  local nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used
  nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, month, month_used, from =
    struct.unpack('<ddddddddddd', asked, from)
  local counts = known[nth]
  if not counts then
    counts = read(KEYS[nth])
    known[nth] = counts
  end
  if unspent > 0 then refund(counts, unspent, charged_at) end
  if per_month >= 0 and month == today_month then
    counts.month, counts.used = month, max(month_used, counts.used or 0)
  end
  local code, extra = -1, 0
  if per_month < 0 or counts.month then
    code, extra = take(counts, cost, per_minute, per_hour, per_month, wish, least_room)
  end
  local minute, hour = counts.minute, counts.hour
  answers[#answers + 1] = struct.pack('<ddddddddddd', code, now, minute.start, minute.current, minute.previous,
    hour.start, hour.current, hour.previous, counts.month or -1, counts.used or -1, extra)
end
for nth, counts in pairs(known) do write(KEYS[nth], counts) end
return table.concat(answers)
