import { describe, expect, test } from "bun:test";
import { nextCollection, startScheduler } from "#jobs/scheduler.ts";
import { type Job, TIMETABLE } from "#jobs/timetable.ts";

/** A clock and its timers that the test moves: `advance` runs what falls due, in order. */
function heldTime(start: string) {
  let now = Date.parse(start);
  const timers = new Set<{ due: number; run: () => void }>();
  return {
    clock: { now: () => now },
    later: (milliseconds: number, run: () => void) => {
      const timer = { due: now + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pending: () => timers.size,
    /** Sets the clock; timers wait as long as before. */
    set(to: string) {
      const by = Date.parse(to) - now;
      now += by;
      for (const timer of timers) timer.due += by;
    },
    async advance(to: string) {
      for (;;) {
        const next = [...timers].sort((a, b) => a.due - b.due)[0];
        if (next === undefined || next.due > Date.parse(to)) break;
        now = Math.max(now, next.due);
        timers.delete(next);
        next.run();
        // A run that collects continues in microtasks.
        for (let turn = 0; turn < 8; turn++) await Promise.resolve();
      }
      now = Date.parse(to);
    },
  };
}

function recorded(time: ReturnType<typeof heldTime>, timetable: readonly Job[], fail = false) {
  const runs: string[] = [];
  const emitted: string[] = [];
  const stop = startScheduler(
    {
      clock: time.clock,
      later: time.later,
      random: () => 0,
      emit: ({ kind }) => emitted.push(kind),
      perform: async (due) => {
        const what = "upkeep" in due ? due.upkeep : `${"table" in due ? due.table : due.source} ${due.reach}`;
        runs.push(`${new Date(time.clock.now()).toISOString().slice(0, 16)}Z ${what}`);
        if (fail) throw new Error("no");
      },
    },
    timetable,
  );
  return { runs, emitted, stop };
}

const job = (name: string): Job => TIMETABLE.find((candidate) => candidate.name === name) as Job;

describe("the timetable", () => {
  test("polls the ECB every three minutes around 16:00 Frankfurt, in winter and in summer", async () => {
    for (const [start, end, first] of [
      ["2026-01-15T12:00:00Z", "2026-01-15T18:00:00Z", "2026-01-15T14:50Z"],
      ["2026-07-15T12:00:00Z", "2026-07-15T18:00:00Z", "2026-07-15T13:50Z"],
    ] as const) {
      const time = heldTime(start);
      const { runs } = recorded(time, [job("ecb-publication"), job("ecb-after-publication")]);
      await time.advance(end);
      expect(runs[0]).toBe(`${first} ecb_daily latest`);
      expect(runs).toHaveLength(4 + 20);
    }
  });
  test("follows New York's hours across the American clock change", async () => {
    const time = heldTime("2026-03-06T00:00:00Z");
    const { runs } = recorded(time, [job("fred-release")]);
    await time.advance("2026-03-11T00:00:00Z");
    // Monday 9 March is the first weekday of summer time: 16:15 is 20:15Z.
    expect(runs[0]).toBe("2026-03-09T20:15Z fred_daily latest");
    // After a holiday H.10 comes on Tuesday.
    expect(runs).toContain("2026-03-10T20:15Z fred_daily latest");
  });
  test("re-reads the recent window of every source each day, tidies the lake and verifies it", async () => {
    const time = heldTime("2026-04-11T00:00:00Z");
    const { runs } = recorded(time, TIMETABLE);
    await time.advance("2026-04-12T00:00:00Z");
    for (const what of ["ecb_daily recent", "fred_daily recent", "flush", "compact", "verify"])
      expect(runs.filter((run) => run.endsWith(what))).not.toBeEmpty();
  });
});

test("every hour it is looked whether a source's whole history is to be read again", async () => {
  const time = heldTime("2026-04-11T00:00:00Z");
  const whole = TIMETABLE.filter((planned) => "whenDue" in planned);
  expect(whole.map((planned) => "source" in planned && planned.source)).toEqual(["ecb_daily", "fred_daily"]);
  const { runs } = recorded(time, whole);
  await time.advance("2026-04-12T00:00:00Z");
  for (const source of ["ecb_daily", "fred_daily"])
    expect(runs.filter((run) => run.endsWith(`${source} history`))).toHaveLength(24);
  // Neither history is begun while the other is under way, as a rule: each is held in memory as a whole.
  expect(new Set(runs.map((run) => run.slice(14, 16))).size).toBe(2);
});

test("the next collection of a source is that of its whole history, once that is due", () => {
  const next = (wholeDueAt?: string) => {
    const due = wholeDueAt === undefined ? undefined : Date.parse(wholeDueAt);
    const at = nextCollection("fred_daily", Date.parse("2026-11-30T17:04:08Z"), due);
    return new Date(at as number).toISOString();
  };
  expect(next("2026-12-06T17:00:00Z")).toBe("2026-11-30T21:15:00.000Z");
  expect(next("2026-11-30T18:00:00Z")).toBe("2026-11-30T18:51:00.000Z");
  expect(next()).toBe("2026-11-30T17:51:00.000Z");
});

describe("the scheduler", () => {
  test("continues after a failed run, and reports it", async () => {
    const time = heldTime("2026-04-13T00:00:00Z");
    const { runs, emitted } = recorded(time, [job("ecb-hourly")], true);
    await time.advance("2026-04-13T03:00:00Z");
    expect(runs).toHaveLength(3);
    expect(emitted).toEqual(["job_failed", "job_failed", "job_failed"]);
  });
  test("never starts a run while the last one is under way", async () => {
    const time = heldTime("2026-04-13T00:00:00Z");
    let started = 0;
    const gate = Promise.withResolvers<void>();
    startScheduler(
      {
        ...time,
        random: () => 0,
        emit: () => {},
        perform: async () => (started++ === 0 ? await gate.promise : undefined),
      },
      [job("ecb-hourly")],
    );
    await time.advance("2026-04-13T05:00:00Z");
    expect(started).toBe(1);
    gate.resolve();
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
    await time.advance("2026-04-13T06:00:00Z");
    expect(started).toBe(2);
  });
  test("leaves no timer behind when stopped", async () => {
    const time = heldTime("2026-04-13T00:00:00Z");
    const { runs, stop } = recorded(time, TIMETABLE);
    stop();
    expect(time.pending()).toBe(0);
    await time.advance("2026-04-14T00:00:00Z");
    expect(runs).toBeEmpty();
  });
});

test("a clock that was a year ahead when a run was planned delays no run after it is right again", async () => {
  const time = heldTime("2027-01-15T12:00:00Z");
  const { runs, stop } = recorded(time, [job("ecb-publication")]);
  time.set("2026-01-15T12:00:00Z");
  await time.advance("2026-01-15T18:00:00Z");
  expect(runs[0]).toBe("2026-01-15T14:50Z ecb_daily latest");
  expect(runs.length).toBeGreaterThan(2);
  stop();
});
