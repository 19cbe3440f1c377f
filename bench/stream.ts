/**
 * `bun bench/stream.ts [--seconds 600] [--readers 1000] [--distinct]`: one update a second of 19 currencies to that many readers of
 * /v1/stream. The server is a process of its own; the readers are this one, over loopback. Prints what the server costs.
 */

import { parseArgs } from "node:util";
import { pinned } from "./load.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    readers: { type: "string", default: "1000" },
    /** Gives every reader a query of its own, so that nothing is shared among them. */
    distinct: { type: "boolean", default: false },
  },
});
const SECONDS = Number(values.seconds);
const READERS = Number(values.readers);

const CODES = "EUR GBP JPY CHF AUD CAD NZD SEK NOK DKK SGD HKD CNY MXN ZAR TRY PLN CZK HUF".split(" ");

interface Figures {
  readonly published: number;
  readonly cpuSeconds: number;
  readonly residentMegabytes: number;
  readonly subscribers: number;
  readonly events: number;
  readonly coalesced: number;
  readonly dropped: number;
}

const child = Bun.spawn(pinned(0, [process.execPath, "bench/stream-server.ts"]), {
  cwd: `${import.meta.dir}/..`,
  stdout: "pipe",
  stderr: "inherit",
});
const address = await firstLine(child.stdout);
const figures = async (path = "/figures") => (await (await fetch(`${address}${path}`)).json()) as Figures;
try {
  await run();
} finally {
  child.kill();
  await child.exited;
}
process.exit(0);

async function run(): Promise<void> {
  const received = new Uint32Array(READERS);
  const lags: number[] = [];
  let bytes = 0;
  let snapshots = 0;
  const port = Number(new URL(address).port);
  for (let reader = 0; reader < READERS; reader++) {
    // An event can come in several pieces: what is looked for must not be cut in two.
    let tail = "";
    await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        open: (socket) => {
          socket.write(`GET /v1/stream?${queryOf(reader)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        },
        data: (_, chunk) => {
          bytes += chunk.length;
          const text = tail + chunk.toString("latin1");
          const end = text.lastIndexOf("\n\n") + 2;
          const whole = text.slice(0, Math.max(end, 0));
          tail = text.slice(whole.length);
          for (const block of whole.split("\n\n")) {
            if (block.includes("event: snapshot\n")) snapshots += 1;
            if (!block.includes("event: rates\n")) continue;
            received[reader] = (received[reader] ?? 0) + 1;
            const observed = /"data_updated_at":"([^"]+)"/.exec(block)?.[1];
            lags.push(Date.now() - Date.parse(observed ?? ""));
          }
        },
      },
    });
  }
  while (snapshots < READERS) await Bun.sleep(20);
  console.log(`${READERS} readers are connected; Bun ${Bun.version}`);
  bytes = 0;
  const first = await figures("/begin");
  const began = performance.now();
  console.log(`resident memory at the start: ${first.residentMegabytes.toFixed(0)} MB`);
  let before = first;
  for (let second = 60; second < SECONDS + 60; second += 60) {
    const until = Math.min(second, SECONDS);
    await Bun.sleep(Math.max(0, until * 1000 - (performance.now() - began)));
    const now = await figures(until === SECONDS ? "/end" : undefined);
    console.log(
      `after ${until} s: ${now.residentMegabytes.toFixed(0)} MB, ${now.subscribers} readers, ${now.published} updates, ${(now.cpuSeconds - before.cpuSeconds).toFixed(1)} s of CPU since the line before`,
    );
    before = now;
  }
  const elapsed = (performance.now() - began) / 1000;
  await Bun.sleep(500);
  const last = await figures();
  const total = received.reduce((sum, count) => sum + count, 0);
  lags.sort((a, b) => a - b);
  const at = (share: number) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))];
  const share = ((before.cpuSeconds - first.cpuSeconds) / elapsed) * 100;
  console.log(
    `server: ${share.toFixed(1)} % of one core over ${elapsed.toFixed(0)} s (target: at most 30 %)`,
  );
  console.log(
    `resident memory: ${first.residentMegabytes.toFixed(0)} MB → ${last.residentMegabytes.toFixed(0)} MB`,
  );
  console.log(
    `events received: ${total} of ${last.published * READERS}, ${received.filter((count) => count !== last.published).length} readers missed some; ${last.coalesced} coalesced, ${last.dropped} let go`,
  );
  console.log(
    `from publishing to the reader: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; ${(bytes / Math.max(total, 1)).toFixed(0)} bytes an event`,
  );
}

/** Eighteen currencies from another one on, in another order for each reader. */
function queryOf(reader: number): string {
  if (!values.distinct) return "base=USD";
  const from = reader % CODES.length;
  const codes = [...CODES.slice(from), ...CODES.slice(0, from)];
  const moved = codes.splice(Math.floor(reader / CODES.length) % (CODES.length - 1), 1);
  return `base=USD&dp=${Math.floor(reader / CODES.length / CODES.length) + 5}&symbols=${[...codes, ...moved]}`;
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  const reader = output.getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the server ended before it printed its address");
    text += new TextDecoder().decode(value);
  }
  return text.trim();
}
