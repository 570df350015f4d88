-- One exchange of a worker with the frontier: its changes, then the requests that it wants, then
-- what it has to know. ARGV is written by exchange.py, in this order, which reads the reply too.

local FORMAT = '2'
local NEWS = 1000 -- notes, or counts, in one reply

local worker, batch = argument(), number_argument()
argument() -- the moment, see above
local crawl, new_crawl = argument(), argument()
local lost_worker, closes = argument(), argument() == '1'
local seconds, ttl = number_argument(), number_argument()
local known_notes, known_changes = argument(), argument()
crawl_limit = number_argument()

-- Whether the crawl is there, and is the same

local known = call('HMGET', K.about, 'id', 'format')
local resumed = known[1] and known[1] ~= new_crawl and 1 or 0
if not known[1] and crawl == '' then
  call('HSET', K.about, 'id', new_crawl, 'format', FORMAT)
  known = {new_crawl, FORMAT}
end
if known[2] and known[2] ~= FORMAT then
  return {'format', known[2]}
end
if not known[1] or (crawl ~= '' and known[1] ~= crawl) then
  return {'gone'}
end
local last = tonumber(call('HGET', K.workers, worker) or 0)
if batch > last + 1 then
  return {'behind'} -- Redis has lost what it had confirmed
end
local is_repeated = batch <= last

-- Changes

if lost_worker ~= '' then
  hand_back_all(lost_worker, true)
  call('HDEL', K.workers, lost_worker)
  call('HDEL', K.granted, lost_worker)
end
end_due_leases()
local wanted, usual, horizon = number_argument(), number_argument(), number_argument()
local newest_first = {argument() == '1', argument() == '1'}
local held_places, renewed, asked = list_argument(), list_argument(), list_argument()
if not is_repeated then
  while cursor < #ARGV do
    changes[argument()](worker)
  end
end
give_places()
local lost = renew(worker, renewed, seconds)
move_due()

-- Requests

local granted
if closes then
  hand_back_all(worker, false)
  settle_touched()
  call('HDEL', K.workers, worker)
  call('HDEL', K.granted, worker)
  granted = {}
elseif is_repeated then
  granted = {}
  for number in string.gmatch(call('HGET', K.granted, worker) or '', '%d+') do
    table.insert(granted, number)
  end
else
  local places, room = {}, {}
  for index = 1, #held_places, 3 do
    local site = call('HGET', K.sites, held_places[index])
    if site then
      places[site], room[site] = tonumber(held_places[index + 1]), tonumber(held_places[index + 2])
    end
  end
  granted = {}
  if wanted > 0 then
    granted = lease_some(worker, wanted, seconds, horizon, newest_first, places, room,
                         #held_places / 3, usual)
  end
  call('HSET', K.workers, worker, batch)
  if #granted > 0 then
    call('HSET', K.granted, worker, table.concat(granted, ' '))
  else
    call('HDEL', K.granted, worker)
  end
end
write_counts()

-- The reply

local leases = {}
for _, number in ipairs(granted) do
  local request = lease_of(number, worker)
  if request then
    local site = site_of(request)
    local length = string.byte(request, 24)
    table.insert(leases, {
      number,
      tonumber(call('ZSCORE', K.ends, number)) - now,
      call('HGET', K.names, site),
      math.max(0, allowed_at(site) - now),
      pace_of(site),
      string.sub(request, 25, 24 + length),
      string.sub(request, 25 + length),
    })
  end
end

local waits = {}
for _, name in ipairs(asked) do
  local site = call('HGET', K.sites, name)
  table.insert(waits, site and math.max(0, allowed_at(site) - now) or 0)
end

local function first_of(key)
  local found = call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  return found and math.max(0, tonumber(found) - now) or -1
end

local notes = call('ZRANGEBYSCORE', K.notes, '(' .. known_notes, '+inf', 'LIMIT', 0, NEWS)
local last_note = tonumber(known_notes) + #notes

local counts, last_change = {}, known_changes
local changed = call('ZRANGEBYSCORE', K.changed, '(' .. known_changes, '+inf', 'WITHSCORES',
                     'LIMIT', 0, NEWS)
for index = 1, #changed, 2 do
  local field = changed[index]
  local length = string.byte(field, 1)
  table.insert(counts, {
    string.sub(field, 2, 1 + length),
    call('HGET', K.names, string.sub(field, 2 + length)),
    tonumber(call('HGET', K.counts, field) or 0),
  })
  last_change = changed[index + 1]
end

for _, key in pairs(K) do
  call('EXPIRE', key, ttl)
end
call('EXPIRE', leases_of(worker), ttl)

return {
  'ok', known[1], resumed,
  call('ZCARD', K.queue) + call('ZCARD', K.later),
  call('HLEN', K.leases) - call('SCARD', leases_of(worker)),
  call('ZCARD', K.later), first_of(K.later), first_of(K.held), call('ZCARD', K.turns),
  call('HLEN', K.dead), died, lost, leases, waits,
  last_note, notes, #notes == NEWS and 1 or 0,
  last_change, counts, #counts == NEWS and 1 or 0,
  places_of(CRAWL), tonumber(call('HGET', K.about, 'written') or 0), count_waits(CRAWL),
  call('ZCARD', K.waits), refused,
}
