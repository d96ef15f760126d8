-- Appends one commit to a game, or says why not. Everything below happens together or not at all.
-- KEYS: log head answers agenda attempts live feed waiting-for-bots waiting-for-people work...
-- ARGV: game shard version decision answer commit state live|over wake-channel at bots number-of-done done...
--       number-opened-for-bots decision... number-opened-for-people decision... (decision free-until)... (member due)...
--   version   the version of the new commit; it follows the version the caller has decided on
--   decision  '' for a commit that answers none
--   answer    "version:kind:digest", the digest being that of the canonical move
--   bots      the external bots that get work, with a space between
--   decision free-until    for each work key; free-until is '' for one that is answered and work no more
-- Gives {outcome, version}: appended | answered (same move before) | conflict (another move before) | stale (log has moved)
-- and, if it answers a decision whose time of opening is known, that time.
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

local place = 12
local function counted()
  local first, last = place + 1, place + tonumber(ARGV[place])
  place = last + 1
  return first, last
end

local first, last = counted()
for i = first, last do
  redis.call('ZREM', agenda, ARGV[i])
  redis.call('HDEL', attempts, ARGV[i])
end
local opened
for _, waiting in ipairs({KEYS[8], KEYS[9]}) do
  opened = redis.call('ZSCORE', waiting, game .. '|' .. decision) or opened
  redis.call('ZREM', waiting, game .. '|' .. decision)
  first, last = counted()
  for i = first, last do
    redis.call('ZADD', waiting, ARGV[10], game .. '|' .. ARGV[i])
  end
end
for i = 10, #KEYS do
  local work, free_until = game .. '|' .. ARGV[place], ARGV[place + 1]
  place = place + 2
  if free_until == '' then
    redis.call('ZREM', KEYS[i], work)
  else
    redis.call('ZADD', KEYS[i], free_until, work)
  end
end
for i = place, #ARGV, 2 do
  redis.call('ZADD', agenda, 'NX', ARGV[i + 1], ARGV[i])
end

redis.call('XADD', feed, 'MAXLEN', '~', 1000, '*', 'game', game, 'version', version, 'bots', ARGV[11])
redis.call('PUBLISH', ARGV[9], shard)
return {'appended', version, opened}
