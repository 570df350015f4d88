-- What workers say of themselves, as report_store.py asks for it. KEYS[1] is the key 'about' of the
-- crawl, whose prefix these keys have:
--   reports    HASH by worker: its last report, in JSON
--   begun      ZSET of workers by their first report, in us on the clock of Redis
--   heard      ZSET of workers by their last one
--   forgotten  STRING: how many workers are not among them any more

local call = redis.call
local prefix = string.sub(KEYS[1], 1, -#'about' - 1)
local REPORTS, BEGUN = prefix .. 'reports', prefix .. 'begun'
local HEARD, FORGOTTEN = prefix .. 'heard', prefix .. 'forgotten'

local time = call('TIME')
local now = string.format('%.0f', tonumber(time[1]) * 1000000 + tonumber(time[2]))
local worker, report, ttl, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

call('HSET', REPORTS, worker, report)
call('ZADD', BEGUN, 'NX', now, worker)
call('ZADD', HEARD, now, worker)
while call('HLEN', REPORTS) > most do
  local oldest = call('ZPOPMIN', HEARD)[1]
  if not oldest then
    break
  end
  call('HDEL', REPORTS, oldest)
  call('ZREM', BEGUN, oldest)
  call('INCR', FORGOTTEN)
end
for _, key in ipairs({REPORTS, BEGUN, HEARD, FORGOTTEN}) do
  call('EXPIRE', key, ttl)
end
return {now}
