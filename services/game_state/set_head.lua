-- Replaces the head by one folded from the log, unless the log has grown meanwhile.
-- KEYS: log head
-- ARGV: version state live|over
-- Gives 1 when replaced.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('HSET', KEYS[2], 'version', ARGV[1], 'state', ARGV[2], 'phase', ARGV[3])
return 1
