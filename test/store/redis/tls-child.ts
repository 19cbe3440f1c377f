/** A process that trusts an authority by its environment: prints the state of a hot book once it is shared, or the fault of a probe. */

import { later as realLater } from "#assembly/process.ts";
import { probeRedis } from "#store/redis/connection/connection.ts";
import { openRedisHotBook } from "#store/redis/hot-book/hot-book.ts";
import { untilState } from "#test/store/hot-book/replicas.ts";
import { NOON, quote } from "#test/store/hot-book/sample.ts";

const [url = ""] = process.argv.slice(2);
try {
  await probeRedis(url);
  const book = await openRedisHotBook({ url, clock: { now: () => NOON }, emit: () => {}, later: realLater });
  await book.publish([quote("EUR", "0.9", 1)]);
  await untilState(book, "ok");
  await book.close();
  console.log("shared");
} catch (fault) {
  console.log(String(fault));
}
