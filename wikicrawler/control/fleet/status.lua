-- A crawl at one moment, as status_store.py asks for it. KEYS[1] is its key 'about'; the other keys
-- are those of frontier/redis/script/1_keys.lua and of report.lua. Nothing is changed, and nothing
-- here takes longer with more requests, but for the logarithm of their number: of the sites that
-- have requests at most WINDOW of each kind are looked at, and those of SAMPLE requests of the
-- queue, among which a site with many requests is.

local call = redis.call
local prefix = string.sub(KEYS[1], 1, -#'about' - 1)
local WINDOW, SAMPLE = 200, 200
local WORKERS = 5000 -- names of workers, gone ones included, whose leases are counted

local function key(name)
  return prefix .. name
end

local time = call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local most = tonumber(ARGV[1])

local function score_of(name, member)
  return tonumber(call('ZSCORE', key(name), member) or -1)
end

local function size(command, name)
  return call(command, key(name))
end

-- Sites

local sites, found = {}, {}
local function look_at(site)
  if found[site] then
    return
  end
  found[site] = true
  local queued = call('ZLEXCOUNT', key('queue'), '[' .. site, '(' .. site .. '\255')
  local ahead = tonumber(call('HGET', key('aheads'), site) or 0)
  if queued + ahead > 0 then
    table.insert(sites, {site, queued, ahead})
  end
end
local is_whole = true
for _, name in ipairs({'turns', 'held'}) do
  for _, site in ipairs(call('ZRANGE', key(name), 0, WINDOW - 1)) do
    look_at(site)
  end
  is_whole = is_whole and size('ZCARD', name) <= WINDOW
end
if size('HLEN', 'aheads') <= WINDOW then
  for _, site in ipairs(call('HKEYS', key('aheads'))) do
    look_at(site)
  end
else
  is_whole = false
end
if not is_whole then
  for _, request in ipairs(call('ZRANDMEMBER', key('queue'), SAMPLE)) do
    look_at(string.sub(request, 1, 4))
  end
end
table.sort(sites, function(one, other)
  for index = 2, 3 do
    if one[index] ~= other[index] then
      return one[index] > other[index]
    end
  end
  return one[1] < other[1]
end)
local shown = {}
for index = 1, math.min(most, #sites) do
  local site, queued, ahead = unpack(sites[index])
  local allowed = math.max(score_of('held', site), score_of('resting', site))
  table.insert(shown, {
    call('HGET', key('names'), site) or '',
    queued,
    math.max(0, allowed - now),
    ahead,
  })
end

-- Workers

local leases = {}
if size('HLEN', 'workers') <= WORKERS then
  for _, worker in ipairs(call('HKEYS', key('workers'))) do
    table.insert(leases, {worker, call('SCARD', key('leases:' .. worker))})
  end
end
local workers = {}
for _, worker in ipairs(call('ZRANGE', key('begun'), 0, -1)) do
  local report = call('HGET', key('reports'), worker)
  if report then
    table.insert(workers, {
      worker,
      string.format('%.0f', score_of('begun', worker)),
      string.format('%.0f', score_of('heard', worker)),
      report,
    })
  end
end

local later = call('ZRANGE', key('later'), 0, 0, 'WITHSCORES')[2]
local about = call('HMGET', key('about'), 'id', 'pushed', 'sites')
return {
  string.format('%.0f', now), about[1] and 1 or 0, tonumber(about[2] or 0), tonumber(about[3] or 0),
  size('ZCARD', 'queue'), size('ZCARD', 'later'),
  later and math.max(0, tonumber(later) - now) or -1,
  size('HLEN', 'leases'), size('SCARD', 'ahead'),
  call('ZCOUNT', key('ends'), '-inf', now), size('HLEN', 'dead'),
  size('ZCARD', 'turns'), size('ZCARD', 'held'),
  shown, is_whole and 1 or 0, leases, workers, tonumber(call('GET', key('forgotten')) or 0),
  size('ZCARD', 'waits'),
}
