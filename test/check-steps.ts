/** The steps of the check, each a child process: format and lint, types, arrows, unused code, tests, and tests that are apart. */

import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { availableParallelism, freemem, tmpdir } from "node:os";
import { join, normalize, resolve } from "node:path";
import { judgeSkips, readReasons, readSummary, type Tally } from "./check-tally.ts";
import { RUN_DIRECTORY } from "./support/once.ts";

const ROOT = resolve(import.meta.dir, "..");
const BIOME = "node_modules/@biomejs/biome/bin/biome";
/** What a step has found out of files that have not changed since. */
const CACHE = "node_modules/.cache";
/** Biome rules that make up the step "arrows". */
export const ARROW_RULES = ["style/noRestrictedImports", "style/noCommonJs", "suspicious/noImportCycles"];
const MOST_TEST_PROCESSES = 4;
const MEMORY = "/dev/shm";
/** A few times what the tests of a run have there at once. */
const ENOUGH_MEMORY_BYTES = 4 * 1024 ** 3;
/** Milliseconds of processor time of the slowest files: they begin first, so that none of them is left alone at the end. */
const SLOW_FILES = "test/timings.json";
/** Of every other file. The runner begins with those that it knows nothing about. */
const QUICK_MILLISECONDS = 500;
/** Unless a test says otherwise; generous, because the processes share a machine with others. */
const TEST_TIMEOUT_MILLISECONDS = 60_000;
/** A step that hangs is killed and fails. */
const STEP_TIMEOUT_MILLISECONDS = 30 * 60_000;

/** What starts several installations or an attacking program, and no other test needs: `bun run check` leaves it to the step "apart". */
const APART = [
  "test/packages",
  "test/failover",
  "test/hostile",
  "test/deploy",
  "test/api/schemathesis.test.ts",
];

/** Recorded upstream documents beside the repository; see test/check-tally.ts on why they may be absent. */
const RECORDED_DOCUMENTS = resolve(ROOT, "..", "shared", "data");

const hasDocuments = () => Bun.file(join(RECORDED_DOCUMENTS, "README.md")).exists();
const OF_DOCUMENTS = /real upstream documents/;

export interface Step {
  readonly name: string;
  /** What it makes sure of, for --help. */
  readonly purpose: string;
  /** Takes the whole machine; the others run at the same time, before it. */
  readonly runsTests?: true;
  /** Does not run unless it is named. */
  readonly isApart?: true;
  /** `paths` are files or folders of tests; without any, all that belong to the step. */
  run(strict: boolean, paths: readonly string[]): Promise<Outcome>;
}

export interface Outcome {
  readonly tally: Tally;
  readonly output: string;
  /** Reasons of skipped tests, to be repeated at the end. */
  readonly reasons: readonly string[];
}

export const STEPS: readonly Step[] = [
  {
    name: "lint",
    purpose: "format, lint, and who may import whom (Biome)",
    run: () => tool(BIOME, "ci", "--colors=off", "--error-on-warnings", "."),
  },
  {
    name: "types",
    purpose: "types (tsc)",
    run: () =>
      tool(
        "node_modules/typescript/bin/tsc",
        "--noEmit",
        // More of them read the same types again: two thirds more work, and lint and unused run beside it.
        ...["--checkers", "1"],
        "--incremental",
        "--tsBuildInfoFile",
        `${CACHE}/types.tsbuildinfo`,
      ),
  },
  {
    name: "arrows",
    purpose: "of lint, who may import whom (biome.json's table, docs/architecture.md); only when it is named",
    isApart: true,
    run: () =>
      tool(
        BIOME,
        "lint",
        "--colors=off",
        "--error-on-warnings",
        ...ARROW_RULES.map((rule) => `--only=${rule}`),
        "src",
        "test",
        "bench",
      ),
  },
  {
    name: "unused",
    purpose: "files, exports and dependencies that nothing uses (knip.json)",
    run: () =>
      tool("node_modules/knip/bin/knip.js", "--no-progress", "--cache", `--cache-location=${CACHE}/knip`),
  },
  {
    name: "tests",
    purpose: "the tests (bun test): all, or those of the folders and files that are named",
    runsTests: true,
    run: (strict, paths) => {
      const ignored = APART.filter((apart) => !paths.some((path) => normalize(path).startsWith(apart)));
      return runTests(strict, paths, ignored);
    },
  },
  {
    name: "apart",
    purpose:
      "tests of packages, deployments, failover and hostile clients, and generated requests; only when it is named",
    runsTests: true,
    isApart: true,
    run: (strict) => runTests(strict, APART, []),
  },
];

