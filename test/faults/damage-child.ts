/**
 * A server without a port, started again and again: for each line {"directory": …, "asked": […]} on the input it opens the
 * product there, answers, closes, and prints one line with what came of it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyLake } from "#assembly/maintenance.ts";
import type { Happening } from "#telemetry.ts";
import { openOn } from "./damage-lake.ts";
import type { Asked } from "./damage-requests.ts";

export interface Answered {
  /** Why it did not start; null when it did. */
  readonly refusal: string | null;
  readonly answers: readonly Answer[];
  /** Everything that it told, and the body of /status. */
  readonly told: string;
  /** What `crossrate verify` said before that. */
  readonly verified: string;
}

export interface Answer {
  readonly status: number;
  /** Of an error envelope. */
  readonly code: string | null;
  readonly digest: string;
  /** Given where it was asked for. */
  readonly body?: string;
}

for await (const line of console) {
  const { directory, asked, withBodies } = JSON.parse(line);
  const reports = await verifyLake({ dataDir: join(directory, "data") }, () => {});
  const verified = reports.flatMap(({ faults }) => faults).join("\n");
  const served = await serve(directory, asked, withBodies === true);
  process.stdout.write(`${JSON.stringify({ ...served, verified })}\n`);
}

async function serve(
  directory: string,
  asked: readonly Asked[],
  withBodies: boolean,
): Promise<Omit<Answered, "verified">> {
  const told: string[] = [];
  const tell = (happening: Happening) => void told.push(JSON.stringify(happening));
  let crossrate: Awaited<ReturnType<typeof openOn>>;
  try {
    crossrate = await openOn(directory, tell);
  } catch (fault) {
    return {
      refusal: fault instanceof Error ? fault.message : String(fault),
      answers: [],
      told: told.join("\n"),
    };
  }
  const headers = {
    host: "localhost",
    authorization: `Bearer ${readFileSync(join(directory, "key.txt"), "utf8")}`,
  };
  const answers: Answer[] = [];
  try {
    for (const { path, body } of asked) {
      const post = { method: "POST", body, headers: { ...headers, "content-type": "application/json" } };
      const request = new Request(
        `http://localhost${path}`,
        body === undefined ? { headers } : (post as RequestInit),
      );
      answers.push(await answerTo(crossrate.app.answer, request, withBodies));
    }
    // What the jobs of a server do soon after its start.
    const official = await crossrate.openOfficial();
    await official?.copyToLake().catch((fault: unknown) => told.push(String(fault)));
    const status = await crossrate.app.answer(
      new Request("http://localhost/status", { headers: { host: "localhost" } }),
    );
    told.push(await status.text());
  } finally {
    await crossrate.close().catch((fault: unknown) => told.push(`close: ${fault}`));
  }
  return { refusal: null, answers, told: told.join("\n") };
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
