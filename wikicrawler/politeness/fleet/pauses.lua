-- What the workers know of sites that block every tier, as pauses_store.py asks for it. A site is one
-- hash: pages that were blocked in a row (pages), those of them that were recognised as blocks
-- (recognised), the number of pauses in a row (level), and the end of the last one (ends). "changed"
-- has the sites by the number of their last change, "count" the number of changes. Times are in us,
-- on the clock of Redis.

local call = redis.call
local PREFIX = KEYS[1]
local CHANGED, COUNT = PREFIX .. 'changed', PREFIX .. 'count'
local KEPT = 86400 -- s for which a site is remembered after its last change, and after its pause
local MOST = 100000 -- sites

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

local function key_of(site)
  return PREFIX .. 'site:' .. site
end

local known = number_argument()

-- What was learned: site, blocked pages, recognised ones, level and length of a pause that begins (0:
-- none), whether nothing of the site counts any more.
for _ = 1, number_argument() do
  local site, pages, recognised = argument(), number_argument(), number_argument()
  local level, pause, is_over = number_argument(), number_argument(), argument()
  local key = key_of(site)
  if is_over == '1' then
    call('DEL', key)
  elseif pause > 0 then
    -- Two workers may find at the same time that it blocks: that is one pause.
    local old = call('HMGET', key, 'level', 'ends')
    level = math.max(level, tonumber(old[1] or 0))
    local ends = math.max(now + pause, tonumber(old[2] or 0))
    call('HSET', key, 'pages', 0, 'recognised', 0, 'level', level, 'ends', ends)
    call('PEXPIRE', key, math.ceil((ends - now) / 1000) + KEPT * 1000)
  elseif tonumber(call('HGET', key, 'ends') or 0) <= now then -- else it was on its way
    call('HINCRBY', key, 'pages', pages)
    call('HINCRBY', key, 'recognised', recognised)
    if call('TTL', key) < KEPT then
      call('EXPIRE', key, KEPT)
    end
  end
  call('ZADD', CHANGED, call('INCR', COUNT), site)
  call('ZREMRANGEBYRANK', CHANGED, 0, -MOST - 1)
  call('EXPIRE', CHANGED, 3 * KEPT)
  call('EXPIRE', COUNT, 3 * KEPT)
end

-- What has changed since the change that the worker knows of; all if Redis has begun anew. The reply
-- has the number of the last change that it tells, and of each site pages, recognised ones, level
-- and time until the end of the pause.
if known > tonumber(call('GET', COUNT) or 0) then
  known = 0
end
local changed = call('ZRANGEBYSCORE', CHANGED, '(' .. string.format('%.0f', known), '+inf',
                     'WITHSCORES', 'LIMIT', 0, number_argument())
local replies = {known}
for index = 1, #changed, 2 do
  replies[1] = tonumber(changed[index + 1])
  local found = call('HMGET', key_of(changed[index]), 'pages', 'recognised', 'level', 'ends')
  table.insert(replies, {changed[index], tonumber(found[1] or 0), tonumber(found[2] or 0),
                         tonumber(found[3] or 0), math.max(0, (found[4] or 0) - now)})
end
return replies
