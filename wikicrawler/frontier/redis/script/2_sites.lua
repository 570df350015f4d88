-- Which sites may be served, and when.

local function site_named(name)
  local site = call('HGET', K.sites, name)
  if not site then
    site = struct.pack('>I4', call('HINCRBY', K.about, 'sites', 1))
    call('HSET', K.sites, name, site)
    call('HSET', K.names, site, name)
  end
  return site
end

local function allowed_at(site)
  return tonumber(call('ZSCORE', K.held, site) or call('ZSCORE', K.resting, site) or 0)
end

local function pace_of(site)
  return tonumber(call('HGET', K.pace, site) or 0)
end

local function is_ahead(site)
  return call('HEXISTS', K.aheads, site) == 1
end

-- Move the next-allowed time of a site forward, never back.
local function hold(site, moment)
  if moment > now then
    local key = call('ZSCORE', K.held, site) and K.held or K.resting
    call('ZADD', key, 'GT', moment, site)
    touch(site)
  end
end

-- Put a site where it belongs: 'turns', 'held', 'resting' or nowhere. A site with a pace that has
-- a request ahead is nowhere to be served from, until its pop is known.
local function settle(site)
  local held, resting = call('ZSCORE', K.held, site), nil
  if not held then
    resting = call('ZSCORE', K.resting, site)
  end
  local moment = tonumber(held or resting or 0)
  local serves = call('ZLEXCOUNT', K.queue, '[' .. site, '(' .. site .. '\255') > 0
  if serves and is_ahead(site) and pace_of(site) > 0 then
    serves = false
  end
  local key = moment > now and (serves and K.held or K.resting) or nil
  if held and key ~= K.held then
    call('ZREM', K.held, site)
  end
  if resting and key ~= K.resting then
    call('ZREM', K.resting, site)
  end
  if key then
    call('ZADD', key, moment, site)
  end
  if not serves or key then
    call('ZREM', K.turns, site)
  elseif not call('ZSCORE', K.turns, site) then
    call('ZADD', K.turns, call('HINCRBY', K.about, 'turns', 1), site)
  end
end

local function settle_touched()
  for _, site in ipairs(touched) do
    settle(site)
  end
  touched = {}
end

local WINDOW = 200 -- requests, leases or sites whose time has come, in one exchange

local function move_due()
  for _, request in ipairs(call('ZRANGEBYSCORE', K.later, '-inf', now, 'LIMIT', 0, WINDOW)) do
    call('ZREM', K.later, request)
    call('ZADD', K.queue, 0, request)
    touch(site_of(request))
  end
  for _, site in ipairs(call('ZRANGEBYSCORE', K.held, '-inf', now, 'LIMIT', 0, WINDOW)) do
    touch(site)
  end
  call('ZREMRANGEBYSCORE', K.resting, '-inf', now)
  settle_touched()
end
