-- Keeps the result of a game, the first one there is, whoever brings it.
-- KEYS: meta leases losses aside holders positions finished results records
-- ARGV: game result record ('' for none)
-- Gives kept | known (it had a result) | closed (the arena does not run any more)
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return 'closed'
end
if redis.call('SETBIT', KEYS[7], ARGV[1], 1) == 1 then
  return 'known'
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('LREM', KEYS[4], 1, ARGV[1])
redis.call('HDEL', KEYS[5], ARGV[1])
redis.call('HDEL', KEYS[6], ARGV[1])
redis.call('HINCRBY', KEYS[1], 'done', 1)
redis.call('RPUSH', KEYS[8], ARGV[2])
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[9], ARGV[1], ARGV[3])
end
return 'kept'
