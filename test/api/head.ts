/** Asks GET and HEAD of a URL, and holds one against the other. Raw sockets show that no body follows a HEAD: plugins/questions.test.ts. */

import { expect } from "bun:test";

export type Given = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body as they came; null for an answer without an end. */
  readonly length: number | null;
}

/** Headers of the connection and of the moment; and what an export says of itself to those who ask before they fetch it. */
const ITS_OWN = ["date", "connection", "keep-alive", "transfer-encoding", "content-length"];
const OF_AN_ESTIMATE = ["x-export-rows", "x-export-bytes", "x-quota-cost"];

/** Headers that may be missing from an answer that is still being made, and are there once its file is finished. */
const OF_A_FILE = ["accept-ranges", "repr-digest"];

/** GET first, so that what is made once is there for both. Range is defined for GET alone: there HEAD is as GET without it. */
export async function assertSameHead(
  url: string,
  given: Given,
  { moves = false, unlike = [] }: { moves?: boolean; unlike?: readonly string[] } = {},
): Promise<void> {
  const { range: _, ...whole } = given;
  const get = await answerOf("GET", url, whole);
  const head = await answerOf("HEAD", url, given);
  const asked = `${url} ${JSON.stringify(given)}`;
  expect([asked, head.status]).toEqual([asked, get.status]);
  const isFile = get.headers["content-disposition"] !== undefined;
  const skipped = new Set([...ITS_OWN, ...unlike, ...(isFile ? [...OF_AN_ESTIMATE, ...OF_A_FILE] : [])]);
  const kept = ({ headers }: Answer) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !skipped.has(name)));
  expect({ asked, ...kept(head) }).toEqual({ asked, ...kept(get) });
  const announced = head.headers["content-length"];
  if (announced === undefined) return;
  if (moves) expect(Number(announced)).toBeGreaterThan(0);
  else expect([asked, get.length]).toEqual([asked, Number(announced)]);
}

async function answerOf(method: string, url: string, given: Given): Promise<Answer> {
  const sent = { "accept-encoding": "identity", "x-request-id": "a-test", ...given };
  const answer = await fetch(url, { method, headers: sent, redirect: "manual", decompress: false });
  const headers = Object.fromEntries(answer.headers);
  const isEndless = method === "GET" && headers["content-type"]?.startsWith("text/event-stream") === true;
  if (isEndless) await answer.body?.cancel();
  return { status: answer.status, headers, length: isEndless ? null : (await answer.bytes()).byteLength };
}
