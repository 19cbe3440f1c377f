/** Signing in from the command line and what needs it, on a real server over HTTP; webhooks; the doctor. */

import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isLoopback } from "#domain/net/message.ts";
import { SIGNATURE_HEADER, signatureHeader } from "#domain/webhook/endpoint.ts";
import { runInProcess, startCommand } from "#test/commands/process.ts";
import { startNewDemo } from "#test/docs/lake-demo.ts";
import { bearer, post } from "#test/metered/client.ts";
import { listen } from "#test/support/listen.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { startStripe } from "#test/support/stripe/stripe.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { onTerminal, terminalPython } from "./pseudo-terminal.ts";

const EMAIL = "demo@example.org";
const PASSWORD = "crossrate-demo\n";
const SECRET = "whsec_0123456789abcdefghijklmnopqrstuv";

const demo = await startNewDemo();

function newPerson() {
  const home = temporaryDirectory();
  const environment = { CROSSRATE_URL: demo.url, XDG_CONFIG_HOME: home };
  const store = join(home, "crossrate", "logins.json");
  return {
    store,
    run: (line: string, changes: Record<string, string> = {}, piped: readonly string[] = []) =>
      runInProcess(line.split(" "), { ...environment, ...changes }, piped),
    stored: () => JSON.parse(readFileSync(store, "utf8")).servers[demo.url],
  };
}

/** One who has logged in as the demo's person. */
async function signedIn() {
  const person = newPerson();
  await person.run(`login --email ${EMAIL}`, {}, [PASSWORD]);
  return person;
}

test("addresses of this machine alone are local", () => {
  for (const host of ["localhost:3000", "127.0.0.1", "127.1", "[::1]:3000"])
    expect(isLoopback(new URL(`http://${host}`))).toBe(true);
  for (const host of ["127.example.org", "127.0.0.1.example.org", "10.0.0.1", "localhost.example.org"])
    expect(isLoopback(new URL(`http://${host}`))).toBe(false);
});

test("a key to an address without TLS beyond this machine is sent with a warning", async () => {
  const { run } = newPerson();
  const elsewhere = { CROSSRATE_URL: demo.url.replace(/localhost|127\.0\.0\.1/, "[::ffff:127.0.0.1]") };
  const line = "latest EUR";
  const withKey = await run(line, { ...elsewhere, CROSSRATE_API_KEY: demo.key });
  expect(withKey.err).toContain("has no TLS: a key can be read on its way");
  expect((await run(line, elsewhere)).err).not.toContain("TLS");
  expect((await run(line, { CROSSRATE_API_KEY: demo.key })).err).not.toContain("TLS");
  const login = await run(`login --email ${EMAIL}`, elsewhere, [PASSWORD]);
  expect(login.err).toContain("has no TLS: a password can be read on its way");
  await run("login --sign-up --email plain@example.org", elsewhere, ["seven kites above Delft\n"]);
  await run("keys revoke --yes", elsewhere);
  // The session is left.
  expect((await run("usage --days 1", elsewhere)).err).toContain("has no TLS");
});

describe("login", () => {
  test("stores session and key for their owner alone, and later commands use them, without a URL too", async () => {
    const { run, store, stored } = newPerson();
    const { code, out } = await run(`login --email ${EMAIL}`, {}, [PASSWORD]);
    expect(code).toBe(0);
    expect(out).not.toContain(demo.key);
    expect(statSync(store).mode & 0o777).toBe(0o600);
    expect(statSync(join(store, "..")).mode & 0o777).toBe(0o700);
    expect(stored()).toMatchObject({ email: EMAIL, key: demo.key, session: expect.stringMatching(/^fxs_/) });
    expect(await run("history 2015-01-15 EUR CHF", { CROSSRATE_URL: "" })).toMatchObject({ code: 0 });
  });

  test("with a wrong password stores nothing", async () => {
    const { run, store } = newPerson();
    const { code, err } = await run(`login --email ${EMAIL}`, {}, ["wrong password\n"]);
    expect({ code, isStored: existsSync(store) }).toEqual({ code: 3, isStored: false });
    expect(err).toContain("invalid_credentials");
  });

  test("opens an account first, where it is asked to", async () => {
    const { run, stored } = newPerson();
    const line = "login --sign-up --email grace@example.org";
    expect(await run(line, {}, ["seven kites above Delft\n"])).toMatchObject({ code: 0 });
    expect(stored().key).toMatch(/^fxk_/);
    expect((await run("usage --days 1")).out).toMatch(/^grace@example\.org, plan free, active\n/);
  });

  test("without a folder for it says where to have one; commands that need none do without", async () => {
    const { run } = newPerson();
    const XDG_CONFIG_HOME = "/dev/null";
    expect(await run("latest EUR", { XDG_CONFIG_HOME })).toMatchObject({ code: 0 });
    const { code, err } = await run(`login --email ${EMAIL}`, { XDG_CONFIG_HOME }, [PASSWORD]);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /\/dev\/null\/crossrate\/logins\.json cannot be written .*: set XDG_CONFIG_HOME to/,
      ),
    });
  });

  test("sends a stored key to its own server only", async () => {
    const { run } = await signedIn();
    let authorization: string | null = "not asked";
    const other = listen((request) => {
      authorization = request.headers.get("authorization");
      return Response.json({});
    });
    await run(`latest --json --url ${other.url}`);
    expect(authorization).toBeNull();
  });

  test("is undone by logout, also when the session is over", async () => {
    const { run, store, stored } = await signedIn();
    const { session } = stored();
    expect(await run("logout")).toMatchObject({ code: 0, out: `Signed out at ${demo.url}\n` });
    expect(existsSync(store)).toBe(false);
    const me = await fetch(`${demo.url}/v1/auth/me`, { headers: { Authorization: `Bearer ${session}` } });
    expect(me.status).toBe(401);
    expect(await run("keys")).toMatchObject({
      code: 3,
      err: expect.stringContaining("crossrate login signs in"),
    });
    expect(await run("logout")).toMatchObject({ code: 0, out: `there is no login at ${demo.url}\n` });
  });
});

