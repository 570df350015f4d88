-- What is counted: requests that are not done, and pages against the limits on their number.
--
-- A page has a place of its site and one of the crawl as long as its request is not done, and for
-- good if it has its record by then. A redirect or a retry is another request, which is added before
-- the first is done; so the place goes with it. A request that waits for a place is in 'waits' as
--   budget (4 bytes: a site, or CRAWL), number (6), limit of its site (4), request

local PAGE, WRITTEN, KEY = 'page', struct.pack('>I2', 7) .. 'written', 8 -- as in page_limits.py
local CRAWL = '\0\0\0\0' -- sites are numbered from 1
local MOST_OF_CRAWL, MOST_OF_SITE, MOST_WAITS = 10000, 1000, 500000
local STEPS = 200 -- requests that get a place of the crawl in one exchange

local crawl_limit = nil   -- nil: the worker does not know it
local bumped = {}         -- changes of 'counts' by field
local places = {}         -- of the sites that were looked at
local places_changed = {}
local freed = {}          -- how many places of each site pages have left
local written = 0         -- how many pages got their record

local function places_of(site)
  if not places[site] then
    places[site] = tonumber(call('HGET', K.places, site) or 0)
  end
  return places[site]
end

local function count_page(site, change)
  places[site], places[CRAWL] = places_of(site) + change, places_of(CRAWL) + change
  places_changed[site], places_changed[CRAWL] = true, true
  if change < 0 then
    freed[site] = (freed[site] or 0) - change
  end
end

-- Count a request of some kind, or no longer.
local function bump(request, change)
  local length = string.byte(request, 24)
  if length > 0 then
    local site = site_of(request)
    local field = string.sub(request, 24, 24 + length) .. site
    bumped[field] = (bumped[field] or 0) + change
    if string.sub(field, 2, 1 + length) == PAGE then
      count_page(site, change)
    end
  end
end

local function add_notes(notes)
  for _, note in ipairs(notes) do
    local is_new = call('ZADD', K.notes, 'NX', call('ZCARD', K.notes) + 1, note) == 1
    if is_new and string.sub(note, 1, #WRITTEN) == WRITTEN then
      written = written + 1
      count_page(site_named(string.sub(note, #WRITTEN + KEY + 1)), 1)
    end
  end
end

local function write_counts()
  for field, change in pairs(bumped) do
    if change ~= 0 then
      if call('HINCRBY', K.counts, field, change) == 0 then
        call('HDEL', K.counts, field)
      end
      call('ZADD', K.changed, call('HINCRBY', K.about, 'changes', 1), field)
    end
  end
  for site in pairs(places_changed) do
    if places[site] > 0 then
      call('HSET', K.places, site, places[site])
    else
      call('HDEL', K.places, site)
    end
  end
  if written > 0 then
    call('HINCRBY', K.about, 'written', written)
  end
end

-- Add a request that has its place.
local function begin(request)
  bump(request, 1)
  local moment = struct.unpack('>I7', string.sub(request, 11, 17))
  if moment > now then
    call('ZADD', K.later, moment, request)
  else
    call('ZADD', K.queue, 0, request)
    touch(site_of(request))
  end
end

-- Return what has no place for a page of a site: the site, CRAWL or nothing.
local function full(site, limit)
  if places_of(site) >= limit then
    return site
  elseif crawl_limit and places_of(CRAWL) >= crawl_limit then
    return CRAWL
  end
end

local function count_waits(budget)
  return call('ZLEXCOUNT', K.waits, '[' .. budget, '(' .. budget .. '\255')
end

-- Have a request wait; return false if too many do.
local function wait_for_place(budget, limit, request)
  if count_waits(budget) >= (budget == CRAWL and MOST_OF_CRAWL or MOST_OF_SITE)
    or call('ZCARD', K.waits) >= MOST_WAITS then
    return false
  end
  local number = call('HINCRBY', K.about, 'waits', 1)
  call('ZADD', K.waits, 0, budget .. struct.pack('>I6>I4', number, limit) .. request)
  return true
end

-- Let the request that has waited longest leave the *budget*; return it, and the limit of its site.
-- Nothing where none waits, or *may_leave* returns false.
local function leave(budget, may_leave)
  local first = call('ZRANGEBYLEX', K.waits, '[' .. budget, '(' .. budget .. '\255', 'LIMIT', 0, 1)[1]
  if not first then
    return nil
  end
  local limit, request = struct.unpack('>I4', string.sub(first, 11, 14)), string.sub(first, 15)
  if not may_leave(site_of(request), limit) then
    return nil
  end
  call('ZREM', K.waits, first)
  return request, limit
end

-- Give the places that there are to those that wait: first to those that have one of their site.
local function give_places()
  if not crawl_limit or call('EXISTS', K.waits) == 0 then
    return
  end
  for _ = 1, STEPS do
    local request, limit = leave(CRAWL, function() return places_of(CRAWL) < crawl_limit end)
    if not request then
      break
    elseif places_of(site_of(request)) >= limit then
      wait_for_place(site_of(request), limit, request)
    else
      begin(request)
    end
  end
  for site, number in pairs(freed) do
    for _ = 1, number do
      local request, limit = leave(site, function(_, most) return places_of(site) < most end)
      if not request then
        break
      elseif places_of(CRAWL) >= crawl_limit then
        wait_for_place(CRAWL, limit, request)
      else
        begin(request)
      end
    end
  end
end
