-- Leases: they begin, are renewed, and end.

local WORKER = 16     -- length of a worker's name
local TRIED = 4       -- what a redelivery counts, in quarters, and one of what was not sent, as far
local UNTRIED = 1     -- as is known: it is rarely what its worker died of
local REDELIVERIES = 3

local function lease_of(number, worker)
  local lease = call('HGET', K.leases, number)
  if lease and string.sub(lease, 1, WORKER) == worker then
    return string.sub(lease, WORKER + 1)
  end
end

-- Note that a lease is ahead no more; return true if it was.
local function not_ahead(number, site)
  if call('SREM', K.ahead, number) == 0 then
    return false
  end
  if call('HINCRBY', K.aheads, site, -1) <= 0 then
    call('HDEL', K.aheads, site)
  end
  touch(site)
  return true
end

-- End a lease; return its request, whether it was ahead, and whether it was tried.
local function end_lease(number)
  local lease = call('HGET', K.leases, number)
  call('ZREM', K.ends, number)
  if not lease then
    return nil
  end
  local request, tried = string.sub(lease, WORKER + 1), call('SREM', K.tried, number) == 1
  call('HDEL', K.leases, number)
  call('SREM', leases_of(string.sub(lease, 1, WORKER)), number)
  return request, not_ahead(number, site_of(request)), tried
end

local function queue_again(request)
  call('ZADD', K.queue, 0, request)
  touch(site_of(request))
end

-- Queue what a worker has. *may_pop*: what is ahead may have been popped meanwhile.
local function hand_back_all(worker, may_pop)
  for _, number in ipairs(call('SMEMBERS', leases_of(worker))) do
    local request, ahead = end_lease(number)
    if request then
      local site = site_of(request)
      if ahead and may_pop then
        hold(site, now + pace_of(site))
      end
      queue_again(request)
    end
  end
end

-- End a lease that was not done until the moment *ended*, and redeliver its request.
local function redeliver(number, ended)
  local request, ahead, tried = end_lease(number)
  if not request then
    return
  end
  local site, name = site_of(request), name_of(request)
  local pace = pace_of(site)
  if ahead and pace > 0 then
    hold(site, ended + pace) -- it may have been popped until then
  end
  local times = call('HINCRBY', K.again, name, tried and TRIED or UNTRIED)
  if times > REDELIVERIES * TRIED then
    call('HDEL', K.again, name)
    call('HSET', K.dead, name, request)
    bump(request, -1)
    table.insert(died, string.sub(request, 25 + string.byte(request, 24)))
  else
    queue_again(request)
  end
end

-- Redeliver what the workers that are gone had.
local function end_due_leases()
  local ends = call('ZRANGEBYSCORE', K.ends, '-inf', now, 'LIMIT', 0, WINDOW, 'WITHSCORES')
  for index = 1, #ends, 2 do
    redeliver(ends[index], tonumber(ends[index + 1]))
  end
end

local function renew(worker, numbers, seconds)
  local lost = {}
  for _, number in ipairs(numbers) do
    local ends = tonumber(call('ZSCORE', K.ends, number) or 0)
    if ends > now and lease_of(number, worker) then
      call('ZADD', K.ends, now + seconds, number)
    else
      table.insert(lost, number)
    end
  end
  return lost
end

-- The next request of a site, out of the queue.
local function take(site, newest_first)
  local found = call('ZRANGEBYLEX', K.queue, '[' .. site, '(' .. site .. '\255', 'LIMIT', 0, 1)[1]
  if found then
    local rank = string.sub(found, 1, 10)
    if newest_first[string.byte(rank, 10) % 2 + 1] then
      local last = '(' .. rank .. '\255'
      found = call('ZREVRANGEBYLEX', K.queue, last, '[' .. rank, 'LIMIT', 0, 1)[1]
    end
    call('ZREM', K.queue, found)
  end
  return found
end

-- Lease the next request of a site; return the number of the lease, or nil.
local function lease(worker, site, seconds, newest_first)
  local request = take(site, newest_first)
  if not request then
    return nil
  end
  -- Never again the same number, also if Redis has lost its last writes.
  local last = tonumber(call('HGET', K.about, 'leased') or 0)
  local number = text(math.max(last + 1, now))
  call('HSET', K.about, 'leased', number)
  call('HSET', K.leases, number, worker .. request)
  call('ZADD', K.ends, now + seconds, number)
  call('SADD', leases_of(worker), number)
  call('SADD', K.ahead, number)
  call('HINCRBY', K.aheads, site, 1)
  call('ZADD', K.turns, 'XX', call('HINCRBY', K.about, 'turns', 1), site)
  touch(site)
  return number
end

-- Lease *most* requests: of the sites where this worker holds the fewest places, in turn. *places*
-- and *room* have what it holds, and how many more it could use; *usual* is the room of the others.
-- A site is served before its time too, if that is less than *horizon* away: one request, which the
-- worker keeps until then.
local function lease_some(worker, most, seconds, horizon, newest_first, places, room, reported,
                          usual)
  local levels, highest = {}, 0
  local function put(level, site, left)
    if left > 0 then
      levels[level] = levels[level] or {}
      table.insert(levels[level], {site, left})
      highest = math.max(highest, level)
    end
  end
  local function room_of(site)
    local left = room[site] or usual
    return pace_of(site) > 0 and math.min(left, 1) or left
  end
  local ready = call('ZRANGE', K.turns, 0, most + reported - 1)
  for _, site in ipairs(ready) do
    put(places[site] or 0, site, room_of(site))
  end
  local numbers, level = {}, 0
  while level <= highest and #numbers < most do
    for _, entry in ipairs(levels[level] or {}) do
      local number = #numbers < most and lease(worker, entry[1], seconds, newest_first)
      if number then
        table.insert(numbers, number)
        put(level + 1, entry[1], entry[2] - 1)
      end
    end
    level = level + 1
  end
  local left = most - #numbers
  if left > 0 then
    local soon = call('ZRANGEBYSCORE', K.held, '(' .. text(now), now + horizon, 'LIMIT', 0,
                      left + reported)
    for _, site in ipairs(soon) do
      if #numbers < most and room_of(site) > 0 then
        table.insert(numbers, (lease(worker, site, seconds, newest_first)))
      end
    end
  end
  settle_touched()
  return numbers
end
