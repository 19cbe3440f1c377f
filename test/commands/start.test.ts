/** A wrong argument or setting is refused in one line that names it, before anything is done. */

import { describe, expect, test } from "bun:test";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inSettings } from "#commands/open-product.ts";
import { readConfig } from "#config.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { account, optionsOf } from "#test/store/ledger/ledgers.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectRefusedInOneLine, runCommand, runInProcess, startCommand } from "./process.ts";

const PORT = String(listen(() => new Response()).port);

const directory = temporaryDirectory();
const FILE = join(directory, "a-file");
writeFileSync(FILE, "");

const serve = (environment: Record<string, string>) =>
  runInProcess(["serve"], {
    DATA_DIR: temporaryDirectory(),
    PORT: "0",
    LIVE_FEED: "off",
    UPSTREAM_BASE: "http://127.0.0.1:9",
    ...environment,
  });

const NO_BUCKET = {
  ...{ LAKE_URL: "s3://rates/fx", AWS_ENDPOINT_URL: "http://127.0.0.1:9", LOG_LEVEL: "silent" },
  ...{ AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" },
};

describe("serve refuses a wrong setting in one line that begins with its name, and exits with code 1", () => {
  const cases: readonly (readonly [string, Record<string, string>])[] = [
    [`PORT=${PORT}: something listens there already`, { PORT }],
    [`METRICS_PORT=${PORT}: something listens there already`, { METRICS_PORT: PORT }],
    [
      `ADMIN_PORT=${PORT}: something listens there already`,
      { ADMIN_PORT: PORT, METRICS_PORT: "0", ACCESS: "metered" },
    ],
    ["HOST=no such host!: cannot be listened on", { HOST: "no such host!" }],
    ["METRICS_HOST=no such host!: cannot", { METRICS_PORT: "0", METRICS_HOST: "no such host!" }],
    ["HOST=192.0.2.1: cannot be listened on; write an address of this machine", { HOST: "192.0.2.1" }],
    [
      "DATABASE_URL=…: the ledger is unavailable",
      { DATABASE_URL: "postgres://user:secret@127.0.0.1:9/none", ACCESS: "metered" },
    ],
    ["LAKE_URL=s3://rates/fx: the lake's storage cannot be used: GET rates/: ", NO_BUCKET],
    [`DATA_DIR=${FILE}: cannot be used`, { DATA_DIR: FILE }],
    [`DATA_DIR=${FILE}: cannot be used`, { DATA_DIR: FILE, ACCESS: "metered" }],
  ];
  test.each(cases)("%s", async (line, environment) => {
    expectRefusedInOneLine(await serve(environment), `crossrate serve: ${line}`);
  });

  test("a database that refuses the statements of a start, as a pooler that shares connections does", () => {
    const refusal = { code: "ERR_POSTGRES_SERVER_ERROR", errno: "42P05" };
    const fault = Object.assign(new Error('prepared statement "P0" already exists'), refusal);
    const config = readConfig({ DATABASE_URL: "postgres://user:secret@127.0.0.1/pooled" });
    expect(String(inSettings(fault, config))).toMatch(
      /^Error: DATABASE_URL=…: prepared statement "P0" already exists; .* what a pooler before it needs \(docs\/ledger\.md\)$/,
    );
  });

  test("a file system without hard links, which is not a matter of rights", () => {
    const fault = { code: "EPERM", syscall: "link", path: `${directory}/lake/daily/_delta_log/0.json` };
    const error = Object.assign(new Error("EPERM: operation not permitted, link"), fault);
    const named = inSettings(error, readConfig({ DATA_DIR: directory }));
    expect(String(named)).toEndWith(
      "no hard links, like exFAT and many network shares: set DATA_DIR to a folder on another",
    );
  });

  test("all wrong settings are listed at once, by serve and by doctor, without secrets", async () => {
    const plans = join(directory, "plans.json");
    writeFileSync(plans, JSON.stringify({ basic: { month: 0 }, gold: {} }));
    const wrong: Record<string, string> = {
      ACCESS: "metered",
      PORT: "abc",
      NODE_ENV: "production",
      KEY_PEPPER: "secret",
      REDIS_URL: "redis://127.0.0.1:9",
      PLANS_FILE: plans,
      PUBLIC_URL: "http://rates.example.com",
      SMTP_URL: "mail://user:secret@host",
      MAIL_FROM: "me",
      OIDC_ISSUER: "http://login.example.com",
      OIDC_CLIENT_ID: "id",
      WEBHOOK_EGRESS_PROXY: "http://host/secret",
      OFFICIAL_TABLES: "mex_fix,none",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    const faults = [
      "PORT=abc: ",
      "REPLICAS: REDIS_URL needs it: ",
      "MASTER_KEYS is empty: ",
      "KEY_PEPPER is set ",
      "PUBLIC_URL: ",
      "SMTP_URL: ",
      "MAIL_FROM: ",
      "OIDC_ISSUER: ",
      "WEBHOOK_EGRESS_PROXY=…: ",
      `PLANS_FILE=${plans}: gold: `,
      `PLANS_FILE=${plans}: basic.month=0: `,
      "OFFICIAL_TABLES: mex_fix cannot be requested without BANXICO_TOKEN",
      "OFFICIAL_TABLES: none is none of ",
      "NODE_TLS_REJECT_UNAUTHORIZED=0: ",
    ];
    // A capital, two letters exchanged, one more, one less, another one. The settings near the last two are set.
    const near = [
      "Lake_Url",
      "DATABASE_ULR",
      "LAKE_CACHE_MBS",
      "BATCHLIMIT",
      "POLICY_URI",
      "SMTP_URI",
      "PORTS",
    ];
    for (const name of near) wrong[name] = "secret";
    const { code, out, err } = await serve(wrong);
    const lines = err.trimEnd().split("\n");
    const misspelt = lines.splice(0, near.length - 2);
    expect({ code, out, lines: lines.length }).toEqual({ code: 2, out: "", lines: 1 + faults.length });
    expect(misspelt).toEqual(
      ["LAKE_URL", "DATABASE_URL", "LAKE_CACHE_MB", "BATCH_LIMIT", "POLICY_URL"].map(
        (setting, nth) => `${near[nth]} is no setting and does nothing; ${setting} is one`,
      ),
    );
    const found = JSON.parse((await runInProcess(["doctor", "--local", "--json"], wrong)).out);
    for (const line of misspelt)
      expect(found).toContainEqual(expect.objectContaining({ what: "settings", state: "note", found: line }));
    for (const fault of faults) {
      expect(lines).toContainEqual(expect.stringContaining(`- ${fault}`));
      expect(found).toContainEqual(
        expect.objectContaining({ what: "settings", state: "broken", found: expect.stringContaining(fault) }),
      );
    }
    expect(err.replaceAll("secrets/master.key", "")).not.toContain("secret");
  });

  test.each([directory, `${FILE}2`])("PLANS_FILE=%s cannot be read", async (file) => {
    const { code, err } = await serve({ PLANS_FILE: file, ACCESS: "metered" });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`- PLANS_FILE=${file}: cannot be read (`),
    });
  });

  test("doctor calls a bucket that is out of reach no damage", async () => {
    const settings = { ...NO_BUCKET, ACCESS: "open", LIVE_FEED: "off", OFFICIAL_TABLES: "off" };
    const offline = { DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: "http://127.0.0.1:9" };
    const { out } = await runInProcess(["doctor", "--local", "--json"], { ...settings, ...offline });
    const lake = JSON.parse(out).find(({ what }: { what: string }) => what === "lake");
    expect(lake).toMatchObject({ state: "broken", advice: expect.not.stringContaining("repair") });
    expect(lake.found).toStartWith("LAKE_URL=s3://rates/fx: ");
  });

  test("other commands name it too", async () => {
    const { code, err } = await runInProcess(["held"], { DATA_DIR: FILE });
    expect(err).toStartWith(`crossrate held: DATA_DIR=${FILE}: cannot be used`);
    expect(code).toBe(1);
  });
});

