/**
 * `bun run check:engines`: PySpark, deltalake, Polars and DuckDB read the tables on disk while the service commits a day after the other. The
 * rows are those of the JSON pages, of the newest version and of an older one. deltalake, Polars and PySpark do the same on a bucket. And the jobs of examples/spark
 * run, on a small table: `--rows=` makes it larger.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { codeBlocks, ROOT, readDocument } from "#test/docs/document.ts";
import { CREDENTIALS, MOTO, motoBucket } from "#test/store/bucket/storage-server.ts";
import { startAnswering } from "#test/support/answering.ts";
import { atEnd, onceInFile } from "#test/support/at-end.ts";
import { runSteps, type Step } from "#test/support/steps.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { pythonWith } from "#test/support/tools.ts";
import { FIRST_DATE, type Figures, QUOTES, type Service, startService } from "./served.ts";

const ENGINES = ["deltalake", "polars", "duckdb", "spark"] as const;
/** Each engine reads the newest version so often, and in between commits go on. */
const READS = 3;
const [rows, words] = readArguments(process.argv.slice(2));
/** By engine, what it read of `intraday`. */
const quotes = new Map<string, Figures>();

interface Answer {
  readonly from: number;
  readonly to: number;
  readonly rows: Figures;
}

/** Resolves when the engine is loaded. */
async function startEngine(
  python: string,
  name: string,
  service: Service,
  environment: Readonly<Record<string, string>>,
) {
  const parameters = [name, service.table("daily"), service.table("intraday"), FIRST_DATE];
  const program = startAnswering([python, join(import.meta.dir, "read.py"), ...parameters], environment);
  await program.next();
  return {
    ask: async (what: string): Promise<Answer> => JSON.parse(await program.ask(what)),
    end: program.end,
  };
}

/** The rows must be the pages of one of the versions that the engine may have read. */
function compare({ from, to, rows }: Answer, { pages }: Service): void {
  const possible = [...pages].filter(([version]) => version >= from && version <= to);
  if (possible.length === 0) throw new Error(`no pages of the versions ${from} to ${to}`);
  if (rows.length === 0) throw new Error("no rows");
  if (possible.some(([, figures]) => Bun.deepEquals(figures, rows))) return;
  const [version, figures = []] = possible[0] ?? [];
  const [extra, missing] = [new Set(rows), new Set(figures)];
  throw new Error(
    `version ${version}: only read ${[...extra].filter((row) => !missing.has(row)).slice(0, 5)}; only in the pages ${[...missing].filter((row) => !extra.has(row)).slice(0, 5)}`,
  );
}

/** Reads while days pass; resolves with how many versions were there, and which were read. */
async function readBeside(
  python: string,
  name: string,
  service: Service,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const engine = await startEngine(python, name, service, environment);
  const [oldest = 0] = service.pages.keys();
  const read = new Set<number>();
  let isReading = true;
  let failed = false;
  const commits = (async () => {
    let passed = 0;
    try {
      while (isReading) {
        await service.pass();
        passed += 1;
      }
    } catch (fault) {
      failed = true;
      throw fault;
    }
    return passed;
  })();
  try {
    for (let nth = 0; nth < READS; nth++) {
      const answers = [await engine.ask("newest"), await engine.ask(String(oldest))];
      // A version that was read may have its pages a moment later; the next reading waits for a newer one, in the midst of commits.
      const [{ to }] = answers as [Answer];
      while (Math.max(...service.pages.keys()) <= to && !failed) await Bun.sleep(5);
      for (const answer of answers) compare(answer, service);
      for (const answer of answers) read.add(answer.to);
    }
    if (isQuoted(name)) quotes.set(name, (await engine.ask("intraday")).rows);
  } finally {
    isReading = false;
    await commits;
    await engine.end();
  }
  if (read.size < READS) throw new Error(`only the versions ${[...read]} were read`);
  return `versions ${[...read].sort((a, b) => a - b).join(", ")} while ${await commits} days were committed`;
}

/** In a bucket there are no quotes. */
function isQuoted(name: string): boolean {
  return ENGINES.some((engine) => engine === name);
}

