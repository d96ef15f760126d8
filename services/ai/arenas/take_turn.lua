-- Gives the open arena that has waited longest for its turn, and lets all others go before it the next time.
-- KEYS: open
-- ARGV: now
local first = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
if first then
  redis.call('ZADD', KEYS[1], ARGV[1], first)
end
return first
