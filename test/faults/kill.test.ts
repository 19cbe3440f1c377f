/**
 * kill -9 at every step of commits, checkpoints, the removal of old versions, flushes and the first start:
 * what was acknowledged is there exactly once, Delta readers agree before the next start and after it, and that start is quick. Some processes are killed a second time, while they mend the first. Then the same of a repair.
 *
 * A process dies at its N-th effect on the file system (kill-preload.ts). The check takes a few N; all of them, or so many:
 *
 *     KILL_ROUNDS=200 bun test test/faults/kill.test.ts
 *
 * KILL_SEED repeats a run, KILL_AT=daily:17 or daily:17:half one death.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { LakeDamaged } from "#store/delta/damage.ts";
import { repairDaily } from "#store/lake/maintain.ts";
import { startCommand, startServe } from "#test/commands/process.ts";
import { join as joinServer, PASSWORD } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { flip } from "#test/store/delta/sample.ts";
import { copyOf, firstChange, loggedFiles, openedLake, secondChange } from "#test/store/lake/sample.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { checkKilled, startDeltaReader } from "./kill-check.ts";
import {
  PREPARED,
  perform,
  type Reached,
  reached,
  SCRIPTS,
  type Script,
  STEPS,
  statesOf,
  timeOf,
} from "./kill-script.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 3);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
const ONLY = process.env["KILL_AT"];
const [CHILD, PRELOAD] = [join(import.meta.dir, "kill-child.ts"), join(import.meta.dir, "kill-preload.ts")];
const PYTHON = optionalPython(["deltalake", "duckdb", "pyarrow"], "a Delta reader's view of a killed writer");
/** A second on a machine that does nothing else. */
const OPEN_MILLISECONDS = 3_000;
const isLong = ROUNDS > 20;
/** About as many as there are; a process that has fewer ends by itself, and is checked against all of its steps. */
const EFFECTS: Readonly<Record<Script, number>> = { daily: 280, intraday: 115, first: 240, open: 0 };
const BEFORE: Reached = { commits: 0, polls: 0 };

const deltaReader = PYTHON === null ? null : startDeltaReader(PYTHON);
afterAll(() => deltaReader?.end());
const states = statesOf(SEED, 30);
const prepared = new Map<Script, { readonly directory: string; readonly had: Reached }>();
beforeAll(async () => {
  for (const script of SCRIPTS) {
    const steps = PREPARED[script];
    const directory = temporaryDirectory();
    // Killed itself, in a way: what it has not flushed stays in the journal.
    const made = steps.length === 0 ? null : await perform(directory, SEED, steps, BEFORE, () => {});
    const target = copyOf(directory);
    await made?.close();
    prepared.set(script, { directory: target, had: reached(steps, BEFORE) });
  }
}, 60_000);

for (const script of SCRIPTS) {
  test(
    `${script}: killed at any effect (KILL_SEED=${SEED})`,
    async () => {
      const total = isLong ? await effectsOf(script) : EFFECTS[script];
      const deaths = deathsOf(script, total);
      console.log(`kill ${script}: seed ${SEED}, ${deaths.length} deaths of ${2 * total}`);
      let slowest = 0;
      for (const death of deaths) slowest = Math.max(slowest, await die(script, death));
      console.log(`kill ${script}: the slowest start after a death took ${Math.round(slowest)} ms`);
      expect(slowest).toBeLessThan(OPEN_MILLISECONDS);
    },
    60_000 + ROUNDS * 10_000,
  );
}

interface Death {
  readonly at: number;
  readonly half: boolean;
  /** At which effect of the start after it that process dies, too; 0 leaves it alive. */
  readonly again: number;
}

function deathsOf(script: Script, total: number): readonly Death[] {
  if (ONLY !== undefined) {
    const [of, at = "0", ...rest] = ONLY.split(":");
    return of === script
      ? [{ at: Number(at), half: rest.includes("half"), again: Number(rest.at(-1)) || 0 }]
      : [];
  }
  const random = seededRandom(SEED + SCRIPTS.indexOf(script as (typeof SCRIPTS)[number]));
  const all = Array.from({ length: 2 * total }, (_, nth): Death => {
    const again = random() < 0.3 ? 1 + Math.floor(random() * 25) : 0;
    return { at: 1 + (nth >> 1), half: nth % 2 === 1, again };
  });
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] as Death, all[last] as Death];
  }
  return all.slice(0, Math.ceil(ROUNDS / SCRIPTS.length));
}

