-- Ends the holding of a decision: it is free again, or due for the fallback at once when it was aborted before.
-- KEYS: held work agenda feed
-- ARGV: decision nonce now work work-member deadline-member free-until game bot wake-channel shard
-- Gives 1, or 0 if it was not held under this nonce any more.
local nonce, until_, aborts = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^(%x+):(%d+):(%d+)$')
if nonce ~= ARGV[2] or tonumber(until_) < tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], nonce .. ':0:' .. (aborts + 1))
if redis.call('ZSCORE', KEYS[3], ARGV[5]) then  -- else it is answered
  if tonumber(aborts) == 0 then
    local deadline = tonumber(redis.call('ZSCORE', KEYS[3], ARGV[6]) or 'inf')
    local free_until = math.min(tonumber(ARGV[7]), deadline)
    redis.call('ZADD', KEYS[3], free_until, ARGV[5])
    redis.call('ZADD', KEYS[2], free_until, ARGV[4])
    redis.call('XADD', KEYS[4], 'MAXLEN', '~', 1000, '*', 'game', ARGV[8], 'bots', ARGV[9])
  else
    redis.call('ZADD', KEYS[3], ARGV[3], ARGV[5])
    redis.call('PUBLISH', ARGV[10], ARGV[11])
  end
end
return 1
