/** A life of accounts, told and searched: no secret in any log line, refusal, column or file but those that keep secrets. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join as pathOf } from "node:path";
import { runCommand } from "#test/commands/process.ts";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { optionalPostgres, type PostgresServer, startPostgres } from "#test/store/ledger/postgres.ts";
import { bearer, from, json, PASSWORD, post } from "./client.ts";
import { dataDirectory, NOON } from "./history.ts";

setDefaultTimeout(60_000);
const NEW_PASSWORD = "eleven kites over the river";
const LAST_PASSWORD = "thirteen kites behind the dune";
const DATABASE_PASSWORD = "pgSecret4711xyz";
const STRIPE_KEY = "sk_test_51ThisIsNotARealKeyAtAll";
const random32 = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
const programs = optionalPostgres("secrets in columns of Postgres");

/** What must not be found, by its name. */
type Secrets = Map<string, Buffer[]>;

function addText(secrets: Secrets, name: string, text: string): void {
  // A key's or token's beginning is shown on purpose, its end never.
  const tail = /^fx[a-z]_/.test(text) ? [text.slice(-20)] : [];
  secrets.set(name, [text, ...tail].map((one) => Buffer.from(one)));
}

function addBytes(secrets: Secrets, name: string, bytes: Buffer): void {
  const texts = [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")];
  secrets.set(name, [bytes, ...texts.map((text) => Buffer.from(text))]);
}

interface Heard {
  /** Bodies of everything but what hands a secret to its owner. */
  readonly bodies: string[];
  readonly secrets: Secrets;
}

/** Everything that can be done without a provider and without Stripe, rightly and wrongly. */
async function live({ url }: ReplicaProcess, { bodies, secrets }: Heard, environment: Record<string, string>) {
  const place = from("203.0.113.50");
  const email = "ada@example.org";
  const say = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...place } });
    bodies.push(`${bodies.length} ${path.slice(0, 12)} ${answer.status} ${await answer.text()} ${JSON.stringify([...answer.headers])}`);
    return answer.status;
  };
  const give = async (path: string, init: RequestInit, status = 200) =>
    await json(await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...place } }), status);
  let nth = 0;
  const session = (token: string) => {
    nth += 1;
    addText(secrets, `session ${nth}`, token);
    return bearer(token);
  };
  const key = (plaintext: string) => {
    nth += 1;
    addText(secrets, `key ${nth}`, plaintext);
    return plaintext;
  };
  const auth = (path: string, password: string) => post({ email, [path]: password });

  const person = session((await give("/v1/auth/sign-up?cookie=0", auth("password", PASSWORD), 201)).token);
  await say("/v1/auth/sign-up", auth("password", PASSWORD));
  await say("/v1/auth/sign-up", post({ email: "b@example.org", password: PASSWORD.slice(0, 5) }));
  await say("/v1/auth/sign-in", auth("password", `${PASSWORD}, wrong`));
  await say("/v1/auth/sign-in", auth("passwort", PASSWORD));
  await say("/v1/auth/sign-in", { ...post({}), body: `{"email": "${email}", "password": "${PASSWORD}"` });
  const other = session((await give("/v1/auth/sign-in?cookie=0", auth("password", PASSWORD))).token);
  const withCookie = await fetch(`${url}/v1/auth/sign-in`, auth("password", PASSWORD));
  session((await json(withCookie)).token);
  await say("/v1/auth/me", { headers: person });
  await say("/v1/auth/sessions", { headers: person });

  const first = key((await give("/v1/account/provision", { method: "POST", headers: person })).plaintext);
  await say("/v1/latest", { headers: bearer(first) });
  await say("/v1/latest?base=XXX", { headers: bearer(first) });
  await say("/v1/2020-01-01", { headers: bearer(first) });
  await say("/v1/convert", { ...post({}, bearer(first)), body: "{" });
  for (const wrong of [first.slice(0, -1), `${first}x`, first.toUpperCase()])
    await say("/v1/latest", { headers: bearer(wrong) });
  // Where keys do not belong, and yet are put.
  await say(`/v1/latest?api_key=${first}`);
  await say(`/v1/rate/${first}`, { headers: bearer(first) });
  await say(`/v1/latest/${first}`);
  await say(`/v1/${first}`);
  await say("/v1/account", { headers: bearer(first) });
  await say("/v1/keys/rotate", { method: "POST", headers: bearer(first) });
  await say(`/compat/oxr/latest.json?app_id=${first}`);
  await say(`/compat/oxr/latest.json?app_id=${first.slice(0, -2)}`);
  for (let call = 0; call < 12; call++) await say("/v1/latest", { headers: bearer(first) });

  const second = key((await give("/v1/keys/rotate", { method: "POST", headers: person })).plaintext);
  key((await give("/v1/keys/rotate", { method: "POST", headers: person })).plaintext);
  await say("/v1/latest", { headers: bearer(second) });
  await say("/v1/consent", post({ policy_version: "2026-01" }, person));
  await say("/v1/consent", post({ policy_version: "ü" }, person));
  await say("/v1/account/usage/daily", { headers: person });
  await say("/v1/account/checkout", post({ plan: "pro" }, bearer(second)));
  await say("/v1/account/checkout", post({ plan: "gold" }, bearer(second)));
  await say("/v1/auth/oidc/start");
  await say(`/v1/auth/oidc/callback?code=${first}&state=x`);
  await say("/v1/billing/stripe/events", { ...post({}), headers: { "stripe-signature": `t=1,v1=${first}` } });

  await say("/v1/auth/password", post({ current: `${PASSWORD}!`, new: NEW_PASSWORD }, person));
  await say("/v1/auth/password", post({ current: PASSWORD, new: NEW_PASSWORD }, person));
  await say("/v1/auth/me", { headers: other });
  await say("/v1/auth/password-reset", post({ email }));
  const printed = await runCommand(["accounts", "reset-link", email, "--json"], environment);
  expect(printed.code).toBe(0);
  const { token } = JSON.parse(printed.out);
  addText(secrets, "one-time token", token);
  await say("/v1/auth/password-reset/confirm", post({ token: `${token.slice(0, -1)}?`, new: LAST_PASSWORD }));
  await say("/v1/auth/password-reset/confirm", post({ token, new: LAST_PASSWORD }));
  await say("/v1/auth/password-reset/confirm", post({ token, new: LAST_PASSWORD }));
  await say("/v1/auth/verify-email", post({ token }));
  const again = session((await give("/v1/auth/sign-in?cookie=0", auth("password", LAST_PASSWORD))).token);
  await say("/v1/keys", { method: "DELETE", headers: again });
  key((await give("/v1/account/provision", { method: "POST", headers: again })).plaintext);
  await say("/v1/auth/sign-out", { method: "POST", headers: person });
  for (const words of [["list"], ["find", email], ["find", second], ["audit"]]) {
    const { out, err } = await runCommand(["accounts", ...words], environment);
    bodies.push(`accounts ${words[0]}: ${out} ${err}`);
  }
  await say("/status");
  await say("/openapi.json");
  return { say, person: again };
}

