/** A real ledger with official publications in it, a fixed clock, and what reads them. */

import { afterEach, beforeEach } from "bun:test";
import { join } from "node:path";
import {
  type OfficialRow,
  type OfficialTable,
  officialEvent,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import type { Instant } from "#domain/time/day.ts";
import type { OfferedTable, OfficialDeps } from "#official/deps.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { day } from "#test/sources/documents.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { versionOf } from "./version.ts";

/** Monday 13 April 2026, 20:30 UTC: 14:30 in Mexico City. */
export const NOW = Date.parse("2026-04-13T20:30:00Z");

const mexican = {
  country: "MEX",
  title: "Pesos per US dollar",
  authority: "Banco de México",
  homepage: "https://authority.example/",
  terms: "Source: the authority.",
  cadence: "daily",
  zone: "America/Mexico_City",
  currency: "MXN",
} as const;
export const FIX: OfficialTable = { ...mexican, id: "mex_fix", types: ["fix", "banxico"] };
export const DOF: OfficialTable = { ...mexican, id: "mex_dof", types: ["dof", "tax"] };
export const CUSTOMS: OfficialTable = {
  ...mexican,
  id: "gbr_customs",
  country: "GBR",
  types: ["customs", "monthly"],
  cadence: "monthly",
  zone: "Europe/London",
  currency: "GBP",
};

export const collected = (...tables: readonly OfficialTable[]): readonly OfferedTable[] =>
  tables.map((table) => ({ table, missing: null }));

const DOLLAR: OfficialRow = { base: "USD", quote: "MXN", rate: "17.3400", unit: 1, kind: "mid" };

export interface Written extends Partial<Omit<PublicationVersion, "validFrom" | "validTo" | "rows">> {
  readonly validFrom?: string;
  readonly validTo?: string | null;
  readonly rate?: string;
  readonly rows?: readonly OfficialRow[];
}

/** A new ledger for every test of a file. */
export function collectedForEach() {
  let directory = "";
  let ledger: Ledger | null = null;
  let now = NOW;
  const opened = () => {
    if (ledger === null) throw new Error("the ledger is open within tests alone");
    return ledger;
  };
  beforeEach(async () => {
    now = NOW;
    directory = temporaryDirectory();
    const newId = (prefix: string) => `${prefix}${crypto.randomUUID()}`;
    ledger = await openLedger({ directory }, { emit: () => {}, newId, clock: { now: () => now } });
  });
  afterEach(() => ledger?.close());
  return {
    get ledger() {
      return opened();
    },
    at: (instant: Instant | string) => {
      now = typeof instant === "string" ? Date.parse(instant) : instant;
    },
    /** With these tables, the three above when none are named. */
    deps: (
      tables: readonly OfferedTable[] = collected(FIX, DOF, CUSTOMS),
      changes: Partial<OfficialDeps> = {},
    ) => ({
      tables,
      publications: opened().publications,
      outbox: opened().outbox,
      held: async () => [],
      lastReadAt: async () => now,
      clock: { now: () => now },
      cursorSecret: "a secret of this test",
      simulated: false,
      ...changes,
    }),
    /** Changes a digit in the rates of a publication behind the ledger's back. */
    damage: async (publication: string) => {
      const sql = new Bun.SQL({ adapter: "sqlite", filename: join(directory, "ledger.sqlite") });
      await sql`UPDATE official_versions SET rows_json = replace(rows_json, '1', '2') WHERE publication = ${publication}`;
      await sql.close();
    },
    /** Stores a version with its event. Named after its day, valid from it, retrieved at noon UTC of it, unless given. */
    publish: async (
      table: OfficialTable,
      publication: string,
      { validFrom, validTo = null, rate, ...more }: Written = {},
    ) => {
      const version = versionOf({
        ...{ table: table.id, publication, rows: [{ ...DOLLAR, ...(rate !== undefined && { rate }) }] },
        ...more,
        validFrom: day(validFrom ?? publication),
        validTo: validTo === null ? null : day(validTo),
      });
      await opened().outbox.publish([{ version, event: officialEvent(table, version) }], now);
    },
  };
}
