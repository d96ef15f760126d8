-- Puts a game aside for whoever claims next; not when its holder has lost it.
-- KEYS: leases losses aside holders positions
-- ARGV: game holder position
-- Gives 1, or 0 when another holds the game by now or it is over.
if redis.call('HGET', KEYS[4], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
redis.call('HSET', KEYS[5], ARGV[1], ARGV[3])
redis.call('LPUSH', KEYS[3], ARGV[1])
return 1
