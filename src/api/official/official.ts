/** GET /v1/official/…: tables of authorities, their publications in every version, and their changes. */

import { Elysia } from "elysia";
import type { House } from "#api/plugins/house.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { changes, feed } from "./changes.ts";
import { convert } from "./convert.ts";
import { publications, tables as tablesRoute } from "./publications.ts";
import { type RatesDeps, rates } from "./rates.ts";

export interface OfTables {
  readonly house: House;
  /** Null when official tables are switched off. */
  readonly official: OfficialDeps | null;
}

/** Makes a function that returns the tables, or fails with `source_unavailable` when they are switched off. */
export function tablesOf(collected: OfficialDeps | null): () => OfficialDeps {
  return () => {
    if (collected !== null) return collected;
    throw new Failure("source_unavailable", {
      reason: "this server collects no official publications: its operator can set OFFICIAL_TABLES",
    });
  };
}

export const official = ({ official: collected, ...deps }: Omit<RatesDeps, "tables"> & OfTables) => {
  const tables = tablesOf(collected);
  const own = { ...deps, tables };
  return (
    new Elysia({ name: "official" })
      // Runs before parameters are read: when tables are switched off, every request has this refusal.
      .onTransform(async () => {
        tables();
      })
      .use(tablesRoute(own))
      .use(changes(own))
      .use(feed(own))
      .use(publications(own))
      .use(convert(own))
      .use(rates(own))
  );
};
