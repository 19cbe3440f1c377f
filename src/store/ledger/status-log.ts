/** What was wrong and for how long: incidents, and for each part and day how often it was looked at and how often it was at fault. */

import { type Day, dayAt, formatDay, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import type { Incident, PartDay, StatusLog, StatusRecord } from "#ports/ledger.ts";
import type { Engine, LedgerParts } from "./engine/engine.ts";
import { integer, integerOrNull, joined, listOf, mapping, raw, sql, text } from "./engine/rows.ts";

/** The status page shows 90 days, today included. */
const KEPT_DAYS = 91;
const MOST_INCIDENTS = 200;

const INCIDENT = mapping<Incident>({ fault: text, since: integer, until: integerOrNull });
const PART_DAY = mapping<PartDay>({
  part: text,
  day: (row, column) => parseDay(text(row, column)) as Day,
  looks: integer,
  faults: integer,
});

export function statusLog({ engine }: Pick<LedgerParts, "engine">): StatusLog {
  return {
    note: async ({ parts, faults }, at) => {
      const day = dayAt(at);
      const wrong = new Set(faults.map((fault) => fault.split(" ")[0]));
      const looks = [...new Set(parts)].map(
        (part) => sql`(${part}, ${formatDay(day)}, 1, ${wrong.has(part) ? 1 : 0})`,
      );
      const lasting = faults.length === 0 ? raw("") : sql`AND fault NOT IN (${listOf(faults)})`;
      await engine.write(async ({ run }) => {
        await run`
          INSERT INTO status_days (part, day, looks, faults) VALUES ${joined(looks)}
          ON CONFLICT (part, day) DO UPDATE
          SET looks = status_days.looks + 1, faults = status_days.faults + excluded.faults`;
        await run`UPDATE incidents SET until = ${at} WHERE until IS NULL ${lasting}`;
        for (const fault of faults)
          await run`INSERT INTO incidents (fault, since) VALUES (${fault}, ${at}) ON CONFLICT DO NOTHING`;
      }, "relaxed");
    },
    prune: (at) =>
      engine.write(async ({ run }) => {
        await run`DELETE FROM status_days WHERE day < ${formatDay(dayAt(at) - KEPT_DAYS)}`;
        await run`DELETE FROM incidents WHERE until < ${at - KEPT_DAYS * MILLISECONDS_PER_DAY}`;
      }, "relaxed"),
    read: async (from) => {
      const [incidents, days] = await Promise.all([
        engine.read.rows`
          SELECT fault, since, until FROM incidents WHERE until IS NULL OR until >= ${from * MILLISECONDS_PER_DAY}
          ORDER BY since DESC, fault LIMIT ${MOST_INCIDENTS}`,
        engine.read.rows`
          SELECT part, day, looks, faults FROM status_days WHERE day >= ${formatDay(from)} ORDER BY part, day`,
      ]);
      const recorded = days.map(PART_DAY.of);
      return {
        incidents: incidents.map(INCIDENT.of),
        days: recorded,
        delays: await delaysOf(engine, recorded),
      };
    },
  };
}

/** Resolves with delays in milliseconds by table, since the record began: a first start collects older versions late. */
async function delaysOf({ read }: Engine, days: readonly PartDay[]): Promise<StatusRecord["delays"]> {
  if (days.length === 0) return new Map();
  const start = Math.min(...days.map(({ day }) => day)) * MILLISECONDS_PER_DAY;
  const rows = await read.rows`
    SELECT table_id, retrieved_at - published_at AS delay FROM official_versions
    WHERE version = 1 AND published_at >= ${start} AND retrieved_at >= published_at`;
  const byTable = Map.groupBy(rows, (row) => text(row, "table_id"));
  return new Map([...byTable].map(([table, some]) => [table, some.map((row) => integer(row, "delay"))]));
}
