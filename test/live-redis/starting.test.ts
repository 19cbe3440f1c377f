/** Two replicas on one Redis: in step, and started while it is empty, absent, locked or something else: from the archive, with a true /status. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { later as realLater } from "#assembly/process.ts";
import { openRedisHotBook } from "#store/redis/hot-book/hot-book.ts";
import { broken } from "#test/demo/broken-transport.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import {
  eventually,
  liveRatesOf,
  newestOf,
  untilDegraded,
  untilInStep,
  untilReady,
  untilServes,
} from "./agreement.ts";
import { type Installation, openInstallation } from "./installation.ts";
import type { ReplicaProcess } from "./replica-process.ts";
import { startWitness } from "./witness.ts";

const program = optionalTool("redis-server", "replicas that start without their Redis");
const FEED = "/api.massive.com";

describe.skipIf(program === null)("starting", () => {
  let installation: Installation;
  let redis: Installation["redis"];
  beforeAll(async () => {
    installation = await openInstallation(program ?? "");
    redis = installation.redis;
    await redis.start();
  });
  afterAll(() => installation.end());

  const bookKey = async () => String(await redis.ask("KEYS", "{crossrate}:book:*"));

  /** The body without the time of serving, and the validator. */
  async function contentOf(replica: ReplicaProcess) {
    const answer = await replica.latest();
    const { timestamp, ...content } = await answer.json();
    expect(answer.status).toBe(200);
    expect(timestamp).not.toBe("");
    return { content, etag: answer.headers.get("etag") };
  }

  /** Something that a replica has taken in since: the other one has it as well once Redis is there. */
  async function newsOf(replica: ReplicaProcess): Promise<number> {
    await untilServes(replica, (await newestOf(replica)) + 1);
    return await newestOf(replica);
  }

  let first: readonly [ReplicaProcess, ReplicaProcess];

  test("the one that only answers serves each new quote at the same rates; while Redis is killed and back empty both answer without a break", async () => {
    first = await Promise.all([installation.collecting(), installation.answering()]);
    const [a, b] = first;
    await untilInStep(first);
    const witness = startWitness(first);
    for (let round = 0; round < 2; round++) await untilServes(b, await newsOf(a));
    const [one, other] = await eventually(
      "both answered between two collections",
      () => Promise.all([liveRatesOf(a), liveRatesOf(b)]),
      ([ofA, ofB]) => ofA.get("EUR")?.effectiveAt === ofB.get("EUR")?.effectiveAt,
    );
    expect(other).toEqual(one);
    expect(one.size).toBe(19);
    expect(installation.unwanted()).toEqual([]);

    await redis.kill();
    for (const replica of first) expect((await untilDegraded(replica)).status).toBe("degraded");
    const newest = await newsOf(a);
    expect(await newestOf(b)).toBeLessThan(newest);
    await redis.start();
    await untilInStep(first);
    await untilServes(b, newest);
    expect(await redis.ask("GET", await bookKey())).toContain("USD/JPY");
    await witness.stop();
    // Each answer is a 200, no quote goes back, and one quote has one rate everywhere.
    expect(witness.broken).toEqual([]);
    expect([...witness.statuses.keys()]).toEqual([200]);
  });

  test("another installation on it by mistake has none of its quotes, with a lake of its own or none yet", async () => {
    for (const DATA_DIR of [temporaryDirectory(), await dataDirectory()]) {
      const other = await installation.answering({ DATA_DIR });
      await Bun.sleep(1500);
      const { sources } = (await (await other.latest()).json()) as Record<string, object>;
      expect(Object.values(sources ?? {})).not.toContain("live");
      await other.end();
    }
  });

  test("after everything was down and Redis lost all, both serve what the archive has, digit for digit", async () => {
    // From here on the feed sends nothing new, so that the archive's newest quote is the newest of all.
    installation.simulator.misbehave(FEED, broken.status(503));
    const [a, b] = first;
    // A poll that was under way has been taken in, too.
    await eventually(
      "the feed has failed",
      a.status,
      ({ checks }) => checks.live_data.feeds[0]?.outcome === "failed",
    );
    await untilServes(b, await newestOf(a));
    const before = await contentOf(a);
    for (const replica of first) expect(await replica.end()).toBe(0);
    await redis.ask("FLUSHALL");

    const again = await Promise.all([installation.collecting(), installation.answering()]);
    await Promise.all(again.map(untilReady));
    for (const replica of again) expect(await contentOf(replica)).toEqual(before);
    expect(await redis.ask("GET", await bookKey())).toContain("USD/JPY");
    for (const replica of again) await replica.end();
    installation.simulator.behave(FEED);
  });

  test("while Redis loads its file it starts at once and reports it, and is ready when that is over", async () => {
    await redis.ask(
      "EVAL",
      "for i = 1, 16000 do redis.call('SET', 'other:' .. i, string.rep('x', 50)) end",
      "0",
    );
    await redis.ask("SAVE");
    const [, directory = ""] = (await redis.ask("CONFIG", "GET", "dir")) as readonly string[];
    await redis.kill();
    const place = ["--bind", "127.0.0.1", "--port", String(redis.port), "--dir", directory, "--save", ""];
    // Microseconds a key: two seconds or so in all.
    const slowly = ["--key-load-delay", "100", "--loading-process-events-interval-bytes", "1024"];
    const loading = Bun.spawn([program ?? "", ...place, ...slowly], { stdout: "ignore", stderr: "ignore" });
    const replica = await installation.answering();
    await untilDegraded(replica, /LOADING/);
    expect((await liveRatesOf(replica)).size).toBe(19);
    await untilReady(replica);
    await replica.end();
    loading.kill("SIGKILL");
    await loading.exited;
    await rm(join(directory, "dump.rdb"));
    await redis.start();
  });

  describe("what is no Redis for us", () => {
    const SECRET = "correct-horse-battery";
    const listener = (open: (socket: Bun.Socket) => void) =>
      Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open, data() {}, error() {} } });
    // The process starts with any of them as it does with the wrong password, below.
    test.each<
      [string, () => { readonly port?: number | undefined; stop(isAtOnce: boolean): unknown }, RegExp]
    >([
      [
        "a web server",
        () => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("hello") }),
        /RESP|EPIPE|ECONNRESET|closed/,
      ],
      ["one that takes connections and says nothing", () => listener(() => {}), /time(d )?out/i],
      [
        "one that says nonsense",
        () => listener((socket) => void socket.write("nonsense\r\n$-7\r\n".repeat(50))),
        /RESP|protocol/i,
      ],
      ["one that closes at once", () => listener((socket) => void socket.end()), /EPIPE|ECONNRESET|closed/],
    ])("%s is reported with its reason", async (_, open, reason) => {
      const other = open();
      await expectReason(`redis://:${SECRET}@127.0.0.1:${other.port}`, reason);
      other.stop(true);
    });

    test("so is an unknown name, and encryption that the other side does not speak", async () => {
      await expectReason(`redis://:${SECRET}@nobody.invalid:6379`, /nobody\.invalid/);
      await expectReason(
        `rediss://:${SECRET}@127.0.0.1:${redis.port}`,
        /ETIMEDOUT|ECONNRESET|EPROTO|SSL|TLS/,
      );
    });

    async function expectReason(url: string, reason: RegExp): Promise<void> {
      const emitted: string[] = [];
      const book = await openRedisHotBook({
        url,
        clock: { now: () => performance.now() },
        emit: (event) => emitted.push(JSON.stringify(event)),
        later: realLater,
      });
      await until("the reason is known", () => reason.test(book.state().detail ?? ""));
      expect(book.state()).toMatchObject({ status: "degraded", lastSeenAt: null });
      expect(book.state().detail + emitted.join()).not.toContain(SECRET);
      // However often it tries, one line.
      expect(emitted.filter((line) => line.includes('"redis_unavailable"'))).toHaveLength(1);
      await book.close();
    }

    test("a wrong password, or none where one is needed; collection continues", async () => {
      await redis.ask("CONFIG", "SET", "requirepass", "another");
      try {
        await expectReason(redis.url.replace("//", `//:${SECRET}@`), /WRONGPASS/);
        const replica = await installation.collecting();
        await untilServes(replica, (await newestOf(replica)) + 1);
        expect((await untilDegraded(replica, /NOAUTH/)).status).toBe("degraded");
        expect((await liveRatesOf(replica)).size).toBe(19);
        expect(await replica.end()).toBe(0);
        // However often it tries, one line; and whatever is written is a line of the log, or progress, or that the end takes a while.
        expect(replica.log().filter((line) => line.includes('"redis_unavailable"'))).toHaveLength(1);
        expect(replica.log().filter((line) => !/^\{| \d+ %$|^finishing running requests/.test(line))).toEqual(
          [],
        );
      } finally {
        await redis.kill();
        await redis.start();
      }
    });

    test("a password where none is needed: it works, and the log is not filled", async () => {
      const replica = await installation.answering({ REDIS_URL: redis.url.replace("//", `//:${SECRET}@`) });
      for (let round = 0; round < 2; round++) {
        await redis.ask("CLIENT", "KILL", "TYPE", "normal");
        await eventually(
          "the connection is back",
          async () => String(await redis.ask("CLIENT", "LIST")).match(/name=crossrate-book/g)?.length,
          (count) => count === 1,
        );
      }
      await untilReady(replica);
      expect(replica.log().filter((line) => !line.startsWith("{"))).toEqual([]);
      await replica.end();
    });
  });
});
