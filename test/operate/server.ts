/** A metered server with the operators' listener, both in this process and wired as the program is, on a fixed clock. */

import { readFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import type { Ledger } from "#ports/ledger.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { bearer } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";

export type AdminFixture = Awaited<ReturnType<typeof openAdminFixture>>;

/** On SQLite: the ledger's own tests hold both engines to one contract. */
export async function openAdminFixture(settings: Record<string, string> = {}, given: string | null = null) {
  const dataDir = given ?? (await dataDirectory());
  const clock = fixedClock();
  const replica = await openReplica({ dataDir, clock, settings: { ADMIN_PORT: "0", ...settings } });
  const url = listenerOf(replica.emitted);
  const token = tokenIn(dataDir);
  const answers: string[] = [];
  const ledger = (): Ledger => {
    if (replica.crossrate.accounts === null) throw new Error("the server has no accounts");
    return replica.crossrate.accounts.ledger;
  };
  let cookie = await signIn(url, token);
  const noted = async (answer: Response) => {
    answers.push(await answer.clone().text());
    return answer;
  };
  return {
    replica,
    dataDir,
    clock,
    url,
    token,
    answers,
    ledger,
    /** What was done to a subject, newest first. */
    audit: (subject: string) => ledger().audit.list({ subject }, 200),
    /** A session of the pages: its cookie, which `open` and `submit` send from now on. */
    signIn: async () => {
      cookie = await signIn(url, token);
      return cookie;
    },
    open: async (path: string, headers: Record<string, string> = {}) =>
      await noted(await fetch(`${url}${path}`, { headers: { cookie, ...headers }, redirect: "manual" })),
    submit: async (path: string, fields: Fields = {}, headers: Record<string, string> = {}) => {
      // The audit log is in order of time: no two entries of one instant. Too little for any cache to run out.
      clock.at += 1;
      return await noted(await submit(url, path, fields, { cookie, ...headers }));
    },
    called: async (key: string) => {
      const answer = await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers: bearer(key) });
      await answer.arrayBuffer();
      return { status: answer.status, limit: answer.headers.get("x-ratelimit-limit") };
    },
  };
}

export type Fields = Readonly<Record<string, string>>;

/** A form as a browser sends it from a page of the listener; a redirect is not followed. */
export async function submit(
  url: string,
  path: string,
  fields: Fields,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields);
  const sent = { origin: url, ...headers };
  return await fetch(`${url}${path}`, { method: "POST", body, headers: sent, redirect: "manual" });
}

export async function signIn(url: string, token: string): Promise<string> {
  const answer = await submit(url, "/operator/sign-in", { token });
  if (answer.status !== 303) throw new Error(`signing in was answered with ${answer.status}`);
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** The listener's URL, as the server has said it. */
export function listenerOf(emitted: readonly TelemetryEvent[]): string {
  const url = /"operators","url":"(http:\/\/[\w.:[\]]+:\d+)/.exec(JSON.stringify(emitted))?.[1];
  if (url === undefined) throw new Error("no event names the operators' listener");
  return url;
}

export function tokenFile(dataDir: string): string {
  return pathOf(dataDir, "secrets", "admin.token");
}

export function tokenIn(dataDir: string): string {
  return readFileSync(tokenFile(dataDir), "utf8").trim();
}
