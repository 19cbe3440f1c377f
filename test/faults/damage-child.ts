/**
 * A server without a port, started again and again: for each line on the input (`Order`) it damages a data directory, opens
 * the product there, answers, closes, and prints one line with what came of it. Or it damages what it has opened already.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyLake } from "#assembly/inspection.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { changedFiles, type Digests, digestsBelow } from "./damage-judge.ts";
import { type Damage, damageSomething } from "./damage-kinds.ts";
import { openOn } from "./damage-lake.ts";
import type { Answer, Answered, Order } from "./damage-order.ts";

/** A running server has its ledger and its journal open: what is done to those then is done to the open files. */
const WHILE_RUNNING = /^lake\/(?!.*(\.sqlite|\.journal\/))/;

for await (const line of console) {
  process.stdout.write(`${JSON.stringify(await serve(JSON.parse(line) as Order))}\n`);
}

async function serve({ directory, requests, withBodies, damage: wanted }: Order): Promise<Answered> {
  const reported: string[] = [];
  const emit = (event: TelemetryEvent) => void reported.push(JSON.stringify(event));
  const data = join(directory, "data");
  let damage: Damage | null = null;
  let before: Digests = new Map();
  let verified = "";
  const spoil = async (only: RegExp) => {
    if (wanted === null) return;
    damage = damageSomething(data, seededRandom(wanted.seed), only);
    before = digestsBelow(data);
    const reports = await verifyLake({ dataDir: data, storage: null }, () => {});
    verified = reports.flatMap(({ faults }) => faults).join("\n");
  };
  const answered = (refusal: string | null, answers: readonly Answer[]): Answered => {
    const changed = damage === null ? [] : changedFiles(damage, before, digestsBelow(data));
    return { refusal, answers, reported: reported.join("\n"), verified, damage, changed };
  };
  if (wanted?.whileRunning !== true) await spoil(/./);
  let crossrate: Awaited<ReturnType<typeof openOn>>;
  try {
    crossrate = await openOn(directory, emit);
  } catch (fault) {
    return answered(fault instanceof Error ? fault.message : String(fault), []);
  }
  if (wanted?.whileRunning === true) await spoil(WHILE_RUNNING);
  const headers = {
    host: "localhost",
    authorization: `Bearer ${readFileSync(join(directory, "key.txt"), "utf8")}`,
  };
  const answers: Answer[] = [];
  try {
    for (const { path, body } of requests) {
      const post = { method: "POST", body, headers: { ...headers, "content-type": "application/json" } };
      const request = new Request(
        `http://localhost${path}`,
        body === undefined ? { headers } : (post as RequestInit),
      );
      answers.push(await answerTo(crossrate.app.answer, request, withBodies));
    }
    // What the jobs of a server do soon after its start.
    const official = await crossrate.openOfficial();
    await official?.copyToLake().catch((fault: unknown) => reported.push(String(fault)));
    const status = await crossrate.app.answer(
      new Request("http://localhost/status", { headers: { host: "localhost" } }),
    );
    reported.push(await status.text());
  } finally {
    await crossrate.close().catch((fault: unknown) => reported.push(`close: ${fault}`));
  }
  return answered(null, answers);
}

async function answerTo(
  answer: (request: Request) => Response | Promise<Response>,
  request: Request,
  withBody: boolean,
): Promise<Answer> {
  try {
    const response = await answer(request);
    const bytes = await response.bytes();
    const text = new TextDecoder("latin1").decode(bytes);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const comparable = isJson ? withoutNames(text) : text;
    const code = response.status >= 400 && isJson ? (JSON.parse(text).code ?? null) : null;
    const digest = new Bun.CryptoHasher("sha256").update(comparable).digest("hex");
    return { status: response.status, code, digest, ...(withBody ? { body: text } : {}) };
  } catch (fault) {
    // A file that breaks off while it is sent: the reader sees a broken connection.
    return { status: 0, code: String(fault), digest: "" };
  }
}

/** A start writes the quotes of the journal into a file of a new name. Cursors are signed, and name the version. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/part-[0-9a-f-]{36}/g, "part-*")
    .replaceAll(/"(next|resume)_cursor":\s*"[^"]*"/g, "cursor");
}