/** An engine on S3-compatible storage, beside a service whose lake is there. */
async function readBucketBeside(python: string, name: string): Promise<string> {
  if (MOTO === null) throw new Error("moto is missing: test/requirements.txt");
  const place = await motoBucket();
  const service = await startService(place);
  try {
    return await readBeside(python, `${name}-s3`, service, {
      ...CREDENTIALS,
      // Hadoop's file system is given the first, the readers in Rust take the others.
      AWS_ENDPOINT_URL_S3: place.endpoint,
      AWS_ENDPOINT_URL: place.endpoint,
      AWS_ALLOW_HTTP: "true",
    });
  } finally {
    await service.stop();
  }
}

/** Every engine has given the same quotes, to the microsecond and the last digit. */
function sameQuotes(): string {
  const [first = []] = quotes.values();
  if (first.length !== QUOTES || quotes.size !== ENGINES.length)
    throw new Error(`${first.length} quotes from ${quotes.size} engines`);
  for (const [name, rows] of quotes)
    if (!Bun.deepEquals(rows, first)) throw new Error(`${name} has other quotes`);
  return `${first.length} quotes`;
}

/** The example reads a lake, and its job computes what a second way of computing says. */
async function example(python: string, service: Service): Promise<string> {
  const folder = join(ROOT, "examples/spark");
  const read = await run([python, join(folder, "read.py"), service.table("daily")]);
  if (!read.includes("VERSION AS OF") || !/\bUSD\b/.test(read)) throw new Error(read);
  const table = join(temporaryDirectory(), "synthetic");
  const job = [python, join(folder, "crosses.py"), "--table", table, "--rows", String(rows), "--check"];
  const printed = await run(job);
  if (!printed.includes("checked")) throw new Error(printed);
  if (!existsSync(join(table, "_delta_log"))) throw new Error("no table was made");
  return printed.trim().split("\n").at(-1) ?? "";
}

/** A program has run when its last statement has: the readers' threads can abort the interpreter while it shuts down (deltalake 1.6 with PyArrow 26). */
const END = "import os, sys; sys.stdout.flush(); os._exit(0)";

/** The programs of docs/engines.md, on this lake and its oldest version. */
async function documented(python: string, service: Service): Promise<string> {
  const [oldest = 0] = service.pages.keys();
  const programs = codeBlocks(await readDocument("docs/engines.md")).filter(
    ({ language }) => language === "py",
  );
  for (const { content } of programs) {
    const text = content
      .replaceAll("/srv/rates/lake/daily", service.table("daily"))
      .replace(/(version=|VERSION AS OF )41/gi, `$1${oldest}`);
    await run([python, "-c", `${text}\n${END}`]);
  }
  if (programs.length < 3) throw new Error(`${programs.length} programs`);
  return `${programs.length} programs`;
}

/** Rows of the example's table, 200,000 unless `--rows=` says otherwise; the other words choose steps by a part of their names. */
function readArguments(given: readonly string[]): readonly [number, readonly string[]] {
  const flag = given.find((word) => word.startsWith("--rows="));
  const rows = flag === undefined ? 200_000 : Number(flag.slice("--rows=".length));
  if (!Number.isSafeInteger(rows) || rows < 1) throw new Error(`${flag}: a number of rows is needed`);
  return [rows, given.filter((word) => word !== flag)];
}

/** What the Python of the check needs: Spark and the readers in one environment. */
const requirements = join(import.meta.dir, "requirements.txt");
const ready = onceInFile(async () => {
  const service = await startService();
  atEnd(service.stop);
  return service;
});
const python = async () => join(await pythonWith(requirements), "python");
const steps: Step[] = [
  {
    what: "the service commits days and answers with JSON pages",
    run: async () => {
      await python();
      const { pages } = await ready();
      return `${[...pages.values()][0]?.length} figures`;
    },
  },
  ...ENGINES.map((name) => ({
    what: `${name} reads what the JSON pages say, newest and older, while it commits`,
    run: async () => await readBeside(await python(), name, await ready()),
  })),
  ...["deltalake", "polars", "spark"].map((name) => ({
    what: `${name} reads the same from a bucket, newest and older, while the service commits to it`,
    run: async () => await readBucketBeside(await python(), name),
  })),
  { what: "all of them read the same quotes", run: async () => sameQuotes() },
  {
    what: "the programs of docs/engines.md run",
    run: async () => await documented(await python(), await ready()),
  },
  { what: "the jobs of examples/spark run", run: async () => await example(await python(), await ready()) },
];
await runSteps(steps.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word))));
