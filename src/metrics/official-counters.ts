/** Counters of official publications by table: outcomes of collections, new versions, doubts. Part of counters.ts. */

import type { Registry } from "prom-client";
import type { TelemetryEvent } from "#telemetry.ts";
import { counters } from "./instruments.ts";

type Official = Extract<TelemetryEvent, { kind: `official_${string}` }>;

export type OfficialCounters = ReturnType<typeof createOfficialCounters>;

const MILLISECONDS = 1000;

export function createOfficialCounters(registry: Registry) {
  return counters(registry, {
    collections:
      "crossrate_official_collections_total{table,result} Collections of an official table, by how they ended.",
    seconds:
      "crossrate_official_collection_seconds_total{table} Time taken by the collections that brought something new, in seconds.",
    versions:
      "crossrate_official_versions_total{table,change} Versions of official publications that were stored.",
    routeFailures:
      "crossrate_official_route_failures_total{table,fault} Routes of an official table that failed, by each kind of fault.",
    held: "crossrate_official_held_total{table,rule} Publications that were held back.",
    released: "crossrate_official_released_total{table} Held publications that were served after all.",
    doubted:
      "crossrate_official_doubted_total{table,rule} Publications that were served and should be checked.",
  });
}

/** Labels are ids of tables, kinds of faults and names of rules: a publication's name is for the log. */
export function countOfficial({ official }: { readonly official: OfficialCounters }, event: Official): void {
  const { table } = event;
  // So that the first failure of a process is a rise and not a beginning.
  for (const result of ["changed", "failed"]) official.collections.add({ table, result }, 0);
  switch (event.kind) {
    case "official_collected":
      official.collections.add({ table, result: "changed" });
      official.seconds.add({ table }, event.milliseconds / MILLISECONDS);
      official.versions.add({ table, change: "published" }, event.published);
      official.versions.add({ table, change: "corrected" }, event.corrected);
      return;
    case "official_nothing_new":
      official.collections.add({ table, result: event.outcome });
      return;
    case "official_failed":
      official.collections.add({ table, result: "failed" });
      return;
    case "official_route_failed":
      for (const fault of event.fault.split(", ")) official.routeFailures.add({ table, fault });
      return;
    case "official_held":
      official.held.add({ table, rule: event.rule });
      return;
    case "official_released":
      official.released.add({ table });
      return;
    case "official_doubted":
      official.doubted.add({ table, rule: event.rule });
      return;
    default:
      event satisfies never;
  }
}
