-- Gives free work to one worker for a while, after which the agenda asks the fallback.
-- KEYS: work held agenda attempts
-- ARGV: work decision now until nonce work-member deadline-member
-- Gives the time until when, which is not later than the deadline; 0 if the work is not free.
local free_until = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not free_until or tonumber(free_until) <= tonumber(ARGV[3]) or redis.call('HEXISTS', KEYS[4], ARGV[6]) == 1 then
  return 0
end
local deadline = tonumber(redis.call('ZSCORE', KEYS[3], ARGV[7]) or 'inf')
local until_ = math.min(tonumber(ARGV[4]), deadline)
local _, _, aborts = string.find(redis.call('HGET', KEYS[2], ARGV[2]) or '::0', ':(%d+)$')
redis.call('HSET', KEYS[2], ARGV[2], string.format('%s:%d:%s', ARGV[5], until_, aborts))
redis.call('ZADD', KEYS[3], 'XX', until_, ARGV[6])
redis.call('ZREM', KEYS[1], ARGV[1])
return until_
