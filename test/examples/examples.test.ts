/** The programs of examples/ on a real server that began with the packaged history of the ECB: what their page shows is what they print. */

import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "#domain/official/doubts.ts";
import { officialEvent } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { EUE_REFERENCE } from "#sources/official/eu.ts";
import { run } from "#test/clients/process.ts";
import { codeBlocks, ROOT, readDocument } from "#test/docs/document.ts";
import { day } from "#test/domain/history/columns.ts";
import { join as joinServer } from "#test/metered/client.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { openOracle } from "#test/rates/published-table.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const python = optionalPython(["httpx"], "the Python programs of examples/");
const PAGE = "examples/README.md";

const clock = fixedClock(ECB_SNAPSHOT.retrievedAt + 3_600_000);
const replica = await openReplica({ dataDir: temporaryDirectory(), clock });
await replica.crossrate.beginWithSnapshot();
await publishReference(clock.now());
await replica.crossrate.importQuotes({
  ...{ path: join(ROOT, "examples/backtest/EURUSD.csv"), label: "made up", progress: () => {} },
  wishes: { pair: null, offsetMinutes: null, side: null, columns: {} },
});
const member = await joinServer(replica.url);
await replica.setTier(member.organizationId, "pro");
const environment = { CROSSRATE_URL: replica.url, CROSSRATE_API_KEY: member.key };

/** The ECB's own table of March 2024, read from its history file as a server reads it. */
async function publishReference(now: number): Promise<void> {
  const file = await ECB_SNAPSHOT.read();
  const { retrievedAt, url: sourceUrl, sha256: documentSha256 } = file;
  const window = { reach: "history", from: day("2024-03-01"), to: day("2024-03-31") } as const;
  const [route] = EUE_REFERENCE.routes(window);
  const parsed = route?.parse(file, window);
  if (parsed?.outcome !== "publications") throw new Error("the file has no publications");
  const published = parsed.publications.map((reading) => {
    const facts = { table: EUE_REFERENCE.id, version: 1, retrievedAt, sourceUrl, documentSha256 };
    const version = { ...reading, ...facts, fingerprint: fingerprintOf(reading) };
    return { version, event: officialEvent(EUE_REFERENCE, version) };
  });
  const ledger = replica.crossrate.accounts?.ledger;
  await ledger?.outbox.publish(published, now);
  await ledger?.installation.write(`official:${EUE_REFERENCE.id}`, JSON.stringify({ lastSuccessAt: now }));
}

async function outputOf(command: readonly string[], cwd: string): Promise<string> {
  const python = { PYTHONPATH: join(ROOT, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
  return await run(command, { cwd, env: { ...python, ...environment } });
}

/** Every command of the page with the output below it. */
const shown = codeBlocks(await readDocument(PAGE)).flatMap(({ language, content }, at, blocks) => {
  const after = blocks[at + 1];
  return language === "sh" && after?.language === "text" ? [[content.trim(), after.content] as const] : [];
});

describe("the programs", () => {
  const folder = temporaryDirectory();
  beforeAll(async () => {
    cpSync(join(ROOT, "examples"), folder, { recursive: true });
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "esnext", module: "preserve", skipLibCheck: true },
      ...{ allowImportingTsExtensions: true, lib: ["esnext", "dom", "dom.iterable"] },
      types: [join(ROOT, "node_modules/@types/bun")],
      paths: { "@crossrate/client": [join(ROOT, "clients/typescript/src/crossrate.ts")] },
    };
    await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/*.ts"] }));
  });

  for (const [command, output] of shown) {
    const [runtime = "", program = "", ...words] = command.split(" ");
    const executable = runtime === "python" ? python : process.execPath;
    test.skipIf(executable === null)(`${command} prints what the page shows`, async () => {
      expect(await outputOf([executable as string, program, ...words], folder)).toBe(output);
    });
  }

  test("the compiler has nothing to say", async () => {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await outputOf([process.execPath, compiler, "--project", "tsconfig.json"], folder)).toBe("");
  });
});

describe("what the page shows is of the ECB's own file", () => {
  let oracle: Awaited<ReturnType<typeof openOracle>>;
  beforeAll(async () => {
    oracle = await openOracle();
  });
  const linesOf = (program: string, pattern: RegExp) =>
    shown
      .filter(([command]) => command.includes(program))
      .flatMap(([, output]) => [...output.matchAll(pattern)].map(([, ...parts]) => parts as string[]));

  test("the prices", () => {
    const prices = linesOf("prices.py", /^(?:P )?(\d{4}-\d\d-\d\d) (?:price )?([A-Z]{3}) ([\d.]+) EUR$/gm);
    expect(prices.length).toBe(8);
    for (const [date = "", code = "", price] of prices)
      expect([date, code, Number(price)]).toEqual([
        date,
        code,
        oracle.published(date, code, "EUR") as number,
      ]);
  });

  test("the trades, and what comes of them", () => {
    const trades = linesOf(
      "cost_basis.py",
      /^(\S+) +\w+ +\S+ +(\S+) ([A-Z]{3}) = +(\S+) EUR {2}at (\S+) of (\S+), ecb_daily$/gm,
    );
    const amounts = trades.map(([date = "", moved = "", code = "", converted, rate, rateDate]) => {
      const figure = oracle.rateOn(date, code, "EUR");
      expect([date, Number(rate), rateDate]).toEqual([date, figure?.value as number, figure?.date]);
      const exact = Number(moved) * (figure?.value ?? 0);
      expect(converted).toBe(exact.toFixed(2));
      return exact;
    });
    const [first = 0, second = 0, , sale = 0] = amounts;
    const output = shown.find(([command]) => command.includes("cost_basis.py"))?.[1];
    const cost = (first + second) / 2;
    expect(output).toContain(`cost    ${cost.toFixed(2)} EUR  realised     ${(-sale - cost).toFixed(2)} EUR`);
  });

  test("the invoices, each by the last table before it", async () => {
    const invoices = (await Bun.file(join(ROOT, "examples/vat/invoices.csv")).text())
      .trim()
      .split("\n")
      .slice(1);
    const rows = linesOf("vat.ts", /^(\S+) (\d\S+) {2}net +(\S+) EUR {2}VAT +(\S+) EUR$/gm);
    expect(rows).toEqual(
      invoices.map((invoice) => {
        const [number = "", date = "", net, vat, code = ""] = invoice.split(",");
        const before = formatDay(day(date) - 1);
        const rate = code === "EUR" ? 1 : (oracle.rateOn(before, "EUR", code)?.value ?? 0);
        return [number, date, (Number(net) / rate).toFixed(2), (Number(vat) / rate).toFixed(2)];
      }),
    );
  });
});

test("the page shows each of them", () => {
  expect(shown.map(([command]) => command.split(" ")[1])).toEqual([
    "prices/prices.py",
    "prices/prices.py",
    "portfolio/cost_basis.py",
    "vat/vat.ts",
    "backtest/backtest.ts",
  ]);
});
