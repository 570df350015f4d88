-- Keys, numbers and time. All keys have the prefix of KEYS[1], so that one hash tag holds them.
--
-- A request is one string, in whatever key it is:
--   site (4 bytes), rank (6), moment in us (7), number (6), length of its kind (1), kind, request
-- The first 23 bytes sort as requests are handed out, and bytes 11 to 23 name the request.

local call = redis.call
local prefix = string.sub(KEYS[1], 1, -#'about' - 1)

local K = {about = KEYS[1]}
for _, name in ipairs({
  'queue',    -- ZSET, all of score 0: requests that wait for their turn
  'later',    -- ZSET by moment: requests that wait for it
  'leases',   -- HASH by number: worker (16 bytes), request
  'ends',     -- ZSET of leases by their ends
  'ahead',    -- SET of the leases that, as far as is known, were not popped
  'aheads',   -- HASH by site: how many leases of it are in 'ahead'
  'tried',    -- SET of the leases whose requests were sent
  'again',    -- HASH by name of a request: how often it was redelivered, in quarters
  'dead',     -- HASH by name: requests that were given up
  'turns',    -- ZSET of the sites that may be served, by the number of their last turn
  'held',     -- ZSET of the sites with requests that wait for their next-allowed time, by that
  'resting',  -- ZSET: the next-allowed times of the other sites
  'pace',     -- HASH by site: us between two of its requests
  'sites',    -- HASH: the site of each name
  'names',    -- HASH: the name of each site
  'seen',     -- SET of fingerprints
  'notes',    -- ZSET of notes in the order in which they were added
  'counts',   -- HASH by kind and site: how many requests are not done
  'changed',  -- ZSET of the fields of 'counts' in the order of their last change
  'workers',  -- HASH by worker: the number of its last exchange
  'granted',  -- HASH by worker: the leases that it was given then
  'places',   -- HASH by site, and by CRAWL: how many pages have a place
  'waits',    -- ZSET, all of score 0: requests that wait for one, see 3_counts.lua
}) do
  K[name] = prefix .. name
end

local function leases_of(worker)
  return prefix .. 'leases:' .. worker
end

-- tostring() would write 1.7e+15.
local function text(number)
  return string.format('%.0f', number)
end

local now = tonumber(ARGV[3])
if not now then
  local time = call('TIME')
  now = tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local touched = {} -- sites whose state may have changed, in the order in which it did
local died = {}    -- requests that were given up

local function touch(site)
  if not touched[site] then
    touched[site] = true
    table.insert(touched, site)
  end
end

local function site_of(request)
  return string.sub(request, 1, 4)
end

local function name_of(request)
  return string.sub(request, 11, 23)
end
