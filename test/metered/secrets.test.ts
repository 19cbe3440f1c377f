/** The lifecycle of an account, searched for secrets: no secret in any log line, refusal, column or file but those that keep secrets. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { runInProcess } from "#test/commands/process.ts";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { optionalPostgres, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { dataDirectory, processSettings } from "./history.ts";
import { addBytes, addText, live, PASSWORDS, type Received, type Secrets } from "./secrets-lifecycle.ts";

const DATABASE_PASSWORD = "pgSecret4711xyz";
const STRIPE_KEY = "sk_test_51ThisIsNotARealKeyAtAll";
const random32 = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
const programs = optionalPostgres("secrets in columns of Postgres");

function foundIn(bytes: Buffer, secrets: Secrets): string[] {
  return [...secrets].filter(([, forms]) => forms.some((form) => bytes.includes(form))).map(([name]) => name);
}

/** All but those that keep the secrets. */
const filesOf = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath !== pathOf(directory, "secrets"))
    .map(({ parentPath, name }) => pathOf(parentPath, name));

function search({ bodies, secrets }: Received, server: ReplicaProcess, dataDir: string) {
  const places: Record<string, string[]> = {};
  const look = (name: string, bytes: Buffer) => {
    const found = foundIn(bytes, secrets);
    if (found.length > 0) places[name] = found;
  };
  for (const line of server.log()) look(`log: ${line.slice(0, 80)}`, Buffer.from(line));
  for (const body of bodies) look(`answer: ${body.slice(0, 80)}`, Buffer.from(body));
  for (const path of filesOf(dataDir)) look(`file: ${path}`, readFileSync(path));
  return places;
}

function newReceived(): Received {
  const secrets: Secrets = new Map();
  for (const password of PASSWORDS) addText(secrets, `password ${password}`, password);
  return { bodies: [], secrets };
}

test("with SQLite and a master key of its own making", async () => {
  const dataDir = await dataDirectory();
  const settings = processSettings(dataDir);
  const received = newReceived();
  const server = await startReplica(settings);
  const [keyFile] = readdirSync(pathOf(dataDir, "secrets"));
  const text = readFileSync(pathOf(dataDir, "secrets", keyFile ?? ""), "utf8");
  const made = [...text.matchAll(/[A-Za-z0-9+/]{43}=/g)];
  expect(made.length).toBeGreaterThan(0);
  for (const [nth, [encoded]] of made.entries())
    addBytes(received.secrets, `master key ${nth}`, Buffer.from(encoded, "base64"));
  const { send, person, keys } = await live(server, received, settings);
  const commands = [["list"], ["find", keys[0] ?? ""], ["audit"]].map(async (args) => {
    const { out, err } = await runInProcess(["accounts", ...args], settings);
    received.bodies.push(`accounts ${args[0]}: ${out} ${err}`);
  });
  await Promise.all(commands);
  // While it runs (the log beside the file), after what is deleted is deleted, and when it has ended.
  expect(search(received, server, dataDir)).toEqual({});
  expect(await send("/v1/account", { method: "DELETE", headers: person })).toBe(200);
  expect(search(received, server, dataDir)).toEqual({});
  await server.end();
  expect(search(received, server, dataDir)).toEqual({});
  // The search finds what is there: hashes are no secrets, and the file contains them.
  const known = new Map([["hash", [Buffer.from("$argon2id$")]]]);
  expect(foundIn(readFileSync(pathOf(dataDir, "ledger.sqlite")), known)).toEqual(["hash"]);
});

describe.skipIf(programs === null)("with Postgres", () => {
  const postgres = ofAllTests(() => startPostgres(programs ?? ""));

  test("a configured master key and pepper, a password in DATABASE_URL, and an outage besides", async () => {
    const dataDir = await dataDirectory();
    const url = new URL(postgres.url);
    url.password = DATABASE_PASSWORD;
    const [master, pepper] = [random32(), random32()];
    const settings = {
      ...processSettings(dataDir),
      DATABASE_URL: url.href,
      MASTER_KEYS: `first:${master.toString("base64")}`,
      KEY_PEPPER: pepper.toString("base64"),
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_WEBHOOK_SECRETS: "whsec_of_this_test",
      STRIPE_PRICES: "basic_monthly=price_1,pro_monthly=price_2",
      STRIPE_API_BASE: "http://127.0.0.1:1",
    };
    const received = newReceived();
    addBytes(received.secrets, "master key", master);
    addBytes(received.secrets, "pepper", pepper);
    addText(received.secrets, "password of the database", DATABASE_PASSWORD);
    addText(received.secrets, "key of Stripe", STRIPE_KEY);
    const server = await startReplica(settings);
    const { send, person } = await live(server, received, settings);

    const sql = new Bun.SQL({ adapter: "postgres", url: postgres.url, max: 1 });
    const tables = await sql.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
    expect(tables.length).toBeGreaterThan(10);
    for (const { tablename } of tables) {
      for (const row of await sql.unsafe(`SELECT * FROM ${tablename}`)) {
        const found = foundIn(Buffer.from(JSON.stringify(row)), received.secrets);
        expect(`${tablename} ${found}`).toBe(`${tablename} `);
      }
    }
    await sql.close();

    await postgres.kill();
    for (const path of ["/v1/account", "/v1/auth/me", "/status"]) await send(path, { headers: person });
    await send("/v1/latest", { headers: person });
    await postgres.start();
    await server.end();
    expect(server.log().join("\n")).toContain("ledger is unavailable");
    expect(search(received, server, dataDir)).toEqual({});
  });
});
