/** When publications are copied: at the start, soon after a commit, every ten minutes, one run at a time, and never most of the time. */

import { expect, test } from "bun:test";
import { startCopying } from "#jobs/official-copy.ts";

/** A job whose timer and clock are the test's, and whose runs last as long as the test says. */
function started() {
  let now = 1_000_000;
  let timer: { readonly at: number; readonly run: () => void } | null = null;
  const emitted: unknown[] = [];
  const runs: { readonly at: number; readonly signal: AbortSignal; end(fault?: Error): Promise<void> }[] = [];
  const job = startCopying({
    copy: (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      runs.push({
        at: now,
        signal,
        end: async (fault) => {
          fault === undefined ? resolve() : reject(fault);
          await promise.catch(() => {});
          await Bun.sleep(0);
        },
      });
      return promise;
    },
    clock: { now: () => now },
    emit: (event) => void emitted.push(event),
    later: (milliseconds, run) => {
      const set = { at: now + milliseconds, run };
      timer = set;
      return () => {
        if (timer === set) timer = null;
      };
    },
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
    if (timer === null || timer.at > now) return;
    const { run } = timer;
    timer = null;
    run();
  };
  return { job, runs, emitted, pass, waits: () => (timer === null ? null : timer.at - now) };
}

test("the first run is at once, and one without a notice ten minutes after the last", async () => {
  const { runs, pass, waits } = started();
  pass(0);
  expect(runs).toHaveLength(1);
  await runs[0]?.end();
  expect(waits()).toBe(600_000);
  pass(600_000);
  expect(runs).toHaveLength(2);
});

test("a commit has a run three seconds later; those that follow do not put it off", async () => {
  const { job, runs, pass, waits } = started();
  pass(0);
  await runs[0]?.end();
  job.soon();
  pass(2_000);
  job.soon();
  expect(waits()).toBe(1_000);
  pass(1_000);
  expect(runs).toHaveLength(2);
});

test("what is committed during a run has another one, and never two at once", async () => {
  const { job, runs, pass, waits } = started();
  pass(0);
  job.soon();
  pass(10_000);
  expect(runs).toHaveLength(1);
  expect(waits()).toBeNull();
  await runs[0]?.end();
  expect(waits()).toBe(100_000);
  pass(100_000);
  expect(runs).toHaveLength(2);
});

test("after a long run comes a rest of ten times its length, ten minutes at the most", async () => {
  const { job, runs, pass, waits } = started();
  pass(0);
  pass(2_000);
  await runs[0]?.end();
  job.soon();
  expect(waits()).toBe(20_000);
  pass(20_000);
  pass(300_000);
  await runs[1]?.end();
  job.soon();
  expect(waits()).toBe(600_000);
});

test("a run that fails is reported, and tried again", async () => {
  const { runs, emitted, pass, waits } = started();
  pass(0);
  await runs[0]?.end(new Error("no room"));
  expect(emitted).toEqual([{ kind: "job_failed", job: "official-lake", error: "no room" }]);
  expect(waits()).toBe(600_000);
});

test("stopping ends the run that is under way and waits for it; nothing follows", async () => {
  const { job, runs, emitted, pass, waits } = started();
  pass(0);
  const stopped = job.stop();
  expect(runs[0]?.signal.aborted).toBe(true);
  await runs[0]?.end(new Error("called off"));
  await stopped;
  job.soon();
  expect([waits(), emitted]).toEqual([null, []]);
});