describe("keys and usage", () => {
  test("show the key when asked, replace the stored one, and end all after a yes", async () => {
    const { run, stored } = newPerson();
    await run("login --sign-up --email keys@example.org", {}, ["seven kites above Delft\n"]);
    const { key } = stored();
    expect((await run("keys")).out).toStartWith(`${key.slice(0, 12)}…  issued 2026-04-13`);
    expect((await run("keys list --show")).out).toBe(`${key}\n`);
    const { out } = await run("keys rotate");
    expect(stored().key).toBe(out.trim());
    expect(out.trim()).not.toBe(key);
    expect(await run("keys revoke")).toMatchObject({ code: 2 });
    expect(await run("keys revoke --yes")).toMatchObject({ code: 0 });
    expect(stored().key).toBeNull();
    expect((await run("keys")).out).toBe("there is no key; crossrate keys rotate issues one\n");
  });

  test("print a new key also where it cannot be stored", async () => {
    const { run, store } = newPerson();
    await run("login --sign-up --email full@example.org", {}, ["seven kites above Delft\n"]);
    // The store has the longest path that a system takes: the file that would replace it has a longer one.
    const folders = join(dirname(store), "..", `${"d".repeat(200)}/`.repeat(19));
    const XDG_CONFIG_HOME = join(
      folders,
      "d".repeat(4_070 - folders.length - "/crossrate/logins.json".length),
    );
    mkdirSync(join(XDG_CONFIG_HOME, "crossrate"), { recursive: true });
    copyFileSync(store, join(XDG_CONFIG_HOME, "crossrate", "logins.json"));
    const { code, out, err } = await run("keys rotate", { XDG_CONFIG_HOME });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("logins.json cannot be written") });
    expect((await run("keys list --show")).out).toBe(out);
  });

  test("show the days as CSV", async () => {
    const { run } = await signedIn();
    expect((await run("usage --days 2 --csv")).out).toMatch(
      /^date,served,rate_limited\n2026-04-12,0,0\n2026-04-13,\d+,0\n$/,
    );
  });
});