async function effectsOf(script: Script): Promise<number> {
  const { directory, had } = takeCopy(script);
  const { output, signal } = await run(directory, script, had, {});
  expect({ signal, isClosed: output.includes("closed") }).toEqual({ signal: null, isClosed: true });
  const all = reached(STEPS[script], had);
  const ended = { least: all, most: all, now: timeOf(40)(), mayLack: false };
  await checkKilled(directory, states, ended, deltaReader?.ask ?? null);
  return Number(/effects (\d+)/.exec(output)?.[1]);
}

/** Resolves with how long the start after it took, in milliseconds. */
async function die(script: Script, { at, half, again }: Death): Promise<number> {
  const name = `KILL_SEED=${SEED} KILL_AT=${script}:${at}${half ? ":half" : ""}${again === 0 ? "" : `:${again}`}`;
  const { directory, had } = takeCopy(script);
  const { output } = await run(directory, script, had, { at, half });
  // A line cut off by the kill does not count. The last step has an end that is not one: closing.
  const steps = [...output.matchAll(/^ack (-?\d+)\n/gm)].map((match) => Number(match[1]) + 1);
  const done = Math.max(0, ...steps);
  const [least, most] = [reached(STEPS[script], had, done), reached(STEPS[script], had, done + 1)];
  if (again > 0) await run(directory, "open", least, { at: again, half });
  const now = timeOf(had.commits + STEPS[script].length)();
  try {
    const mayLack = script === "first";
    return await checkKilled(directory, states, { least, most, now, mayLack }, deltaReader?.ask ?? null);
  } catch (fault) {
    throw new Error(`${name}: ${fault instanceof Error ? fault.message : fault}`, { cause: fault });
  }
}

function takeCopy(script: Script) {
  const { directory, had } = prepared.get(script) as { directory: string; had: Reached };
  return { directory: copyOf(directory), had };
}

