-- Claims a seat for a name; the same name again raises the seat's epoch, which revokes its earlier token.
-- KEYS: meta agenda
-- ARGV: seat name start-member due
-- Gives {outcome, epoch, 1 if that filled the game}: claimed | again | seat_taken | name_taken
local meta, seat, name = KEYS[1], ARGV[1], ARGV[2]
local holder = redis.call('HGET', meta, 'name:' .. seat)
if holder == name then
  return {'again', redis.call('HINCRBY', meta, 'epoch:' .. seat, 1), 0}
end
if holder or redis.call('HEXISTS', meta, 'bot:' .. seat) == 1 then
  return {'seat_taken', 0, 0}
end
local seats = tonumber(redis.call('HGET', meta, 'seats'))
for other = 0, seats - 1 do
  if redis.call('HGET', meta, 'name:' .. other) == name then
    return {'name_taken', 0, 0}
  end
end

redis.call('HSET', meta, 'name:' .. seat, name)
redis.call('HINCRBY', meta, 'revision', 1)
local epoch = redis.call('HINCRBY', meta, 'epoch:' .. seat, 1)
local full = redis.call('HINCRBY', meta, 'taken', 1) == seats
if full then
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[3])
end
return {'claimed', epoch, full and 1 or 0}