/** Names of the secrets that the bytes hold. */
function foundIn(bytes: Buffer, secrets: Secrets): string[] {
  return [...secrets].filter(([, forms]) => forms.some((form) => bytes.includes(form))).map(([name]) => name);
}

function files(directory: string, at = ""): string[] {
  return readdirSync(pathOf(directory, at)).flatMap((name) => {
    const path = pathOf(at, name);
    if (path === "secrets") return [];
    const stats = statSync(pathOf(directory, path));
    return stats.isDirectory() ? files(directory, path) : [path];
  });
}

function search({ bodies, secrets }: Heard, server: ReplicaProcess, dataDir: string): Record<string, string[]> {
  const places: Record<string, string[]> = {};
  const look = (name: string, bytes: Buffer) => {
    const found = foundIn(bytes, secrets);
    if (found.length > 0) places[name] = found;
  };
  for (const line of server.log()) look(`log: ${line.slice(0, 80)}`, Buffer.from(line));
  for (const body of bodies) look(`answer: ${body.slice(0, 80)}`, Buffer.from(body));
  for (const path of files(dataDir)) look(`file: ${path}`, readFileSync(pathOf(dataDir, path)));
  return places;
}

/** What every scenario has; ROLE=api on data that is there. */
async function settingsFor(): Promise<Record<string, string>> {
  return {
    DATA_DIR: await dataDirectory(),
    ACCESS: "metered",
    ROLE: "api",
    LIVE_FEED: "off",
    NOW: new Date(NOON).toISOString(),
    TRUSTED_PROXIES: "127.0.0.0/8",
  };
}

function newHeard(): Heard {
  const secrets: Secrets = new Map();
  for (const password of [PASSWORD, NEW_PASSWORD, LAST_PASSWORD]) addText(secrets, `password ${password}`, password);
  return { bodies: [], secrets };
}