describe("webhooks", () => {
  test("listen prints what comes, with the verdict on its signature; send-test --to reaches it", async () => {
    const receiver = startCommand(["webhooks", "listen", "--port", "0"], {
      CROSSRATE_WEBHOOK_SECRET: SECRET,
    });
    const [url] = await receiver.until("err", /http:\/\/\S+\d/);
    const { run } = newPerson();
    expect(await run(`webhooks send-test --to ${url} --secret ${SECRET}`)).toMatchObject({
      code: 0,
      out: "the receiver answered 204\n",
    });
    const [first] = await receiver.until("out", /.*\n/);
    expect(JSON.parse(first)).toMatchObject({ verdict: "genuine", repeated: false });
    expect(await run(`webhooks send-test --to ${url} --secret whsec_other`)).toMatchObject({ code: 1 });
    const [, second = ""] = await receiver.until("out", /\n(.*)\n/);
    const refused = JSON.parse(second);
    expect(refused).toMatchObject({ verdict: "mismatch" });
    expect(JSON.parse(refused.body)).toMatchObject({ type: "webhook.test" });
    expect(await receiver.end("SIGINT")).toBe(0);
  });

  test("verify tells genuine bodies from others, by its exit code too", async () => {
    const { run } = newPerson();
    const body = '{"id":"evt_test_1","type":"webhook.test"}';
    const header = signatureHeader(SECRET, Math.floor(Date.now() / 1000), body);
    const verify = (signature: string, piped: string, more = "") =>
      run(`webhooks verify --signature ${signature} --secret ${SECRET}${more}`, {}, [piped]);
    expect(await verify(header, body)).toMatchObject({ code: 0, out: "genuine\n" });
    expect(await verify(header, `${body} `)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^not genuine: another secret/),
    });
    const old = signatureHeader(SECRET, 1_776_097_800, body);
    expect(await verify(old, body)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/more than 5 minutes old/),
    });
    expect(await verify(old, body, " --any-age")).toMatchObject({ code: 0 });
    expect(await verify("nonsense", body)).toMatchObject({
      code: 1,
      out: expect.stringContaining(SIGNATURE_HEADER),
    });
  });

  test("send-test has the server send one, and says how it went", async () => {
    const { run, stored } = await signedIn();
    expect((await run("webhooks send-test")).err).toContain("this account has no webhook endpoint");
    const endpoint = post({ url: "https://hooks.example.invalid/rates" }, bearer(stored().session));
    const added = await fetch(`${demo.url}/dashboard/api/webhooks`, endpoint);
    expect(added.status).toBe(201);
    const { code, out, err } = await run("webhooks send-test");
    expect(out).toMatch(/^evt_test_\d+ is queued for whe_\w+\n/);
    // Waits take no time here: it may have looked before the attempt, which has no host to reach, was over.
    expect(code).toBe(1);
    expect(out + err).toMatch(/failed, no answer: dns|no attempt has ended yet/);
  });
});

