-- What workers change: a letter and its arguments, one after another in ARGV.

local STEP = 100000 -- us; requests that become due in the same step go in their order

local cursor = 0

local function argument()
  cursor = cursor + 1
  return ARGV[cursor]
end

local function number_argument()
  return tonumber(argument())
end

-- A list: its length, then its values.
local function list_argument()
  local list = {}
  for _ = 1, number_argument() do
    table.insert(list, argument())
  end
  return list
end

-- The age of a call is how many us ago it was made.
local changes = {}
local pushes = 0   -- in this exchange
local refused = {} -- those of them whose sites had no place; and whether each waits for one

-- Push: age, site, rank, wait, kind, fingerprint, limits, request. The limits are empty, or that of
-- the site (4 bytes), and whether the request waits for a place.
function changes.p()
  local moment = now - number_argument()
  local name, rank, wait, kind = argument(), argument(), number_argument(), argument()
  local fingerprint, limits, request = argument(), argument(), argument()
  pushes = pushes + 1
  if fingerprint ~= '' and call('SADD', K.seen, fingerprint) == 0 then
    return
  end
  local site = site_named(name)
  if wait > 0 then
    moment = math.ceil((moment + wait) / STEP) * STEP
  end
  local number = call('HINCRBY', K.about, 'pushed', 1)
  local whole = site .. rank .. struct.pack('>I7', moment) .. struct.pack('>I6', number)
    .. string.char(#kind) .. kind .. request
  if limits ~= '' then
    local limit, waits = struct.unpack('>I4B', limits)
    local budget = full(site, limit)
    if budget then
      waits = waits == 1 and wait_for_place(budget, limit, whole)
      if not waits and fingerprint ~= '' then
        call('SREM', K.seen, fingerprint)
      end
      if budget == site then
        table.insert(refused, {pushes, waits and 1 or 0})
      end
      return
    end
  end
  begin(whole)
end

-- Note: age, notes.
function changes.n()
  argument()
  add_notes(list_argument())
end

-- Pop: age, number of the lease.
function changes.o(worker)
  local moment, number = now - number_argument(), argument()
  local request = lease_of(number, worker)
  if request and not_ahead(number, site_of(request)) then
    local pace = pace_of(site_of(request))
    if pace > 0 then
      hold(site_of(request), moment + pace)
    end
  end
end

-- Tried: age, number of the lease.
function changes.t(worker)
  argument()
  local number = argument()
  if lease_of(number, worker) then
    call('SADD', K.tried, number)
  end
end

-- Done: age, number of the lease, notes.
function changes.d(worker)
  argument()
  local number, notes = argument(), list_argument()
  if lease_of(number, worker) then
    local request = end_lease(number)
    call('HDEL', K.again, name_of(request))
    bump(request, -1)
    add_notes(notes)
  end
end

-- Release: age, number of a lease that has ended by the worker's clock, which is a little earlier.
function changes.r(worker)
  local moment, number = now - number_argument(), argument()
  if lease_of(number, worker) then
    redeliver(number, moment)
  end
end

-- Hold: age, site, duration.
function changes.h()
  local moment, name = now - number_argument(), argument()
  hold(site_named(name), moment + number_argument())
end

-- Set the pace: age, site, duration.
function changes.s()
  argument()
  local site, pace = site_named(argument()), argument()
  if tonumber(pace) > 0 then
    call('HSET', K.pace, site, pace)
  else
    call('HDEL', K.pace, site)
  end
  touch(site)
end
