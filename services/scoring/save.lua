-- Keeps a projection unless one as late is there: two tasks may have read the same commits at once.
-- KEYS: projection. ARGV: version, position. Gives 1 if it was kept.
if tonumber(redis.call('HGET', KEYS[1], 'version') or '0') >= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'position', ARGV[2])
return 1
