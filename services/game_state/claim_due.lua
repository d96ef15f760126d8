-- Hands out what is due on one shard and puts each member back for its next attempt, so that nothing is lost with the caller.
-- KEYS: agenda attempts
-- ARGV: now limit (purpose first-delay longest-delay most)...
-- Gives {member, attempt, delay, member, attempt, delay, ...}; the delay doubles with every attempt. What a purpose has
-- beyond its most stays due, uncounted; so does a purpose that is not named, for a dispatcher that knows it.
local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
local purposes = {}
for i = 3, #ARGV, 4 do
  purposes[ARGV[i]] = {first = tonumber(ARGV[i + 1]), longest = tonumber(ARGV[i + 2]), left = tonumber(ARGV[i + 3])}
end
local claimed = {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  local purpose = purposes[string.match(member, '^%a+')]
  if purpose and purpose.left > 0 and limit > 0 then
    local attempt = redis.call('HINCRBY', KEYS[2], member, 1)
    local delay = math.min(purpose.first * 2 ^ (attempt - 1), purpose.longest)
    redis.call('ZADD', KEYS[1], now + delay, member)
    purpose.left = purpose.left - 1
    limit = limit - 1
    claimed[#claimed + 1] = member
    claimed[#claimed + 1] = attempt
    claimed[#claimed + 1] = delay
  end
end
return claimed
