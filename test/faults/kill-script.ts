/** What a process does before, while and after it is killed, as a list of steps: each brings lake or archive into a known state. */

import { join } from "node:path";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Archive, openQuoteArchive } from "#store/archive/archive.ts";
import { type OpenedLake, openLake } from "#store/lake/lake.ts";
import { quote } from "#test/store/archive/sample.ts";
import { type DailyState, dailyWork } from "./daily-work.ts";

export const SCRIPTS = ["daily", "intraday", "first"] as const;
/** `open` follows one of the others, whose process was killed. */
export type Script = (typeof SCRIPTS)[number] | "open";

const CODES: readonly CurrencyCode[] = ["EUR", "JPY", "GBP", "CHF"];
const QUOTED_FROM = Date.UTC(2026, 2, 2);
/** Polls are a quarter of a day apart: every fourth begins a date. */
const POLL_MINUTES = 361;
const STEP_MILLISECONDS = 11 * 3_600_000;

/** The clock of step so-and-so: versions are as old as the upkeep needs them. */
export function timeOf(step: number): () => number {
  return () => QUOTED_FROM + 20 * 86_400_000 + step * STEP_MILLISECONDS;
}

export interface Step {
  readonly name: string;
  /** Commits of daily figures that are there afterwards, and polls of quotes; as many as before where absent. */
  readonly commits?: number;
  readonly polls?: number;
  /** The quotes before are flushed while these are appended. */
  readonly flushesMeanwhile?: true;
}

/** What is there before the script begins, made without being killed. */
export const PREPARED: Readonly<Record<(typeof SCRIPTS)[number], readonly Step[]>> = {
  daily: [...commits(1, 9), { name: "upkeep" }, ...commits(10, 22)],
  intraday: [
    { name: "append", polls: 3 },
    { name: "flush" },
    { name: "append", polls: 7 },
    { name: "flush" },
    { name: "append", polls: 9 },
  ],
  first: [],
};

export const STEPS: Readonly<Record<Script, readonly Step[]>> = {
  daily: [...commits(23, 26), { name: "upkeep" }, ...commits(27, 28), { name: "upkeep" }],
  intraday: [
    { name: "append", polls: 10 },
    { name: "flush" },
    { name: "append", polls: 13 },
    { name: "flush" },
    { name: "append", polls: 14 },
    { name: "archive upkeep" },
    { name: "append", polls: 17, flushesMeanwhile: true },
    { name: "flush" },
  ],
  first: [...commits(1, 2), { name: "append", polls: 3 }, { name: "flush" }],
  open: [{ name: "upkeep" }, { name: "archive upkeep" }],
};

export function reached(steps: readonly Step[], had: Reached, count = steps.length): Reached {
  return steps
    .slice(0, count)
    .reduce(
      (known, { commits, polls }) => ({ commits: commits ?? known.commits, polls: polls ?? known.polls }),
      had,
    );
}

export interface Reached {
  readonly commits: number;
  readonly polls: number;
}

function commits(from: number, to: number): Step[] {
  return Array.from({ length: to - from + 1 }, (_, nth) => ({ name: "commit", commits: from + nth }));
}

export interface Opened {
  readonly lake: OpenedLake;
  readonly archive: Archive;
  close(): Promise<void>;
}

export async function openBoth(dataDirectory: string, now: () => number): Promise<Opened> {
  const directory = join(dataDirectory, "lake");
  const lake = await openLake({ directory, simulated: false, now });
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
  return {
    lake,
    archive,
    close: async () => {
      await archive.close();
      await lake.close();
    },
  };
}

/** Does the steps one after the other; `done` is called after each. `commits` and `polls` count what is there already. */
export async function perform(
  dataDirectory: string,
  seed: number,
  steps: readonly Step[],
  { commits, polls }: Reached,
  done: (step: number) => void,
): Promise<Opened> {
  let step = 0;
  const first = commits;
  // The clock advances with the steps, and has the same time whenever the same step is done.
  const now = () => timeOf(first + step)();
  const work = dailyWork(seed);
  let [made, polled] = [commits, polls];
  for (let nth = 0; nth < made; nth++) work.next();
  const opened = await openBoth(dataDirectory, now);
  const { lake, archive } = opened;
  done(-1);
  for (const [nth, wanted] of steps.entries()) {
    step = nth;
    for (; made < (wanted.commits ?? 0); made++) {
      const change = work.next();
      await lake.commit(() => change);
    }
    const flushing = wanted.flushesMeanwhile ? archive.flush() : null;
    for (; polled < (wanted.polls ?? 0); polled++) await archive.append(pollOf(polled));
    await flushing;
    if (wanted.name === "flush") await archive.flush();
    if (wanted.name === "upkeep") await lake.upkeep();
    if (wanted.name === "archive upkeep") await archive.upkeep();
    done(nth);
  }
  return opened;
}

/** States after 0, 1, 2, … commits: of a lake that was just made, then of the history and each change after it. */
export function statesOf(seed: number, count: number): readonly DailyState[] {
  const work = dailyWork(seed);
  const states = [work.state()];
  for (let nth = 0; nth < count; nth++) {
    work.next();
    states.push(work.state());
  }
  return states;
}

/** Lines of the quotes of so many polls, in the order of their journal. */
export function quoteLines(polls: number): readonly string[] {
  return Array.from({ length: polls }, (_, poll) => pollOf(poll).map(quoteLine)).flat();
}

/** One poll: every currency, a second apart. */
function pollOf(poll: number): readonly LiveQuote[] {
  return CODES.map((code, nth) => {
    const observedAt = QUOTED_FROM + poll * POLL_MINUTES * 60_000 + nth * 1000;
    // No price comes twice, so that a lost row and a doubled one differ.
    return quote(`USD/${code}`, `${nth + 1}.${String(poll).padStart(6, "0")}`, observedAt);
  });
}

export function quoteLine({ feed, base, quote, mid, observedAt, retrievedAt }: LiveQuote): string {
  return `${feed} ${base} ${quote} ${observedAt} ${retrievedAt} ${Math.round(Number(mid) * 1e6)}`;
}
