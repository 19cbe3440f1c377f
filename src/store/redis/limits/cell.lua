-- Comes before every script that counts in sliding windows: Redis's clock, and a cell of src/domain/limits/counts.ts, with its
-- arithmetic in the same order.

local floor, ceil, max = math.floor, math.ceil, math.max
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + floor(tonumber(time[2]) / 1000)

local function rolled(cell, width)
  local elapsed = now - cell.start
  if elapsed < width then
    if elapsed < -width then cell.start = now end
  elseif elapsed < 2 * width and cell.current > 0 then
    cell.start, cell.previous, cell.current = cell.start + width, cell.current, 0
  else
    cell.start, cell.previous, cell.current = now, 0, 0
  end
  return cell
end

local function occupied(cell, width)
  local elapsed = max(0, now - cell.start)
  return cell.current + ceil(cell.previous * (width - elapsed) / width)
end
