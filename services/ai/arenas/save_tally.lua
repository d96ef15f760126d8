-- Keeps a tally in place of the results that it has counted, unless another has counted them.
-- KEYS: meta results tally
-- ARGV: counted-before counted tally
-- Gives the status, which is over once every game is counted; '' when another was first.
if redis.call('HGET', KEYS[1], 'counted') ~= ARGV[1] then
  return ''
end
redis.call('LTRIM', KEYS[2], ARGV[2] - ARGV[1], -1)
redis.call('SET', KEYS[3], ARGV[3])
redis.call('HSET', KEYS[1], 'counted', ARGV[2])
if redis.call('HGET', KEYS[1], 'games') == ARGV[2] and redis.call('HGET', KEYS[1], 'status') == 'running' then
  redis.call('HSET', KEYS[1], 'status', 'over')
end
return redis.call('HGET', KEYS[1], 'status')
