/** A replica of its own process: makes calls until it holds a lease, says so, and waits to be killed. */

import { later as realLater } from "#assembly/process.ts";
import { openRedisCounters } from "#store/redis/limits/counters.ts";
import { grant, untilLinked } from "./fixtures.ts";

const [url = "", caller = "", calls = "0"] = process.argv.slice(2);
const counters = openRedisCounters({
  url,
  // Time stands still, so that no lease ends.
  clock: { now: () => 0 },
  emit: () => {},
  monthUsed: async () => 0,
  later: realLater,
  replicas: 1,
});
await untilLinked(counters);
for (let call = 0; call < Number(calls); call++) await grant(counters, JSON.parse(caller));
console.log("ready");
