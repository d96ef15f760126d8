-- Puts claimed members back as if they had not been claimed, due at the given time: an attempt that could not be sent is none.
-- KEYS: agenda attempts
-- ARGV: due member...
for i = 2, #ARGV do
  if redis.call('ZADD', KEYS[1], 'XX', 'CH', ARGV[1], ARGV[i]) == 1 then
    redis.call('HINCRBY', KEYS[2], ARGV[i], -1)
  end
end
