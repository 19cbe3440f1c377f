/** Gauges of what is stored: the daily sources, the official tables and the lake. Filled at a scrape from what the readers answer. */

import type { Registry } from "prom-client";
import { gauge } from "#metrics/instruments.ts";
import { DAILY_STATUSES, type MetricsReaders, OFFICIAL_STATUSES } from "#metrics/readers.ts";
import { group, type ReaderGroup } from "#metrics/scrape.ts";

export function storeGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const readable = gauge(registry, "crossrate_lake_readable", "1 while the lake can be read, else 0.");
  return [
    dailyGauges(registry),
    officialGauges(registry),
    group("lakeReadable", [readable], (isReadable) => readable.set({}, isReadable ? 1 : 0)),
  ];
}

function dailyGauges(registry: Registry) {
  const age = gauge(
    registry,
    "crossrate_daily_observation_age_seconds",
    "Age of the newest figure of a daily source by its observation time, in seconds.",
    ["source"],
  );
  const status = gauge(
    registry,
    "crossrate_daily_source_status",
    "1 for the status that /status gives the daily source now, 0 for the others.",
    ["source", "status"],
  );
  const held = gauge(
    registry,
    "crossrate_daily_figures_held",
    "Figures of a daily source that are held back now.",
    ["source"],
  );
  const wholeRead = gauge(
    registry,
    "crossrate_daily_whole_read_age_seconds",
    "Time since the whole history of a daily source was last read, in seconds.",
    ["source"],
  );
  return group("daily", [age, status, held, wholeRead], (sources, now) => {
    for (const { source, newestObservedAt, wholeReadAt, status: current, held: count } of sources) {
      if (wholeReadAt !== null) wholeRead.set({ source }, Math.max(now - wholeReadAt, 0) / 1000);
      if (newestObservedAt !== null) age.set({ source }, Math.max(now - newestObservedAt, 0) / 1000);
      for (const each of DAILY_STATUSES) status.set({ source, status: each }, each === current ? 1 : 0);
      held.set({ source }, count);
    }
  });
}

function officialGauges(registry: Registry) {
  const status = gauge(
    registry,
    "crossrate_official_table_status",
    "1 for the status that /status gives the official table now, 0 for the others.",
    ["table", "status"],
  );
  const age = gauge(
    registry,
    "crossrate_official_success_age_seconds",
    "Time since an official table was last read intact, in seconds.",
    ["table"],
  );
  const held = gauge(
    registry,
    "crossrate_official_publications_held",
    "Publications of an official table that are held back now.",
    ["table"],
  );
  return group("official", [status, age, held], (tables, now) => {
    for (const { table, status: current, lastSuccessAt, held: count } of tables) {
      for (const each of OFFICIAL_STATUSES) status.set({ table, status: each }, each === current ? 1 : 0);
      if (lastSuccessAt !== null) age.set({ table }, Math.max(now - lastSuccessAt, 0) / 1000);
      held.set({ table }, count);
    }
  });
}
