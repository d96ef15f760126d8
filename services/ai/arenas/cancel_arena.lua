-- Ends an arena that runs; one that does not stays what it is.
-- KEYS: meta
if redis.call('HGET', KEYS[1], 'status') == 'running' then
  redis.call('HSET', KEYS[1], 'status', 'cancelled')
end
