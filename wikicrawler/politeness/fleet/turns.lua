-- The turns of all workers, as turns.py asks for them. A site is one hash: when a request to it
-- last began or ended (last), until when it is left alone (before), the delay to which a worker has
-- raised its own (raised), when that was (since), and its turns, by worker and number: when they
-- lapse, whether their requests have surely been sent, and when they began. Times are in us, on the
-- clock of Redis.

local call = redis.call
local KEPT = 86400 -- s for which a site is remembered that nobody asks
local RAISED_KEPT = 3600 -- and for which its delay stays raised
local FIELDS = {'last', 'before', 'raised', 'since'}

local time = call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

local cursor = 0
local function argument()
  cursor = cursor + 1
  return ARGV[cursor]
end
local function number_argument()
  return tonumber(argument())
end

local worker, lease, longest = argument(), number_argument(), number_argument()
local busy = number_argument() -- after which to ask again for a site that others use
local sites, order = {}, {}

local function touch(site, wait)
  site.last = now
  local before = math.min(site.before or 0, now + longest)
  site.before = math.max(before, now + math.min(wait, longest))
end

local function site_named(name)
  local site = sites[name]
  if site then
    return site
  end
  site = {turns = {}}
  local fields = call('HGETALL', KEYS[1] .. name)
  for index = 1, #fields, 2 do
    local field, value = fields[index], fields[index + 1]
    local ends, sent, began = string.match(value, '^(%d+) (%d) (%d+)$')
    if ends then
      site.turns[field] = {ends = tonumber(ends), sent = sent == '1', began = tonumber(began)}
    else
      site[field] = tonumber(value)
    end
  end
  if site.last and site.last < now - RAISED_KEPT * 1000000 then
    site.raised = nil
  end
  for field, turn in pairs(site.turns) do
    if turn.ends <= now then -- its worker may have sent a request just before it ended
      site.turns[field] = nil
      touch(site, 0)
    end
  end
  sites[name] = site
  table.insert(order, name)
  return site
end

local function turn_named(number)
  return worker .. ' ' .. number
end

-- A raise counts at once. A request that was under way at the last raise is no reason to lower the
-- delay, and neither is what is no request.
local function set_raised(site, raised, turn)
  if raised > (site.raised or 0) then
    site.since = now
    site.raised = raised
  elseif turn and turn.began >= (site.since or 0) then
    site.raised = raised
  end
end

-- What has become of turns: site, number (0: none), whether the request has ended, wait, raised
-- delay (-1: not known).
for _ = 1, number_argument() do
  local site, number, is_ended, wait = site_named(argument()), argument(), argument(), argument()
  local raised = number_argument()
  touch(site, tonumber(wait))
  local name = turn_named(number)
  if raised >= 0 then
    set_raised(site, raised, site.turns[name])
  end
  if is_ended == '1' then
    site.turns[name] = nil
  elseif site.turns[name] then
    site.turns[name].sent = true
  end
end

-- Turns to be renewed, whose worker knows that they have not lapsed: site, number. One that is not
-- there was lost, because Redis was killed, or restored from an older state.
for _ = 1, number_argument() do
  local site, name = site_named(argument()), turn_named(argument())
  local turn = site.turns[name]
  if turn then
    turn.ends = now + lease
  else
    site.turns[name] = {ends = now + lease, sent = true, began = now}
    touch(site, 0)
  end
end

local function wait_for(site, delay, at_once)
  local under_way = 0
  for _, turn in pairs(site.turns) do
    under_way = under_way + 1
    if not turn.sent then
      return busy
    end
  end
  if under_way >= at_once then
    return busy
  end
  if not site.last then
    return 0
  end
  return math.max(0, math.max(site.before or 0, math.min(site.last, now) + delay) - now)
end

-- Turns that are asked for: number, site, delay, the part of it that is not raised, how many
-- requests at once. The reply has of each the wait, -1 where it has its turn, and the raised delay,
-- -1 where nothing is known of it.
local replies = {}
for _ = 1, number_argument() do
  local number, site = argument(), site_named(argument())
  local delay, base, at_once = number_argument(), number_argument(), number_argument()
  if site.raised then
    delay = math.max(base, math.min(site.raised, longest))
  end
  local name = turn_named(number)
  local wait = 0
  if not site.turns[name] then -- else the answer was lost
    wait = wait_for(site, delay, at_once)
  end
  if wait > 0 then
    table.insert(replies, math.min(wait, longest))
  else
    site.turns[name] = {ends = now + lease, sent = false, began = now}
    touch(site, 0)
    table.insert(replies, -1)
  end
  table.insert(replies, site.raised or -1)
end

for _, name in ipairs(order) do
  local site, key = sites[name], KEYS[1] .. name
  call('DEL', key)
  local fields = {}
  for _, field in ipairs(FIELDS) do
    if site[field] then
      table.insert(fields, field)
      table.insert(fields, string.format('%.0f', site[field]))
    end
  end
  for field, turn in pairs(site.turns) do
    table.insert(fields, field)
    table.insert(fields, string.format('%.0f %d %.0f', turn.ends, turn.sent and 1 or 0, turn.began))
  end
  if #fields > 0 then
    call('HSET', key, unpack(fields))
    call('EXPIRE', key, KEPT)
  end
end
return replies