describe("doctor", () => {
  const findings = (out: string) =>
    JSON.parse(out) as { what: string; state: string; found: string; advice?: string }[];

  test("of a server names what it found, and everything that is broken with what to do", async () => {
    const { run } = newPerson();
    const { out } = await run("doctor --server --json", { CROSSRATE_API_KEY: demo.key });
    const found = findings(out);
    expect(found.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "server",
        "clock",
        "lake",
        "ledger",
        "ecb_daily",
        "fred_daily",
        "live feed",
        "key",
      ]),
    );
    for (const { state, advice } of found) if (state === "broken") expect(advice).toBeString();
    expect(found.find(({ what }) => what === "key")).toMatchObject({ state: "ok" });
  });

  test("of a server names a wrong clock, contradictions, held figures and currencies that dropped out, as notes", async () => {
    const { run } = newPerson();
    const status = await (await fetch(`${demo.url}/status`)).json();
    // The product's own clock; the header Date is the machine's.
    Object.assign(status, { timestamp: new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString() });
    Object.assign(status.checks.daily.ecb_daily, {
      status: "contradicted",
      held_count: 45_000,
      contradictions: { count: 3, since: "2026-04-12T14:05:00Z", example: "sdmx states EUR/NOK 11.9" },
      missing_currencies: [{ currency: "ISK", last_date: "2026-04-10" }],
      suspended_currencies: [{ currency: "TRY", last_date: "2026-03-02" }],
    });
    const { url } = listen(() => Response.json(status));
    const { out } = await run(`doctor --server --json --url ${url}`);
    expect(findings(out).find(({ what }) => what === "clock")).toMatchObject({
      state: "note",
      found: "the server's clock is 3 d behind this machine's",
    });
    const notes = findings(out).filter(({ what, state }) => what === "ecb_daily" && state === "note");
    expect(notes.map(({ found }) => found)).toEqual([
      "3 contradicted since 2026-04-12T14:05:00Z: sdmx states EUR/NOK 11.9",
      "45000 figures are held back",
      "not among the newest figures: ISK missing since 2026-04-10, TRY ended on 2026-03-02",
    ]);
  });

  test.each([
    [
      "a server that is not there",
      "doctor --server --url http://127.0.0.1:9",
      {},
      /broken {2}server +http:\/\/127\.0\.0\.1:9: nothing listens there\n +→ /,
    ],
    [
      "a key that does not work",
      "doctor --server",
      { CROSSRATE_API_KEY: "fxk_wrong" },
      /broken {2}key +that of CROSSRATE_API_KEY: .*\n +→ crossrate login/,
    ],
    ["a setting that is wrong", "doctor --local", { PORT: "99999" }, /broken {2}settings +PORT.*\n +→ /],
  ])("says of %s that it is broken, with exit code 1", async (_, line, changes, said) => {
    const { run } = newPerson();
    const { code, out } = await run(line, changes);
    expect({ code, out }).toEqual({ code: 1, out: expect.stringMatching(said) });
  });

  test("of a stored login that others can read says so", async () => {
    const { run, store } = await signedIn();
    chmodSync(store, 0o644);
    expect((await run("doctor --server")).out).toMatch(
      /broken {2}stored login +others can read it \(mode 644\)/,
    );
  });

  test("of an installation reads every file of its lake, and tries its sources", async () => {
    const { run } = newPerson();
    let skew = 0;
    const upstream = listen(
      () => new Response("made up", { headers: { date: new Date(Date.now() + skew).toUTCString() } }),
    );
    const settings = {
      DATA_DIR: join(demo.directory, ".."),
      UPSTREAM_BASE: upstream.url,
      ACCESS: "open",
      LIVE_FEED: "coinbase",
    };
    const fine = await run("doctor --local --json", settings);
    expect(findings(fine.out).find(({ what }) => what === "lake")).toMatchObject({
      state: "ok",
      found: expect.stringMatching(/^\d tables intact, \d/),
    });
    const sources = findings(fine.out).filter(({ what }) => what === "source");
    expect(sources.length).toBeGreaterThan(12);
    expect(sources.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(findings(fine.out).at(-1)).toMatchObject({ what: "clock", state: "ok" });

    skew = 180_000;
    expect(findings((await run("doctor --local --json", settings)).out).at(-1)).toMatchObject({
      what: "clock",
      state: "broken",
      found: expect.stringMatching(/^this machine's clock is [23] min behind \S+, \S+, \S+ and \d+ more/),
    });

    await upstream.stop();
    const cut = await run("doctor --local --json", settings);
    expect(cut.code).toBe(1);
    expect(findings(cut.out).at(-1)).toMatchObject({
      what: "sources",
      state: "broken",
      found: expect.stringContaining(`none of ${sources.length} hosts can be reached; `),
    });
  });

  test("of plans says where Stripe charges another price", async () => {
    const { run } = newPerson();
    const stripe = await startStripe({ now: Date.now });
    const DATA_DIR = temporaryDirectory();
    const PLANS_FILE = join(DATA_DIR, "plans.json");
    const said = async (plans: object) => {
      writeFileSync(PLANS_FILE, JSON.stringify(plans));
      const { out } = await run("doctor --local --json", {
        ...{ DATA_DIR, PLANS_FILE, ACCESS: "metered", UPSTREAM_BASE: "http://127.0.0.1:9" },
        ...{ STRIPE_SECRET_KEY: stripe.secretKey, STRIPE_WEBHOOK_SECRETS: "whsec_test" },
        ...{ STRIPE_PRICES: CATALOG_SETTING, STRIPE_API_BASE: stripe.base },
      });
      return findings(out).filter(({ what }) => what === "billing");
    };
    expect(await said({})).toMatchObject([{ state: "ok" }]);
    expect(await said({ pro: { offers: [{ interval: "monthly", price_usd: 25 }] } })).toMatchObject([
      {
        state: "broken",
        found: expect.stringContaining("Stripe charges 30.00 USD every month (price_pro_monthly)"),
      },
    ]);
    await stripe.stop();
    expect(await said({})).toMatchObject([
      { state: "broken", found: expect.stringContaining("read the prices") },
    ]);
  });

  test("of Redis and a ledger that cannot be used says what to do", async () => {
    const { run } = newPerson();
    const DATA_DIR = temporaryDirectory();
    writeFileSync(join(DATA_DIR, "ledger.sqlite"), "no database");
    const { out } = await run("doctor --local --json", {
      DATA_DIR,
      ACCESS: "metered",
      REDIS_URL: "redis://127.0.0.1:9",
      REPLICAS: "2",
      UPSTREAM_BASE: "http://127.0.0.1:9",
    });
    const broken = findings(out).filter(({ state }) => state === "broken");
    for (const what of ["ledger", "Redis"])
      expect(broken.find((finding) => finding.what === what)?.advice).toBeString();
  });
});

test.skipIf(terminalPython === null)("at a terminal the password is asked for and never shown", async () => {
  const XDG_CONFIG_HOME = temporaryDirectory();
  const { shown, code } = await onTerminal(
    ["login"],
    { CROSSRATE_URL: demo.url, XDG_CONFIG_HOME },
    {
      dialogue: [
        ["E-mail address: ", `${EMAIL}\r`],
        ["Password: ", "crossrate-demx\x7fo\r"],
      ],
    },
  );
  expect({ code, shown }).toEqual({
    code: 0,
    shown: expect.stringContaining(`Signed in at ${demo.url} as ${EMAIL}`),
  });
  expect(shown).not.toContain("crossrate-dem");
  expect(existsSync(join(XDG_CONFIG_HOME, "crossrate", "logins.json"))).toBe(true);
});
