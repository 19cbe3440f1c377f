-- Charges calls one after the other, each to every window of its caller at once or to none, and a lease with it where there
-- is room enough. The whole script is one step: nobody else's call comes in between.
-- KEYS: the hashes of the callers, each once. ARGV[1]: eleven doubles for each call, the lower byte first: place of its hash in
-- KEYS, cost, limit a minute, an hour, a month (-1: none), tokens wished for, least room for each token, unspent tokens of an
-- earlier lease, when those were charged, calls used this month as the ledger has it (-1: not asked), milliseconds to keep
-- the hash.
-- Reply: twelve doubles for each call: code (1 charged, 0 refused, -1 the month is not known), now, the two cells, month,
-- used, tokens, born.

local function give_back(counts, unspent, charged_at)
  refund(counts.minute, MINUTE, unspent, charged_at)
  refund(counts.hour, HOUR, unspent, charged_at)
  if counts.month and floor(charged_at / DAY) >= counts.month then counts.used = max(0, counts.used - unspent) end
end

local function begin_month(counts, seed)
  local handed = counts.handed_month == counts.today_month and counts.handed or 0
  counts.month, counts.used, counts.handed = counts.today_month, max(seed, handed), 0
end

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
local known, answers, asked, from = {}, {}, ARGV[1], 1
while from <= #asked do
  local nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, seed, ttl
  nth, cost, per_minute, per_hour, per_month, wish, least_room, unspent, charged_at, seed, ttl, from =
    struct.unpack('<ddddddddddd', asked, from)
  local counts = known[nth]
  if not counts then
    counts = read(KEYS[nth])
    known[nth] = counts
  end
  counts.ttl = ttl
  if unspent > 0 then
    give_back(counts, unspent, charged_at)
    counts.changed = true
  end
  local code, extra = -1, 0
  if per_month < 0 or counts.month or seed >= 0 then
    if per_month >= 0 and not counts.month then begin_month(counts, seed) end
    code, extra = take(counts, cost, per_minute, per_hour, per_month, wish, least_room)
    counts.changed = true
  end
  answers[#answers + 1] = struct.pack('<dddddddddddd', numbers(code, counts, extra))
end
for nth, counts in pairs(known) do
  if counts.changed then write(KEYS[nth], counts, counts.ttl) end
end
return table.concat(answers)
