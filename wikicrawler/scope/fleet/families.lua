-- Families of URLs of one crawl, as families_store.py asks for them. A place is one hash: pages since
-- the last one that said something new (idle), and the same of each family, with how many did (i and
-- g, followed by its name). What a place has said is in two bit strings, words: and phrases:, by the
-- last bits of the hashes; where they have bits in common, a word counts as known that is new.
-- "places" and "texts" have the places by the number of their last page, "count" that number.

local call = redis.call
local PREFIX = KEYS[1]
local PLACES, TEXTS, COUNT = PREFIX .. 'places', PREFIX .. 'texts', PREFIX .. 'count'
local MOST_PLACES, MOST_TEXTS = 20000, 64 -- the texts have 64 KiB each at most
local MOST_FIELDS = 1200                  -- of a place: families with other names do not count
local BITS = 262144
local STEP = 500                          -- bits in one command

local ttl, new_phrases = tonumber(ARGV[1]), tonumber(ARGV[2])

-- Remember packed hashes; return how many were new.
local function add(key, packed)
  local new = 0
  for first = 1, #packed, 4 * STEP do
    local command = {}
    for at = first, math.min(#packed, first + 4 * STEP - 1), 4 do
      local bit = struct.unpack('<I4', packed, at) % BITS
      command[#command + 1] = 'SET'
      command[#command + 1] = 'u1'
      command[#command + 1] = bit
      command[#command + 1] = 1
    end
    for _, was in ipairs(call('BITFIELD', key, unpack(command))) do
      new = new + 1 - was
    end
  end
  if #packed > 0 then
    call('EXPIRE', key, ttl)
  end
  return new
end

-- Note that a place is used, and forget those that were not for longest.
local function use(key, place, most, forget)
  call('ZADD', key, call('INCR', COUNT), place)
  call('EXPIRE', key, ttl)
  while call('ZCARD', key) > most do
    forget(call('ZPOPMIN', key)[1])
  end
end

local function forget_text(place)
  call('UNLINK', PREFIX .. 'words:' .. place, PREFIX .. 'phrases:' .. place)
end

local function forget_place(place)
  call('UNLINK', PREFIX .. 'place:' .. place)
end

-- Each page: place, family, whether it leads on; for how many words each hash stands, the hashes;
-- the same of phrases. The reply has of each: good pages, idle ones, and idle ones of the place.
local replies = {}
for at = 3, #ARGV, 7 do
  local place, family, leads_on = ARGV[at], ARGV[at + 1], ARGV[at + 2] == '1'
  local key = PREFIX .. 'place:' .. place
  use(PLACES, place, MOST_PLACES, forget_place)
  use(TEXTS, place, MOST_TEXTS, forget_text)
  -- Both, so that both are remembered.
  local words = add(PREFIX .. 'words:' .. place, ARGV[at + 4]) * tonumber(ARGV[at + 3])
  local phrases = add(PREFIX .. 'phrases:' .. place, ARGV[at + 6]) * tonumber(ARGV[at + 5])
  local idle, good = 'i' .. family, 'g' .. family
  if call('HEXISTS', key, idle) == 0 and call('HLEN', key) >= MOST_FIELDS then
    table.insert(replies, {0, 0, 0})
  else
    if leads_on or words > 0 or phrases >= new_phrases then
      call('HSET', key, 'idle', 0, idle, 0)
      call('HINCRBY', key, good, 1)
    else
      call('HINCRBY', key, 'idle', 1)
      call('HINCRBY', key, idle, 1)
    end
    call('EXPIRE', key, ttl)
    local found = call('HMGET', key, good, idle, 'idle')
    table.insert(replies, {tonumber(found[1] or 0), tonumber(found[2]), tonumber(found[3])})
  end
end
call('EXPIRE', COUNT, ttl)
return replies