async function tool(...command: readonly string[]): Promise<Outcome> {
  const { exitCode, output } = await spawn(command);
  const failed = exitCode === 0 ? 0 : 1;
  return { tally: { passed: 1 - failed, failed, skipped: 0 }, output, reasons: [] };
}

/** The tests of these files and folders, or all; `ignored` are files and folders that are left out. */
async function runTests(strict: boolean, paths: readonly string[], ignored: readonly string[]) {
  const scratch = await mkdtemp(join(await quickestDirectory(), "crossrate-check-"));
  // A Postgres server of the tests runs as another user, and its cluster lies below.
  await chmod(scratch, 0o711);
  try {
    // One more than there are processors: many a test waits for a process that it has started.
    const processes = Math.min(availableParallelism() + 1, MOST_TEST_PROCESSES);
    const { exitCode, output } = await spawn(
      [
        "test",
        `--timeout=${TEST_TIMEOUT_MILLISECONDS}`,
        `--parallel=${processes}`,
        // The modules are read once a process, not once a file: a fifth of the work. Files share no more than that, as
        // setup.ts ends everything after each of them.
        "--no-isolate",
        `--timings=${await timings(scratch)}`,
        ...ignored.map((path) => `--path-ignore-patterns=${path.endsWith(".ts") ? path : `${path}/**`}`),
        ...paths,
      ],
      { [RUN_DIRECTORY]: scratch, TMPDIR: scratch },
    );
    const reasons = readReasons(output);
    const isExcused = (await hasDocuments()) ? () => false : (reason: string) => OF_DOCUMENTS.test(reason);
    return { tally: judgeSkips(readSummary(output, exitCode), reasons, strict, isExcused), output, reasons };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Where the tests' files lie, unless TMPDIR says it: in memory where there is plenty of it, because much of the time would
 * go to a disk that no test is about. A test of a full disk mounts its own (test/support/small-disk.ts), and kill -9 spares what was
 * written.
 */
async function quickestDirectory(): Promise<string> {
  if (process.env["TMPDIR"] !== undefined) return tmpdir();
  const memory = await statfs(MEMORY).catch(() => null);
  const free = memory === null ? 0 : memory.bavail * memory.bsize;
  return Math.min(free, freemem()) < ENOUGH_MEMORY_BYTES ? tmpdir() : MEMORY;
}

/** Path of a file with the time of every test file, in the shape that the runner reads. */
async function timings(directory: string): Promise<string> {
  const { version, files: slow } = await Bun.file(join(ROOT, SLOW_FILES)).json();
  const found = await Array.fromAsync(new Bun.Glob("test/**/*.test.ts").scan(ROOT));
  const files = Object.fromEntries(found.map((file) => [file, slow[file] ?? QUICK_MILLISECONDS]));
  const path = join(directory, "timings.json");
  await Bun.write(path, JSON.stringify({ version, files }));
  return path;
}

/** Runs Bun itself, wherever it lies, with a script and arguments; both output streams in one text, in order of arrival. */
async function spawn(command: readonly string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: ROOT,
    stdin: "ignore",
    timeout: STEP_TIMEOUT_MILLISECONDS,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...environment },
  });
  const chunks: string[] = [];
  const drain = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }));
  };
  await Promise.all([drain(child.stdout), drain(child.stderr)]);
  return { exitCode: await child.exited, output: chunks.join("") };
}
