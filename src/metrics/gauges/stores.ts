/** Gauges of what is stored: the daily sources, the official tables and the lake. Filled at a scrape from what the readers answer. */

import type { Registry } from "prom-client";
import { gauges } from "#metrics/instruments.ts";
import { DAILY_STATUSES, type MetricsReaders, OFFICIAL_STATUSES } from "#metrics/readers.ts";
import { group, type ReaderGroup, secondsSince } from "#metrics/scrape.ts";

export function storeGauges(registry: Registry): readonly ReaderGroup<keyof MetricsReaders>[] {
  const lake = gauges(registry, {
    readable: "crossrate_lake_readable 1 while the lake can be read, else 0.",
  });
  const daily = gauges(registry, {
    age: "crossrate_daily_observation_age_seconds{source} Age of the newest figure of a daily source by its observation time, in seconds.",
    status:
      "crossrate_daily_source_status{source,status} 1 for the status that /status gives the daily source now, 0 for the others.",
    held: "crossrate_daily_figures_held{source} Figures of a daily source that are held back now.",
    wholeRead:
      "crossrate_daily_whole_read_age_seconds{source} Time since the whole history of a daily source was last read, in seconds.",
  });
  const official = gauges(registry, {
    status:
      "crossrate_official_table_status{table,status} 1 for the status that /status gives the official table now, 0 for the others.",
    age: "crossrate_official_success_age_seconds{table} Time since an official table was last read intact, in seconds.",
    held: "crossrate_official_publications_held{table} Publications of an official table that are held back now.",
  });
  return [
    group("daily", daily, (sources, now) => {
      for (const { source, newestObservedAt, wholeReadAt, status, held } of sources) {
        daily.wholeRead.set({ source }, secondsSince(wholeReadAt, now));
        daily.age.set({ source }, secondsSince(newestObservedAt, now));
        for (const each of DAILY_STATUSES)
          daily.status.set({ source, status: each }, each === status ? 1 : 0);
        daily.held.set({ source }, held);
      }
    }),
    group("official", official, (tables, now) => {
      for (const { table, status, lastSuccessAt, held } of tables) {
        for (const each of OFFICIAL_STATUSES)
          official.status.set({ table, status: each }, each === status ? 1 : 0);
        official.age.set({ table }, secondsSince(lastSuccessAt, now));
        official.held.set({ table }, held);
      }
    }),
    group("lakeReadable", lake, (isReadable) => lake.readable.set({}, isReadable ? 1 : 0)),
  ];
}
