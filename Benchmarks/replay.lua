-- wrk's side of a load: which requests it sends, and one line about what came of them.
--
-- REPLAY, in the environment, is a file of whole requests that are sent in turn, separated by zero bytes; without it
-- wrk sends the one request of its command line. Each run of # in a request becomes a number of as many digits, which
-- is different for every request: REPLAY_FIRST, and on from there.

local path = os.getenv("REPLAY")

if path then
  local requests = {}
  local file = assert(io.open(path, "rb"))
  for text in file:read("*a"):gmatch("[^%z]+") do
    requests[#requests + 1] = { text = text, isTemplate = text:find("##", 1, true) ~= nil }
  end
  file:close()

  local number = tonumber(os.getenv("REPLAY_FIRST") or "0")
  local index = 0

  function request()
    index = index % #requests + 1
    local chosen = requests[index]
    if not chosen.isTemplate then return chosen.text end
    number = number + 1
    return (chosen.text:gsub("##+", function(mark) return string.format("%0" .. #mark .. "d", number) end))
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "RESULT requests=%d microseconds=%d refused=%d broken=%d p50=%d p99=%d max=%d\n",
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
