/** One of several processes collects: with a real lease, a clock that the test moves. */

import { beforeEach, expect, test } from "bun:test";
import { startLeadership } from "#jobs/leadership.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { newId } from "#test/store/ledger/ledgers.ts";
import { closedAfterEach } from "#test/support/closed-after-each.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let directory = "";
let now = 0;
const opened = closedAfterEach();

beforeEach(() => {
  directory = temporaryDirectory();
  now = Date.parse("2026-11-20T12:00:00Z");
});

/** A process on the same ledger file; `heartbeat` is its timer. */
async function process(holder: string, leading: string[]) {
  const clock = { now: () => now };
  const emit = () => {};
  const ledger = await openLedger({ directory }, { emit, newId, clock, leaseClock: clock });
  let heartbeat = () => {};
  const every = (_: number, run: () => void) => {
    heartbeat = run;
    return () => {
      heartbeat = () => {};
    };
  };
  const leadership = startLeadership({ leases: ledger.leases, name: "test", holder, emit, every }, () => {
    leading.push(`${holder} begins`);
    return () => void leading.push(`${holder} ends`);
  });
  opened({ close: () => leadership.stop().finally(ledger.close) });
  await leadership.settled();
  return {
    leadership,
    heartbeat: async () => {
      heartbeat();
      await leadership.settled();
    },
  };
}

test("of two processes one leads; the other follows at once when it stops", async () => {
  const leading: string[] = [];
  const first = await process("a", leading);
  await first.heartbeat();
  const second = await process("b", leading);
  await second.heartbeat();
  expect(leading).toEqual(["a begins"]);
  expect([first.leadership.lease()?.epoch, second.leadership.lease()?.epoch]).toEqual([1, undefined]);
  await first.leadership.stop();
  await second.heartbeat();
  expect(leading).toEqual(["a begins", "a ends", "b begins"]);
  expect([first.leadership.lease()?.epoch, second.leadership.lease()?.epoch]).toEqual([undefined, 2]);
});

test("a process that hung and that nobody followed goes on under its epoch", async () => {
  const leading: string[] = [];
  const first = await process("a", leading);
  now += 60_000;
  await first.heartbeat();
  expect(leading).toEqual(["a begins"]);
  expect(first.leadership.lease()?.epoch).toBe(1);
});

test("a process that died under a clock that was a year ahead is followed at once when the clock is right", async () => {
  const leading: string[] = [];
  const year = 365 * 86_400_000;
  now += year;
  const first = await process("a", leading);
  await first.heartbeat();
  const second = await process("b", leading);
  now -= year;
  await first.heartbeat();
  await second.heartbeat();
  expect(leading).toEqual(["a begins"]);
  now += year;
  await first.heartbeat();
  now -= year;
  await second.heartbeat();
  expect(leading).toEqual(["a begins", "b begins"]);
  expect(second.leadership.lease()?.epoch).toBe(2);
});

test("a process that hung is followed after its lease, and stops leading when it wakes", async () => {
  const leading: string[] = [];
  const first = await process("a", leading);
  await first.heartbeat();
  const second = await process("b", leading);
  now += 5_000;
  await second.heartbeat();
  await first.heartbeat();
  expect(leading).toEqual(["a begins", "b begins", "a ends"]);
});
