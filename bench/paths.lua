-- Requests for wrk: random paths, prepared before the clock starts so that the load generator stays cheap.
-- Arguments: "dates", "range", "subsets" or "convert", then the seed.

local first = os.time({ year = 1999, month = 1, day = 4, hour = 12 })
local days = 9900
local codes = { "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK" }
local others = { "USD", "HUF", "PLN", "CZK", "TRY", "MXN", "ZAR", "BRL", "INR", "THB", "TWD", "DKK" }
local prepared = {}

local function date(offset)
  return os.date("!%Y-%m-%d", first + offset * 86400)
end

local function path(kind)
  if kind == "dates" then
    return "/v1/" .. date(math.random(0, days))
  end
  if kind == "range" then
    local from = math.random(0, days - 600)
    return "/v1/range?symbols=EUR,GBP,JPY&start_date=" .. date(from) .. "&end_date=" .. date(from + 599)
  end
  if kind == "subsets" then
    return "/v1/latest?base=" .. codes[math.random(5)] .. "&symbols=" .. codes[math.random(6, 7)]
      .. "," .. codes[math.random(8, 9)] .. "," .. others[math.random(#others)]
  end
  return "/v1/convert/USD/" .. codes[math.random(#codes)] .. "?amount=" .. math.random(1, 100000)
end

function init(args)
  math.randomseed(tonumber(args[2] or "1"))
  for number = 1, 20000 do
    prepared[number] = wrk.format("GET", path(args[1]))
  end
end

function request()
  return prepared[math.random(#prepared)]
end
