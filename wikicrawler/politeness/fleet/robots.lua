-- The robots.txt that the workers of a Redis fetch for each other, as robots_store.py asks for it. An
-- origin (scheme and host) has a hash with what the last fetch brought, until it expires, and a claim
-- of the worker that fetches it, which lapses unless it is renewed. "stored" has the origins by the
-- time when they were stored, "sizes" their bytes and the sum of them. Times are in us, on the clock
-- of Redis.

local call = redis.call
local PREFIX = KEYS[1]
local STORED, SIZES = PREFIX .. 'stored', PREFIX .. 'sizes'
local KEPT = 86400 -- s after which everything has expired
local OVERHEAD = 500 -- bytes that an origin takes besides its body and its name
local WINDOW = 200 -- origins that are removed because they have expired, in one exchange

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

local worker, lease, most = argument(), number_argument(), number_argument()

local function claim_of(origin)
  return PREFIX .. 'claim:' .. origin
end

local function claim(origin)
  call('SET', claim_of(origin), worker, 'PX', math.ceil(lease / 1000), 'NX')
  return call('GET', claim_of(origin)) == worker
end

local function forget(origin)
  call('DEL', PREFIX .. origin)
  call('ZREM', STORED, origin)
  local size = call('HGET', SIZES, origin)
  if size then
    call('HDEL', SIZES, origin)
    call('HINCRBY', SIZES, 'all', -size)
  end
end

local function make_room()
  while tonumber(call('HGET', SIZES, 'all')) > most do
    local oldest = call('ZRANGE', STORED, 0, 0)[1]
    if not oldest then
      return
    end
    forget(oldest)
  end
end

local function store(origin, body, failure, cause, lifetime)
  forget(origin)
  local size = #body + #failure + #origin + OVERHEAD
  call('HINCRBY', SIZES, 'all', size)
  call('HSET', SIZES, origin, size)
  call('HSET', PREFIX .. origin, 'body', body, 'failure', failure, 'cause', cause, 'ended', now)
  call('PEXPIRE', PREFIX .. origin, math.ceil(lifetime / 1000))
  call('ZADD', STORED, now, origin)
  make_room()
  call('EXPIRE', STORED, KEPT)
  call('EXPIRE', SIZES, KEPT)
end

local outdated = now - KEPT * 1000000
for _, origin in ipairs(call('ZRANGEBYSCORE', STORED, '-inf', outdated, 'LIMIT', 0, WINDOW)) do
  forget(origin)
end

-- What was fetched: origin, body, failure, cause, lifetime. A worker whose claim another one has
-- taken over was silent for long: what the other one fetches is newer.
for _ = 1, number_argument() do
  local origin, body, failure, cause = argument(), argument(), argument(), argument()
  local lifetime = number_argument()
  local owner = call('GET', claim_of(origin))
  if owner == worker or (not owner and call('EXISTS', PREFIX .. origin) == 0) then
    call('DEL', claim_of(origin))
    store(origin, body, failure, cause, lifetime)
  end
end

-- Claims that are given up: origin.
for _ = 1, number_argument() do
  local key = claim_of(argument())
  if call('GET', key) == worker then
    call('DEL', key)
  end
end

-- Claims to be renewed: origin. One that has lapsed is renewed unless another worker has it.
for _ = 1, number_argument() do
  local origin = argument()
  if claim(origin) then
    call('PEXPIRE', claim_of(origin), math.ceil(lease / 1000))
  end
end

-- Origins whose robots.txt is asked for: origin, the age up to which a failure without a response
-- counts. The reply has of each: body, failure, cause, age and time left; or whether the worker is
-- to fetch it, else another one does.
local replies = {}
for _ = 1, number_argument() do
  local origin, longest = argument(), number_argument()
  local key = PREFIX .. origin
  local found = call('HMGET', key, 'body', 'failure', 'cause', 'ended')
  local age = found[1] and math.max(0, now - found[4])
  if found[1] and (found[3] == '' or age <= longest) then
    local left = math.max(0, call('PTTL', key)) * 1000
    table.insert(replies, {found[1], found[2], found[3], age, left})
  else
    table.insert(replies, {claim(origin) and 1 or 0})
  end
end
return replies
