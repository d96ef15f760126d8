-- Creates an arena unless it exists.
-- KEYS: meta
-- ARGV: digest name value...
-- Gives created | same (exists, from the same request) | conflict (exists, from another request)
local known = redis.call('HGET', KEYS[1], 'digest')
if known then
  return known == ARGV[1] and 'same' or 'conflict'
end
redis.call('HSET', KEYS[1], 'digest', unpack(ARGV))
return 'created'