test("with SQLite and a master key of its own making", async () => {
  const settings = await settingsFor();
  const dataDir = settings["DATA_DIR"] ?? "";
  const heard = newHeard();
  const server = await startReplica(settings);
  const [keyFile] = readdirSync(pathOf(dataDir, "secrets"));
  const text = readFileSync(pathOf(dataDir, "secrets", keyFile ?? ""), "utf8");
  const made = [...text.matchAll(/[A-Za-z0-9+/]{43}=/g)];
  expect(made.length).toBeGreaterThan(0);
  for (const [nth, [encoded]] of made.entries())
    addBytes(heard.secrets, `master key ${nth}`, Buffer.from(encoded, "base64"));
  const { say, person } = await live(server, heard, settings);
  // While it runs (the log beside the file), after what is deleted is deleted, and when it has ended.
  expect(search(heard, server, dataDir)).toEqual({});
  expect(await say("/v1/account", { method: "DELETE", headers: person })).toBe(200);
  expect(search(heard, server, dataDir)).toEqual({});
  await server.end();
  expect(search(heard, server, dataDir)).toEqual({});
  // The search finds what is there: hashes are no secrets, and stand in the file.
  const known = new Map([["hash", [Buffer.from("$argon2id$")]]]);
  expect(foundIn(readFileSync(pathOf(dataDir, "ledger.sqlite")), known)).toEqual(["hash"]);
});

describe.skipIf(programs === null)("with Postgres", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? "");
  });
  afterAll(() => postgres.stop());

  test("a configured master key and pepper, a password in DATABASE_URL, and an outage besides", async () => {
    const base = await settingsFor();
    const url = new URL(postgres.url);
    url.password = DATABASE_PASSWORD;
    const [master, pepper] = [random32(), random32()];
    const settings = {
      ...base,
      DATABASE_URL: url.href,
      MASTER_KEYS: `first:${master.toString("base64")}`,
      KEY_PEPPER: pepper.toString("base64"),
      STRIPE_SECRET_KEY: STRIPE_KEY,
      STRIPE_PRICES: "basic_monthly=price_1,pro_monthly=price_2",
      STRIPE_API_BASE: "http://127.0.0.1:1",
    };
    const heard = newHeard();
    addBytes(heard.secrets, "master key", master);
    addBytes(heard.secrets, "pepper", pepper);
    addText(heard.secrets, "password of the database", DATABASE_PASSWORD);
    addText(heard.secrets, "key of Stripe", STRIPE_KEY);
    const server = await startReplica(settings);
    const { say, person } = await live(server, heard, settings);

    const sql = new Bun.SQL({ adapter: "postgres", url: postgres.url, max: 1 });
    const tables = await sql.unsafe("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
    expect(tables.length).toBeGreaterThan(10);
    for (const { tablename } of tables) {
      for (const row of await sql.unsafe(`SELECT * FROM ${tablename}`)) {
        const found = foundIn(Buffer.from(JSON.stringify(row)), heard.secrets);
        expect(`${tablename} ${found}`).toBe(`${tablename} `);
      }
    }
    await sql.close();

    await postgres.kill();
    for (const path of ["/v1/account", "/v1/auth/me", "/status"]) await say(path, { headers: person });
    await say("/v1/latest", { headers: person });
    await postgres.start();
    await server.end();
    expect(server.log().join("\n")).toContain("ledger is unavailable");
    expect(search(heard, server, base["DATA_DIR"] ?? "")).toEqual({});
  });

  test("a setting that is wrong is told without its value", async () => {
    const url = new URL(postgres.url);
    url.password = DATABASE_PASSWORD;
    url.port = "1";
    const base = await settingsFor();
    const wrong = [
      { DATABASE_URL: url.href },
      { DATABASE_URL: url.href.replace("postgres:", "mysql:") },
      { MASTER_KEYS: `first:${DATABASE_PASSWORD}` },
      { KEY_PEPPER: DATABASE_PASSWORD },
      { REDIS_URL: `http://:${DATABASE_PASSWORD}@localhost` },
      { STRIPE_SECRET_KEY: DATABASE_PASSWORD },
      { SMTP_URL: `ftp://user:${DATABASE_PASSWORD}@localhost`, MAIL_FROM: "rates@example.org" },
    ];
    for (const settings of wrong) {
      const { code, out, err } = await runCommand(["serve"], { ...base, ...settings, PORT: "0" });
      expect([code === 0, `${out}${err}`.includes(DATABASE_PASSWORD)]).toEqual([false, false]);
    }
  });
});
