import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { recentDirectory } from "#test/commands/lakes.ts";
import { type Process, startServe } from "#test/commands/process.ts";
import { freePort } from "#test/support/free-port.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(120_000);

const HAPROXY = optionalTool("haproxy", "the rolling restart");
const WRK = optionalTool("wrk", "the rolling restart");

const CONFIGURATION = join(import.meta.dir, "../../deploy/haproxy.cfg");

/** The market is open, and yesterday's rates are in the lake. */
const NOW = "2026-04-14T12:00:00Z";

const statusOf = (url: string) =>
  fetch(`${url}/status`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => null,
  );

describe.skipIf(HAPROXY === null || WRK === null)("two replicas behind a balancer", () => {
  test("are restarted one after the other, and no request under way or to come is lost", async () => {
    const dataDir = await recentDirectory();
    const ports = [freePort(), freePort()];
    const [front, statistics] = [freePort(), freePort()];
    const replica = async (port: number): Promise<Process> => {
      const settings = {
        ...{ DATA_DIR: dataDir, ROLE: "api", LIVE_FEED: "off", OFFICIAL_TABLES: "off", NOW },
        // The balancer asks for the status every half second.
        SHUTDOWN_DELAY_SECONDS: "2",
      };
      const one = await startServe({ ...settings, PORT: String(port), HOST: "127.0.0.1" });
      await until("it is ready", async () => (await statusOf(one.url)) === 200);
      return one;
    };
    let replicas = await Promise.all(ports.map(replica));

    const text = (await Bun.file(CONFIGURATION).text())
      .replace("bind :8080", `bind 127.0.0.1:${front}`)
      .replace("bind 127.0.0.1:8404", `bind 127.0.0.1:${statistics}`)
      .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
      .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`);
    const path = join(temporaryDirectory(), "haproxy.cfg");
    await Bun.write(path, text);
    const balancer = Bun.spawn([HAPROXY ?? "", "-f", path, "-db"], { stdout: "ignore", stderr: "ignore" });
    const url = `http://127.0.0.1:${front}`;
    const used = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${statistics}/stats;csv`).catch(() => null);
      return ((await answer?.text()) ?? "").match(/^replicas,(one|two),.*,UP,/gm)?.length ?? 0;
    };
    await until("the balancer uses both", async () => (await used()) === 2);

    const load = Bun.spawn([WRK ?? "", "-t1", "-c16", "-d60s", `${url}/v1/latest`], { stdout: "pipe" });
    const restarted: Process[] = [];
    for (const [index, one] of replicas.entries()) {
      const ending = one.end("SIGTERM");
      await until("it says that it ends", async () => (await statusOf(one.url)) === 503);
      // It still answers those that the balancer sends to it.
      expect((await fetch(`${one.url}/v1/latest`)).status).toBe(200);
      expect(await ending).toBe(0);
      restarted.push(await replica(ports[index] as number));
      await until("the balancer uses both again", async () => (await used()) === 2);
    }
    replicas = restarted;
    // It prints what it has seen so far.
    load.kill("SIGINT");
    const report = await new Response(load.stdout).text();
    balancer.kill();
    await Promise.all([...replicas.map((one) => one.end()), balancer.exited, load.exited]);
    expect(Number(/(\d+) requests in/.exec(report)?.[1])).toBeGreaterThan(1_000);
    expect(report).not.toContain("Non-2xx");
    expect(report).not.toContain("Socket errors");
  });
});
