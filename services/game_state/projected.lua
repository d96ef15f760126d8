-- Notes how far the scoring service has read a game; what it has not seen stays due.
-- KEYS: log agenda attempts
-- ARGV: version member due
-- Gives 1 when nothing is left to read.
redis.call('HDEL', KEYS[3], ARGV[2])
if tonumber(ARGV[1]) >= redis.call('XLEN', KEYS[1]) then
  redis.call('ZREM', KEYS[2], ARGV[2])
  return 1
end
redis.call('ZADD', KEYS[2], 'XX', ARGV[3], ARGV[2])
return 0
