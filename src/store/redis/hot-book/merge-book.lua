-- Merges lines into the shared book in one atomic step and returns the new book.
-- Of two lines with the same name (first field) the one with the later instant (second field) stays; on a tie the stored one.
-- A line that lies ahead of now yields to one that does not: a wrong clock has dated it.
-- The version rises when a line was taken, and when the stored one is below what a replica has already served.
-- KEYS: 1 the book. ARGV: 1 header up to the version, 2 lines, 3 least version, 4 now (ms).

local header, least, now = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local version, names, lines, instants = 0, {}, {}, {}
-- The clocks of one installation agree within so many milliseconds: isAhead in src/domain/live/live-quote.ts.
local latest = now + 10000

local function take(text)
  local taken = false
  for line in string.gmatch(text, '[^\n]+') do
    local name, instant = string.match(line, '^(%S+) (%d+)')
    local at = tonumber(instant)
    local known = instants[name]
    if at and (not known or at > known or (known > latest and at <= latest)) then
      if not lines[name] then names[#names + 1] = name end
      lines[name], instants[name], taken = line, at, true
    end
  end
  return taken
end

local stored = redis.call('GET', KEYS[1])
if stored then
  local digits, rest
  if string.sub(stored, 1, #header) == header then
    digits, rest = string.match(stored, '^(%d+)\n(.*)$', #header + 1)
  end
  -- Another format belongs to another release, and anything else to another program: neither is overwritten.
  if not digits then return redis.error_reply('FORMAT ' .. KEYS[1] .. ' holds something else than a book of this release') end
  version = tonumber(digits)
  take(rest)
end

local changed = take(ARGV[2])
if not changed and version >= least then return stored or '' end

version = math.max(version + 1, least + 1, now)
table.sort(names)
for place, name in ipairs(names) do names[place] = lines[name] .. '\n' end
local digits = string.format('%.0f', version)
local book = header .. digits .. '\n' .. table.concat(names)
redis.call('SET', KEYS[1], book)
return book
