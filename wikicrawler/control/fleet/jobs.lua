-- The jobs in a Redis, as report_store.py adds them: KEYS[1] has them by when they were last heard
-- of, in us on the clock of Redis.

local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], tonumber(time[1]) * 1000000 + tonumber(time[2]), ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -tonumber(ARGV[3]) - 1)
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {}