async function run(
  directory: string,
  script: Script,
  had: Reached,
  { at = 0, half = false }: { readonly at?: number; readonly half?: boolean },
) {
  const parameters = [directory, script, SEED, had.commits, had.polls].map(String);
  const child = Bun.spawn([process.execPath, "--preload", PRELOAD, CHILD, ...parameters], {
    env: { ...process.env, KILL_AT: String(at), KILL_HALF: half ? "1" : "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complained] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (child.exitCode !== 0 && child.signalCode !== "SIGKILL") throw new Error(complained);
  return { output, signal: child.signalCode };
}

// What a command or a server has made is flushed, its name too, when it says so: a power cut takes none of it back.
const WATCHED = { BUN_OPTIONS: `--preload=${join(import.meta.dir, "flush-preload.ts")}` };
/** What may be lost: exports are made again, `current` from the tables, and the lock alone says who serves. */
const MADE_AGAIN = /\/(exports|lake\/current)(\/|$)|\/\.(server\.pid|columns\.cache)$/;

/** Names and contents that a power cut right after the end of a process could take back, by what it printed. */
function lostIn(printed: string): readonly string[] {
  const [, listed = "null"] = /^unflushed (.*)$/m.exec(printed) ?? [];
  return (JSON.parse(listed) as readonly string[]).filter((path) => !MADE_AGAIN.test(path));
}

test("by the first start of a server: its folder with those above, and the key file", async () => {
  const dataDir = join(temporaryDirectory(), "not", "there");
  const { url, end, until, printed } = await startServe({
    ...{ DATA_DIR: dataDir, ACCESS: "metered", LIVE_FEED: "off", UPSTREAM_BASE: "http://127.0.0.1:9" },
    // Making a key of cursors would flush the folder by chance.
    CURSOR_SECRET: "a secret of sufficient length",
    ...WATCHED,
  });
  await joinServer(url);
  expect(await end()).toBe(0);
  await until("out", /^unflushed/m);
  expect(existsSync(join(dataDir, "secrets", "master.key"))).toBe(true);
  expect(lostIn(printed.out)).toEqual([]);
});

test("by commands that write a file, or store a login", async () => {
  const folder = temporaryDirectory();
  const dataDir = await dataDirectory();
  const server = await openReplica({ dataDir, clock: fixedClock() });
  const { email, key } = await joinServer(server.url);
  writeFileSync(join(folder, "in.csv"), "from,to,amount,date\nUSD,EUR,1,2026-04-10\n");
  const days = ["EUR", "USD", "2026-04-01", "2026-04-10", "-o"];
  const environment = { CROSSRATE_URL: server.url, XDG_CONFIG_HOME: folder, DATA_DIR: dataDir, ...WATCHED };
  for (const [args, more] of [
    [["login", "--email", email], {}],
    [["range", ...days, join(folder, "range.csv")], { CROSSRATE_API_KEY: key }],
    [["convert", "--file", join(folder, "in.csv"), "--out", join(folder, "out.csv")], {}],
    [["export", ...days, join(folder, "export.csv")], { NOW: "2026-04-14T12:00:00Z" }],
  ] as const) {
    const command = startCommand(args, { ...environment, ...more });
    command.send(`${PASSWORD}\n`);
    await command.until("out", /^unflushed/m);
    expect([args[0], lostIn(command.printed.out)]).toEqual([args[0], []]);
  }
  const made = ["crossrate", "export.csv", "in.csv", "out.csv", "range.csv"];
  expect(readdirSync(folder).sort()).toEqual(made);
});

const REPAIR = join(import.meta.dir, "repair-child.ts");
/** Effects of a repair: 60 where a data file is damaged, 100 where a log is. */
const DEATHS = [6, 14, 22, 41, 55, 78, 95];

const dataFileOf = (directory: string): string =>
  relative(directory, loggedFiles(directory, "daily").find((path) => path.includes("year=2024")) as string);

const DAMAGES: Readonly<Record<string, (directory: string) => void>> = {
  "a data file": (directory) => flip(join(directory, dataFileOf(directory)), 300),
  "the log of daily": (directory) => flip(join(directory, "daily/_delta_log/00000000000000000002.json"), 300),
  "the log of revisions": (directory) =>
    flip(join(directory, "revisions/_delta_log/00000000000000000001.json"), 300),
};

async function damagedLake(damage: (directory: string) => void): Promise<string> {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(firstChange);
  await lake.commit(secondChange);
  await lake.close();
  damage(directory);
  return directory;
}

for (const [name, damage] of Object.entries(DAMAGES)) {
  test(`a repair of ${name}`, async () => {
    const template = await damagedLake(damage);
    const damagedFile = name === "a data file" ? dataFileOf(template) : null;
    for (const at of DEATHS) {
      const directory = copyOf(template);
      const killed = Bun.spawnSync([process.execPath, "--preload", PRELOAD, REPAIR, directory], {
        env: { ...process.env, KILL_AT: String(at), KILL_HALF: "0" },
      });
      const hasEnded = killed.stdout.toString().includes("repaired");
      const again = await repairDaily(directory, Date.now(), false);
      if (!hasEnded) {
        expect({ at, again: again.collectAgain }).toMatchObject({
          at,
          again: expect.arrayContaining(["ecb_daily"]),
        });
        const start = openedLake(directory).then((lake) => lake.read());
        if (name !== "a data file" || again.steps.some((step) => step.includes("has not ended")))
          await expect(start).rejects.toBeInstanceOf(LakeDamaged);
        await repairDaily(directory, Date.now(), true);
      }
      const lake = await openedLake(directory);
      const { coverage, damaged } = await lake.read();
      expect({ at, coverage, damaged }).toMatchObject({ at, coverage: [{ coveredThrough: 0 }], damaged: [] });
      await lake.close();
      expect(await repairDaily(directory, Date.now(), false)).toEqual({ steps: [], collectAgain: [] });
      // In its place `verify` would go on to find it, in an older version.
      if (damagedFile !== null) expect([at, existsSync(join(directory, damagedFile))]).toEqual([at, false]);
    }
  });
}

test("a version of a follower that daily names and that is gone is given up", async () => {
  const directory = await damagedLake(() => {});
  const lake = await openedLake(directory);
  const { revisions } = lake.tables;
  await revisions.log.writeHead({ table: revisions.latest()?.metaData.id as string, version: 0 });
  await lake.close();
  unlinkSync(join(directory, "revisions/_delta_log/00000000000000000001.json"));
  expect((await repairDaily(directory, Date.now(), true)).collectAgain).toEqual(["ecb_daily", "fred_daily"]);
  expect((await (await openedLake(directory)).read()).damaged).toEqual([]);
});
