-- Hands out what is due on one shard and puts each member back for its next attempt, so that nothing is lost with the caller.
-- KEYS: agenda attempts
-- ARGV: now limit (purpose first-delay longest-delay)...
-- Gives {member, attempt, member, attempt, ...}; the delay doubles with every attempt. A purpose without a pace is left
-- to a dispatcher that knows it.
local now = tonumber(ARGV[1])
local pace = {}
for i = 3, #ARGV, 3 do
  pace[ARGV[i]] = {tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])}
end
local claimed = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[2])) do
  local delays = pace[string.match(member, '^%a+')]
  if delays then
    local attempt = redis.call('HINCRBY', KEYS[2], member, 1)
    redis.call('ZADD', KEYS[1], now + math.min(delays[1] * 2 ^ (attempt - 1), delays[2]), member)
    claimed[#claimed + 1] = member
    claimed[#claimed + 1] = attempt
  end
end
return claimed
