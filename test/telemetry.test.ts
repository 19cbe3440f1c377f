/** Each kind of event has the level and the counters that docs/metrics.md lists. */

import { expect, test } from "bun:test";
import { createMetrics } from "#metrics/metrics.ts";
import { LEVELS, type Level, logLines, type TelemetryEvent } from "#telemetry.ts";
import { parseExposition } from "#test/metrics/exposition.ts";
import { SAMPLE_EVENTS } from "#test/metrics/sample-events.ts";

const DOCUMENT = await Bun.file(`${import.meta.dir}/../docs/metrics.md`).text();
const ROW = /^\| `([a-z_]+)` \| (info|warn|error) \| (–|`[^|]+) \| [^|]+ \|$/gm;

const documented = new Map(
  [...DOCUMENT.matchAll(ROW)].map(([, kind = "", level = "", moved = ""]) => [
    kind,
    { level, moves: [...moved.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name) },
  ]),
);

/** The line that an event makes when everything is logged; null where it makes none. */
function lineOf(event: TelemetryEvent, level: Level = "info"): Record<string, unknown> | null {
  const lines: string[] = [];
  logLines({ level, now: () => 0, write: (line) => lines.push(line) })(event);
  expect(lines.length).toBeLessThanOrEqual(1);
  return lines[0] === undefined ? null : JSON.parse(lines[0]);
}

test("the table of events is complete", () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(SAMPLE_EVENTS).sort());
});

/** The metrics that an event moves, beside those of its feed or table that begin at 0, and crossrate_events_total. */
async function movedBy(event: TelemetryEvent): Promise<readonly string[]> {
  const metrics = createMetrics({ now: () => 0 }, "test");
  const sums = async () => {
    const families = [...parseExposition(await metrics.text()).values()];
    const ofEvents = families.filter(({ name }) => !/^process_|heap|event_loop|events_total/.test(name));
    return ofEvents.map(({ name, samples }) => [name, samples.reduce((sum, { value }) => sum + value, 0)]);
  };
  const before = Object.fromEntries(await sums());
  metrics.emit(event);
  return (await sums()).filter(([name, sum]) => sum !== before[name as string]).map(([name]) => `${name}`);
}

test.each(Object.values(SAMPLE_EVENTS).map((event) => [event.kind, event] as const))(
  "%s has its documented level and counters",
  async (kind, event) => {
    // The first choice of a feed after a start is no change.
    const sample = event.kind === "feed_switched" ? { ...event, reason: "fallback" } : event;
    const { level, moves = [] } = documented.get(kind) ?? {};
    expect([lineOf(sample)?.["level"], (await movedBy(sample)).toSorted()]).toEqual([
      level,
      moves.toSorted(),
    ]);
  },
);

test("the first choice of a feed after a start is logged at info, a change at warn", () => {
  const event = SAMPLE_EVENTS.feed_switched;
  expect([
    lineOf({ ...event, reason: "first" }),
    lineOf({ ...event, reason: "stale" } as never),
  ]).toMatchObject([{ level: "info" }, { level: "warn" }]);
});

test("each level logs its own events and the louder ones", () => {
  const events = {
    info: SAMPLE_EVENTS.ledger_recovered,
    warn: SAMPLE_EVENTS.redis_unavailable,
    error: SAMPLE_EVENTS.ledger_unavailable,
  };
  const logged = LEVELS.map((lowest) => LEVELS.filter((level) => lineOf(events[level], lowest) !== null));
  expect(logged).toEqual([["info", "warn", "error"], ["warn", "error"], ["error"]]);
});

test("a secret in an upstream's words is not in the line", () => {
  const detail = "GET https://feed.example/latest?app_id=0123456789abcdef: 401";
  const { detail: logged } = lineOf({ ...SAMPLE_EVENTS.feed_failed, detail }) ?? {};
  expect(logged).toStartWith("GET https://feed.example/latest?app_id=");
  expect(logged).not.toContain("0123456789abcdef");
});

test("a line has time, level, event and the event's fields", () => {
  expect(lineOf({ kind: "redis_recovered", use: "limits" })).toEqual({
    ...{ time: "1970-01-01T00:00:00.000Z", level: "info", event: "redis_recovered" },
    use: "limits",
  });
});
