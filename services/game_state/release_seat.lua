-- Frees a seat of a game that still waits for seats; in a full game the seat keeps its name and only loses its token.
-- KEYS: meta notes
-- ARGV: seat
-- Gives freed | revoked | free (nobody held it) | bot
local meta, seat = KEYS[1], ARGV[1]
if redis.call('HEXISTS', meta, 'bot:' .. seat) == 1 then
  return 'bot'
end
if redis.call('HEXISTS', meta, 'name:' .. seat) == 0 then
  return 'free'
end
redis.call('HINCRBY', meta, 'epoch:' .. seat, 1)
if redis.call('HGET', meta, 'taken') == redis.call('HGET', meta, 'seats') then
  return 'revoked'
end
redis.call('HDEL', meta, 'name:' .. seat)
redis.call('HINCRBY', meta, 'taken', -1)
redis.call('HINCRBY', meta, 'revision', 1)
redis.call('HDEL', KEYS[2], seat)
return 'freed'
