/**
 * `bun run bench:deliveries`: how many events a second one worker on one core signs, sends to a local receiver and notes; and
 * how long endpoints wait beside 64 that never answer. Prints tables and writes bench/deliveries-results.md. Postgres is left
 * out where it is not installed.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { Ledger } from "#ports/ledger.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { optionalPostgres, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { openFixture, personWith } from "#test/webhooks/fixture.ts";
import { pinned } from "./load.ts";
import { median } from "./median.ts";

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? "3");
const DELIVERIES = Number(process.env["BENCH_DELIVERIES"] ?? "6000");
const ENDPOINTS = [3, 50];
const HANGING = 64;
const WATCHED = 8;
/** Beside the hanging ones, one every so often, for longer than an attempt's deadline. */
const EVENTS = 40;
const EVENT_MILLISECONDS = 300;
/** As many as one account may have. */
const ENDPOINTS_EACH = 25;

type NewPlace = () => Promise<LedgerPlace>;

const lines: string[] = [];
const say = (line = "") => {
  console.log(line);
  lines.push(line);
};

const directory = await mkdtemp(join(tmpdir(), "crossrate-bench-"));
const programs = optionalPostgres("the worker on Postgres");
const postgres = programs === null ? null : await startPostgres(programs);
const engines: readonly (readonly [string, NewPlace])[] = [
  ["SQLite", async () => ({ directory: await mkdtemp(join(directory, "ledger-")) })],
  ...(postgres === null ? [] : [["Postgres", async () => ({ url: await postgres.database() })] as const]),
];
try {
  await run();
  await Bun.write(join(import.meta.dir, "deliveries-results.md"), `${lines.join("\n")}\n`);
} finally {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
}
process.exit(0);

async function run(): Promise<void> {
  say("# Deliveries of events");
  say();
  say(
    `Bun ${Bun.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}. The worker is pinned to one core; receiver and database are on the other.`,
  );
  say(
    "SQLite flushes the disk with every commit that notes attempts; this Postgres flushes nothing (fsync=off).",
  );
  say(
    `Load average at the start ${loadavg()[0]?.toFixed(1)}: other work on the machine lowers both figures, deliveries/s more. Those per second of the worker's processor leave out what the worker waits for the disk and for turns of two attempts an endpoint.`,
  );
  say();
  say(`Medians of ${ROUNDS} rounds of ${DELIVERIES} deliveries that are due when the worker starts:`);
  say();
  say("| ledger | endpoints | deliveries/s | per second of the worker's processor | target |");
  say("|---|---|---|---|---|");
  for (const [name, place] of engines)
    for (const endpoints of ENDPOINTS) {
      const rounds: { readonly rate: number; readonly perCore: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await throughput(await place(), endpoints));
      const rate = Math.round(median(rounds.map((one) => one.rate)));
      const perCore = Math.round(median(rounds.map((one) => one.perCore)));
      say(`| ${[name, endpoints, rate, perCore, "≥ 500"].join(" | ")} |`);
    }
  say();
  say(
    `${WATCHED} endpoints that answer, ${EVENTS} events of which one is published every ${EVENT_MILLISECONDS} ms, to all endpoints; from the publication to the arrival:`,
  );
  say();
  say("| ledger | beside them | median | longest | later by | target |");
  say("|---|---|---|---|---|---|");
  for (const [name, place] of engines) {
    const alone = await delays(await place(), 0);
    const beside = await delays(await place(), HANGING);
    const row = (what: string, some: readonly number[], later: string, target: string) =>
      say(
        `| ${[name, what, `${Math.round(median(some))} ms`, `${Math.round(Math.max(...some))} ms`, later, target].join(" | ")} |`,
      );
    row("nothing", alone, "", "");
    const later = Math.max(...beside) - Math.max(...alone);
    row(`${HANGING} that never answer`, beside, `${Math.round(later)} ms`, "< 1000 ms");
  }
}

/** From the first tenth of the arrivals to the last one. */
async function throughput(place: LedgerPlace, endpoints: number) {
  const arrivals: number[] = [];
  const receiver = receiving(() => {
    arrivals.push(performance.now());
    return new Response(null, { status: 204 });
  });
  const ledger = await openLedger(place, optionsOf());
  const { now } = await prepare(ledger, Array(endpoints).fill(`${receiver.url}/`));
  const events = Math.round(DELIVERIES / endpoints);
  const all = Array.from({ length: events }, (_, nth) => news(`n-${nth}`));
  await ledger.outbox.publish(all, now);
  const worker = await startWorker(place);
  const total = events * endpoints;
  while (arrivals.length < total / 10) await Bun.sleep(5);
  const [from, used] = [arrivals.length, await worker.processorMilliseconds()];
  const begun = performance.now();
  while ((await ledger.outbox.backlog(now)).due > 0 || arrivals.length < total) await Bun.sleep(20);
  const seconds = (performance.now() - begun) / 1000;
  const processorSeconds = ((await worker.processorMilliseconds()) - used) / 1000;
  await worker.stop();
  await ledger.close();
  receiver.stop();
  return { rate: (total - from) / seconds, perCore: (total - from) / processorSeconds };
}

/** Of every event at every endpoint that answers, how long it took to arrive, in milliseconds. */
async function delays(place: LedgerPlace, hanging: number): Promise<readonly number[]> {
  const published = new Map<string, number>();
  const taken: number[] = [];
  const never = new Promise<Response>(() => {});
  const receiver = receiving(async (request) => {
    if (new URL(request.url).pathname === "/hangs") return await never;
    const { id } = (await request.json()) as { id: string };
    taken.push(performance.now() - (published.get(id) ?? Number.NaN));
    return new Response(null, { status: 204 });
  });
  const ledger = await openLedger(place, optionsOf());
  const urls = [...Array(hanging).fill(`${receiver.url}/hangs`), ...Array(WATCHED).fill(`${receiver.url}/`)];
  const { now } = await prepare(ledger, urls);
  const worker = await startWorker(place);
  for (let nth = 0; nth < EVENTS; nth++) {
    const one = news(`n-${nth}`);
    published.set(one.event.id, performance.now());
    await ledger.outbox.publish([one], now);
    await Bun.sleep(EVENT_MILLISECONDS);
  }
  while (taken.length < EVENTS * WATCHED) await Bun.sleep(20);
  worker.kill();
  await ledger.close();
  receiver.stop();
  return taken;
}

function receiving(fetch: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 255, fetch });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) };
}

/** Endpoints at these addresses, and the instant that the ledger's test clock has. */
async function prepare(ledger: Ledger, urls: readonly string[]) {
  const fixture = await openFixture(ledger, { attempts: { take: () => 0, clear: () => {} } });
  let ownerId = "";
  for (const [nth, url] of urls.entries()) {
    if (nth % ENDPOINTS_EACH === 0) ({ ownerId } = await personWith(ledger, `p${nth}`, "pro"));
    await fixture.endpoint(ownerId, url);
  }
  return { now: fixture.clock.at };
}

async function startWorker(place: LedgerPlace) {
  const command = [process.execPath, join(import.meta.dir, "deliveries-worker.ts"), JSON.stringify(place)];
  const child = Bun.spawn(pinned(0, command), { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const line = async (): Promise<string> => {
    for (let text = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) throw new Error("the worker ended");
      text += value;
      if (text.endsWith("\n")) return text.trim();
    }
  };
  await line();
  return {
    processorMilliseconds: async () => {
      child.stdin.write("\n");
      await child.stdin.flush();
      return Number(await line());
    },
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
