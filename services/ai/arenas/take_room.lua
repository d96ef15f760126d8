-- Takes one of the places that an owner has for arenas that run, once for each arena.
-- KEYS: live
-- ARGV: arena most
-- Gives 1, or 0 when all are taken.
if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 0 and redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('SADD', KEYS[1], ARGV[1])
return 1
