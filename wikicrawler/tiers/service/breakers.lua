-- Circuit breakers of services, as breaker_store.py asks for them. A service is one hash: consecutive
-- failures (failures), the length of its last pause (pause, missing: the breaker is closed) and its
-- end (ends). Beside it is the worker that tries whether it works again (trial:). "changed" has the
-- services by the number of their last change, "count" the number of changes. Times are in us, on
-- the clock of Redis.

local call = redis.call
local PREFIX = KEYS[1]
local CHANGED, COUNT = PREFIX .. 'changed', PREFIX .. 'count'
local KEPT = 86400 -- s for which a service is remembered after its last change, and after its pause
local MOST = 1000  -- services

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

local function key_of(service)
  return PREFIX .. 'service:' .. service
end
local function trial_of(service)
  return PREFIX .. 'trial:' .. service
end

local worker = argument()

-- Whether the worker may try the service, for which it has so many ms: yes where the breaker is
-- closed meanwhile.
if argument() == 'try' then
  local service, duration = argument(), argument()
  local ends = call('HGET', key_of(service), 'ends')
  if not ends then
    return {1}
  elseif tonumber(ends) > now then
    return {0}
  end
  return {call('SET', trial_of(service), worker, 'NX', 'PX', duration) and 1 or 0}
end

local known = number_argument()

-- What was learned: service, failures, length of a pause that begins (0: none), whether it works,
-- whether a trial of this worker has ended without an outcome.
for _ = 1, number_argument() do
  local service, failures, pause = argument(), number_argument(), number_argument()
  local works, is_left = argument() == '1', argument() == '1'
  local key = key_of(service)
  if is_left then
    if call('GET', trial_of(service)) == worker then
      call('DEL', trial_of(service))
    end
  else
    local ends = tonumber(call('HGET', key, 'ends') or 0)
    if works then
      call('DEL', key, trial_of(service))
    elseif pause > 0 then
      -- Two workers may find at the same time that it fails: that is one pause.
      pause = math.max(pause, tonumber(call('HGET', key, 'pause') or 0))
      ends = math.max(now + pause, ends)
      call('HSET', key, 'pause', pause, 'ends', ends)
      call('HINCRBY', key, 'failures', 1)
      call('PEXPIRE', key, math.ceil((ends - now) / 1000) + KEPT * 1000)
      call('DEL', trial_of(service))
    elseif ends <= now then -- else it was on its way
      call('HINCRBY', key, 'failures', failures)
      if call('TTL', key) < KEPT then
        call('EXPIRE', key, KEPT)
      end
    end
    call('ZADD', CHANGED, call('INCR', COUNT), service)
    call('ZREMRANGEBYRANK', CHANGED, 0, -MOST - 1)
    call('EXPIRE', CHANGED, 3 * KEPT)
    call('EXPIRE', COUNT, 3 * KEPT)
  end
end

-- What has changed since the change that the worker knows of; all if Redis has begun anew. The reply
-- has the number of the last change that it tells, and of each service failures, length of its last
-- pause and time until the end of it.
if known > tonumber(call('GET', COUNT) or 0) then
  known = 0
end
local changed = call('ZRANGEBYSCORE', CHANGED, '(' .. string.format('%.0f', known), '+inf',
                     'WITHSCORES', 'LIMIT', 0, number_argument())
local replies = {known}
for index = 1, #changed, 2 do
  replies[1] = tonumber(changed[index + 1])
  local found = call('HMGET', key_of(changed[index]), 'failures', 'pause', 'ends')
  table.insert(replies, {changed[index], tonumber(found[1] or 0), tonumber(found[2] or 0),
                         math.max(0, (found[3] or 0) - now)})
end
return replies
