-- Puts right which decisions of a game wait for an answer, unless its log has grown meanwhile.
-- KEYS: log waiting
-- ARGV: version number-of-answered answered-member... (open-member opened-at)...
-- Gives how many entries were wrong.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
local wrong = 0
local first_open = 3 + tonumber(ARGV[2])
for i = 3, first_open - 1 do
  wrong = wrong + redis.call('ZREM', KEYS[2], ARGV[i])
end
for i = first_open, #ARGV, 2 do
  wrong = wrong + redis.call('ZADD', KEYS[2], 'NX', ARGV[i + 1], ARGV[i])
end
return wrong