describe("arguments", () => {
  test.each(["serve", "demo"])(
    "%s is not read as a setting, and the refusal explains how settings are given",
    async (name) => {
      const { code, out, err } = await runInProcess([name, "--port"], { DATA_DIR: FILE });
      expect(err).toBe(
        `crossrate ${name}: --port is not understood; settings come from the environment, as in PORT=4000\nusage: crossrate ${name} [options]\n`,
      );
      expect({ code, out }).toEqual({ code: 2, out: "" });
    },
  );

  test("an unknown command is answered on standard error with the one that may be meant", async () => {
    const { code, out, err } = await runInProcess(["exprot"]);
    expect(err).toStartWith("crossrate: unknown command 'exprot' (Did you mean export?)\n");
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  test("both forms of help print the same text, and every command has its own and refuses an unknown option", async () => {
    const overview = (await runInProcess(["--help"])).out;
    const names = Array.from(overview.matchAll(/^ {2}([a-z]+) /gm), ([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(9);
    for (const name of names) {
      const [before, after] = [await runInProcess(["help", name]), await runInProcess([name, "--help"])];
      expect(before).toEqual(after);
      expect(after.out).toStartWith(`Usage: crossrate ${name}`);
      expect(after.code).toBe(0);
      const { code, err } = await runInProcess([name, "--xyz"]);
      expect(err, name).toMatch(/(option '--xyz'|--xyz is not).*\nusage: /);
      expect(code, name).toBe(2);
    }
  });
});

test("a command that does not serve writes nothing but what came of it, unless LOG_LEVEL asks for more", async () => {
  const quiet = await runCommand(["held"], { DATA_DIR: join(directory, "quiet"), LOG_LEVEL: "" });
  expect(quiet).toEqual({ code: 0, out: "nothing is held\n", err: "" });
  const verbose = await runCommand(["held"], { DATA_DIR: join(directory, "quiet"), LOG_LEVEL: "info" });
  expect(verbose.err).toContain('"event":"history_built"');
});

// With a missing or damaged ledger every command refuses to start, in one line with file and remedy; --new-ledger creates a new one.
const silent = listen(() => new Response("", { status: 404 }));

async function used(): Promise<{ directory: string; path: string; settings: Record<string, string> }> {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory }, optionsOf());
  await account(ledger, "a");
  await ledger.close();
  const settings = {
    ...{ DATA_DIR: directory, PORT: "0", LIVE_FEED: "off", ACCESS: "metered" },
    UPSTREAM_BASE: `http://127.0.0.1:${silent.port}`,
  };
  return { directory, path: join(directory, "ledger.sqlite"), settings };
}

describe("a ledger that is gone", () => {
  test.each([["metered"], ["open"]])("stops serve with ACCESS=%s: one line, exit code 1", async (ACCESS) => {
    const { path, settings } = await used();
    rmSync(path);
    const missing = `crossrate serve: ${path}: the ledger is missing, and this data directory has had one`;
    const refused = await runInProcess(["serve"], { ...settings, ACCESS });
    expectRefusedInOneLine(refused, missing, "--new-ledger");
  });

  test.each([
    [["accounts", "list"], "there are no accounts"],
    [["admin", "official"], "mex_fix"],
  ])("is created by crossrate %p with --new-ledger, and not without", async (args, expected) => {
    const { path, settings } = await used();
    truncateSync(path, 0);
    const refused = await runInProcess(args, settings);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`${path}: the ledger is empty`);
    const accepted = await runInProcess([...args, "--new-ledger"], settings);
    expect(accepted.code).toBe(0);
    expect(accepted.out).toContain(expected);
    expect((await runInProcess(args, settings)).code).toBe(0);
  });

  test("is created by serve --new-ledger", async () => {
    const { path, settings } = await used();
    rmSync(path);
    const command = startCommand(["serve", "--new-ledger"], settings);
    await command.until("out", /answers on/);
    expect(await command.end()).toBe(0);
    expect((await runInProcess(["accounts", "list"], settings)).out).toBe("there are no accounts\n");
  });
});

test("a damaged ledger is one line with file and remedy, exit code 1, also with --new-ledger", async () => {
  const { path, settings } = await used();
  writeFileSync(path, "no database ".repeat(1000));
  for (const args of [
    ["accounts", "list"],
    ["accounts", "list", "--new-ledger"],
  ]) {
    const damaged = `crossrate accounts list: ${path}: the ledger is damaged (SQLITE_NOTADB`;
    const remedy = "restore a backup (docs/ledger.md)";
    expectRefusedInOneLine(await runInProcess(args, settings), damaged, remedy);
  }
});

test("a damaged key file is one line with file and remedy, exit code 1", async () => {
  const { directory, settings } = await used();
  const key = join(directory, "cursor.key");
  writeFileSync(key, "0123");
  const refused = await runInProcess(["serve"], settings);
  expectRefusedInOneLine(refused, `crossrate serve: ${key}: it is damaged`);
});
