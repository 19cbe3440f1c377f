/** The product without a port on a data directory that is damaged before it is opened or while it is open: its answers, and what it reported. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyLake } from "#assembly/inspection.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { type Answer, type Answered, changedFiles, type Digests, digestsBelow } from "./damage-judge.ts";
import { type Damage, damageSomething } from "./damage-kinds.ts";
import { openOn } from "./damage-lake.ts";
import type { SentRequest } from "./damage-requests.ts";

/** A running server has its ledger and its journal open: what is done to those then is done to the open files. */
const WHILE_RUNNING = /^lake\/(?!.*(\.sqlite|\.journal\/))/;

/** `wanted` is the damage; null leaves the directory intact. */
export async function serve(
  directory: string,
  requests: readonly SentRequest[],
  wanted: { readonly seed: number; readonly whileRunning: boolean } | null,
): Promise<Answered> {
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
    "content-type": "application/json",
  };
  const ask = async (path: string, body?: string) =>
    await crossrate.app.answer(
      new Request(`http://localhost${path}`, { headers, ...(body && { method: "POST", body }) }),
    );
  const answers: Answer[] = [];
  try {
    for (const { path, body } of requests) answers.push(await answerOf(ask(path, body)));
    // What the jobs of a server do soon after its start.
    const official = await crossrate.openOfficial();
    await official?.copyToLake().catch((fault: unknown) => reported.push(String(fault)));
    reported.push(await (await ask("/status")).text());
  } finally {
    await crossrate.close().catch((fault: unknown) => reported.push(`close: ${fault}`));
  }
  return answered(null, answers);
}

async function answerOf(asked: Promise<Response>): Promise<Answer> {
  try {
    const response = await asked;
    const body = new TextDecoder("latin1").decode(await response.bytes());
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const code = response.status >= 400 && isJson ? (JSON.parse(body).code ?? null) : null;
    const digest = new Bun.CryptoHasher("sha256").update(isJson ? withoutNames(body) : body).digest("hex");
    return { status: response.status, code, digest, body };
  } catch (fault) {
    // A file that breaks off while it is sent: the reader sees a broken connection.
    return { status: 0, code: String(fault), digest: "", body: "" };
  }
}

/** A start writes the quotes of the journal into a file of a new name. Cursors are signed, and name the version. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/part-[0-9a-f-]{36}/g, "part-*")
    .replaceAll(/"(next|resume)_cursor":\s*"[^"]*"/g, "cursor");
}
