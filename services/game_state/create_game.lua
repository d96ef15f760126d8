-- Creates a game unless it exists.
-- KEYS: meta secret agenda
-- ARGV: digest start-member due number-of-meta-values meta... secret...
--   start-member is '' while a seat is free
-- Gives created | same (exists, from the same request) | conflict (exists, from another request)
local known = redis.call('HGET', KEYS[1], 'digest')
if known then
  return known == ARGV[1] and 'same' or 'conflict'
end
local meta_end = 4 + tonumber(ARGV[4])
redis.call('HSET', KEYS[1], 'digest', ARGV[1], unpack(ARGV, 5, meta_end))
redis.call('HSET', KEYS[2], unpack(ARGV, meta_end + 1))
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
end
return 'created'
