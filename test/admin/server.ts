/** A metered server with the operators' listener, both in this process and wired as the program is, on a fixed clock. */

import { afterAll, beforeAll, describe } from "bun:test";
import { readFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { bearer, type Json, json } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { fixedClock, openReplica, type Replica, type TestClock } from "#test/metered/replica.ts";
import { freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { postgresPrograms } from "#test/store/ledger/ledgers.ts";

export interface AdminFixture {
  /** The server that callers use. */
  readonly replica: Replica;
  readonly dataDir: string;
  readonly clock: TestClock;
  /** Of the operators' listener. */
  readonly url: string;
  readonly token: string;
  /** Every answer so far, as it was sent. */
  readonly answers: string[];
  get(path: string, status?: number): Promise<Json>;
  post(path: string, body?: unknown, status?: number): Promise<Json>;
  /** Of a call with a key. */
  called(key: string): Promise<{ readonly status: number; readonly limit: string | null }>;
}

const OPENING_MILLISECONDS = 30_000;

/** Describes the same promises twice: at one server on SQLite, and at one on Postgres. */
export function onBothAdminServers(name: string, promises: (server: AdminFixture) => void): void {
  const withFixture = (settings: () => Promise<Record<string, string>>) => () => {
    let opened: AdminFixture | null = null;
    // Filled before the first test: until then there is nothing to be read in it.
    const server = {} as AdminFixture;
    beforeAll(async () => {
      opened = await openAdminFixture(await settings());
      Object.assign(server, opened);
    }, OPENING_MILLISECONDS);
    afterAll(() => opened?.replica.close());
    promises(server);
  };
  describe(
    `${name}, on SQLite`,
    withFixture(async () => ({})),
  );
  describe.skipIf(postgresPrograms === null)(
    `${name}, on Postgres`,
    withFixture(async () => ({ DATABASE_URL: await freshDatabase(postgresPrograms ?? "") })),
  );
}

export async function openAdminFixture(
  settings: Record<string, string> = {},
  given: string | null = null,
): Promise<AdminFixture> {
  const dataDir = given ?? (await dataDirectory());
  const clock = fixedClock();
  const replica = await openReplica({ dataDir, clock, settings: { ADMIN_PORT: "0", ...settings } });
  const url = listenerOf(replica.emitted);
  const token = tokenIn(dataDir);
  const answers: string[] = [];
  const ask = async (path: string, init: RequestInit, status: number) => {
    // The audit log is in order of time: no two entries of one instant. Too little for any cache to run out.
    clock.at += 1;
    const headers = { ...bearer(token), ...init.headers };
    const answer = await fetch(`${url}${path}`, { ...init, headers });
    answers.push(await answer.clone().text());
    return await json(answer, status);
  };
  return {
    replica,
    dataDir,
    clock,
    url,
    token,
    answers,
    get: (path, status = 200) => ask(path, {}, status),
    post: (path, body, status = 200) => {
      const sent = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      return ask(path, { method: "POST", ...(body === undefined ? {} : sent) }, status);
    },
    called: async (key) => {
      const answer = await fetch(`${replica.url}/v1/latest?symbols=USD`, { headers: bearer(key) });
      await answer.arrayBuffer();
      return { status: answer.status, limit: answer.headers.get("x-ratelimit-limit") };
    },
  };
}

/** The listener's URL, read from its log. */
export function listenerOf(lines: readonly string[]): string {
  const url = /"operators","url":"(http:\/\/[\w.:[\]]+:\d+)/.exec(lines.join("\n"))?.[1];
  if (url === undefined) throw new Error(`no line names the operators' listener: ${lines.join("\n")}`);
  return url;
}

export function tokenFile(dataDir: string): string {
  return pathOf(dataDir, "secrets", "admin.token");
}

export function tokenIn(dataDir: string): string {
  return readFileSync(tokenFile(dataDir), "utf8").trim();
}
