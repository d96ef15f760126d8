-- Appends one commit to a game, or says why not. Everything below happens together or not at all.
-- KEYS: log head answers agenda attempts live feed
-- ARGV: game shard version decision answer commit state live|over wake-channel number-of-done done... (member due)...
--   version   the version of the new commit; it follows the version the caller has decided on
--   decision  '' for a commit that answers none
--   answer    "version:kind:digest", the digest being that of the canonical move
-- Gives {outcome, version}: appended | answered (same move before) | conflict (another move before) | stale (log has moved)
local log, head, answers, agenda, attempts, live, feed = unpack(KEYS)
local game, shard, version, decision, answer = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

if decision ~= '' then
  local given = redis.call('HGET', answers, decision)
  if given then
    local is_same = string.match(given, '[^:]*$') == string.match(answer, '[^:]*$')
    return {is_same and 'answered' or 'conflict', tonumber(string.match(given, '^%d+'))}
  end
end

local length = redis.call('XLEN', log)
if length ~= version - 1 then
  return {'stale', length}
end

redis.call('XADD', log, version .. '-0', 'commit', ARGV[6])
redis.call('HSET', head, 'version', version, 'state', ARGV[7], 'phase', ARGV[8])
if decision ~= '' then
  redis.call('HSET', answers, decision, answer)
end
redis.call(ARGV[8] == 'live' and 'SADD' or 'SREM', live, game)

local first_due = 11 + tonumber(ARGV[10])
for i = 11, first_due - 1 do
  redis.call('ZREM', agenda, ARGV[i])
  redis.call('HDEL', attempts, ARGV[i])
end
for i = first_due, #ARGV, 2 do
  redis.call('ZADD', agenda, 'NX', ARGV[i + 1], ARGV[i])
end

redis.call('XADD', feed, 'MAXLEN', '~', 1000, '*', 'game', game, 'version', version)
redis.call('PUBLISH', ARGV[9], shard)
return {'appended', version}
