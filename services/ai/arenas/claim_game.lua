-- Hands out the next game of an arena: one whose lease has run out, one put aside, or the next not begun.
-- KEYS: meta leases losses aside holders positions
-- ARGV: now until holder
-- Gives {game, how often it was lost since it was last put aside, position or ''}; {} when there is nothing to play now.
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then
  return {}
end
local losses = 0
local game = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, 1)[1]
if game then
  losses = redis.call('HINCRBY', KEYS[3], game, 1)
else
  game = redis.call('LPOP', KEYS[4])
end
if not game then
  local next = tonumber(redis.call('HGET', KEYS[1], 'next'))
  if next == tonumber(redis.call('HGET', KEYS[1], 'games')) then
    return {}
  end
  redis.call('HSET', KEYS[1], 'next', next + 1)
  game = tostring(next)
end
redis.call('ZADD', KEYS[2], ARGV[2], game)
redis.call('HSET', KEYS[5], game, ARGV[3])
return {tonumber(game), losses, redis.call('HGET', KEYS[6], game) or ''}
