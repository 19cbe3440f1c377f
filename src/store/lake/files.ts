/** The lake's files as bytes, for remote readers: manifests made from the logs, and the data files in them. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#domain/faults/errors.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import type { LakeFile, LakeFiles, ManifestName } from "#ports.ts";
import { currentPath } from "#store/delta/current.ts";
import { asFailure } from "#store/delta/damage.ts";
import { CURRENT_FOLDER, LAKE_FORMAT, marksOf } from "#store/delta/schema.ts";
import { type Add, type DataFile, filesOf, type Snapshot, statsOf } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { coverageIn, type DailyTables, datasetVersion, newestState } from "./state.ts";

interface LakeTables {
  readonly daily: DailyTables;
  readonly intraday: Table;
  /** Null when official publications are not collected. */
  readonly official: Table | null;
}

type Manifest = Awaited<ReturnType<LakeFiles["manifest"]>>;

/** Manifests link to each other. They are separate because quotes change every few minutes and figures once a day. */
const MANIFESTS = { intraday: "intraday/manifest.json", official: "official/manifest.json" };

export function openLakeFiles(tables: LakeTables): LakeFiles {
  const made = new Map<ManifestName, { readonly key: string; readonly manifest: Manifest }>();
  const { daily, revisions, held } = tables.daily;
  const all = [
    daily,
    revisions,
    held,
    tables.intraday,
    ...(tables.official === null ? [] : [tables.official]),
  ];
  /** Returns the published version of a table. The newest version of `daily` names those of its followers. */
  const published = (table: Table): Snapshot | null => {
    if (table === revisions) return newestState(tables.daily)?.revisions ?? null;
    if (table === held) return newestState(tables.daily)?.held ?? null;
    return table.latest();
  };

  const once = (of: ManifestName, key: string, make: () => object) => {
    const last = made.get(of);
    if (last?.key === key) return last.manifest;
    const text = `${JSON.stringify(make(), null, 1)}\n`;
    const manifest = { text, sha256: createHash("sha256").update(text).digest("hex") };
    made.set(of, { key, manifest });
    return manifest;
  };

  return {
    manifest: asRefusal(async (of = "daily") => {
      if (of === "daily") {
        const state = newestState(tables.daily);
        if (state === null) return unreadable();
        const hasOfficial = tables.official !== null && existsSync(tables.official.log.folder);
        // The key is the table's version: coverage advances in commits of its own.
        return once(of, `${state.daily.version} ${hasOfficial}`, () => ({
          format: LAKE_FORMAT,
          mode: marksOf(state.daily.metaData.configuration).mode,
          version: datasetVersion(state),
          coverage: coverageIn(state).map(({ source, coveredThrough, retrievedAt }) => ({
            source,
            covered_through: formatDay(coveredThrough),
            retrieved_at: formatInstant(retrievedAt),
          })),
          files: (["daily", "revisions", "held"] as const).flatMap((name) =>
            entriesOf(tables.daily[name], state[name], dailyRange),
          ),
          manifests: hasOfficial ? MANIFESTS : { intraday: MANIFESTS.intraday },
        }));
      }
      const table = tables[of];
      if (table === null) throw new Failure("source_unavailable", { reason: NOT_COLLECTED });
      const snapshot = table.latest();
      if (snapshot === null) return unreadable();
      return once(of, String(snapshot.version), () => ({
        format: LAKE_FORMAT,
        mode: marksOf(snapshot.metaData.configuration).mode,
        version: snapshot.version,
        files: entriesOf(table, snapshot, (add) =>
          of === "intraday"
            ? { observed: rangeOf(add, "observed_at") }
            : { valid_from: rangeOf(add, "valid_from") },
        ),
      }));
    }),
    open: asRefusal(async (path) => {
      const [first = ""] = path.split("/");
      const isCurrent = first === CURRENT_FOLDER;
      const name = isCurrent ? (path.split("/")[1] ?? "") : first;
      const table = all.find(({ definition }) => definition.name === name);
      if (table === undefined) return null;
      const snapshot = isCurrent ? published(table) : table.latest();
      // A name of its own may be of a retained older version.
      const own = path.slice(name.length + 1);
      const add = isCurrent
        ? currentFile(table, snapshot, path)
        : (snapshot?.files.get(own) ?? snapshot?.removed.get(own) ?? null);
      return add === null ? null : await opened(table, add);
    }),
  };
}

function asRefusal<A extends unknown[], T>(work: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  return (...args) => asFailure("the lake is damaged on this server's disk", () => work(...args));
}

const byCurrentPath = new WeakMap<Snapshot, ReadonlyMap<string, Add>>();

function currentFile({ definition }: Table, snapshot: Snapshot | null, path: string): Add | null {
  if (snapshot === null) return null;
  const byPath =
    byCurrentPath.get(snapshot) ??
    new Map(
      [...snapshot.files.values()].map((add) => [currentPath(definition, add.partitionValues), add] as const),
    );
  byCurrentPath.set(snapshot, byPath);
  return byPath.get(path) ?? null;
}

/** Resolves with null after the retention. Fails with `data_unavailable` when the file is damaged. */
async function opened(table: Table, add: DataFile): Promise<LakeFile | null> {
  const damage = await table.verifier.check(add);
  const isListed = table.latest()?.files.has(add.path) === true;
  if (damage?.kind === "missing" && !isListed) return null;
  if (damage !== null)
    throw new Failure("data_unavailable", {
      reason: `${table.definition.name}/${add.path} is damaged on this server's disk`,
    });
  return { bytes: add.size, sha256: add.tags.sha256, path: join(table.directory, add.path) };
}

/** Lists the entries of a manifest, by ascending path. `path` belongs to this version, `current` to the newest one. */
function entriesOf(table: Table, snapshot: Snapshot, range: (add: Add) => object): object[] {
  return filesOf(snapshot).map((add) => ({
    path: `${table.definition.name}/${add.path}`,
    current: currentPath(table.definition, add.partitionValues),
    rows: statsOf(add).numRecords,
    bytes: add.size,
    sha256: add.tags.sha256,
    ...range(add),
  }));
}

function dailyRange(add: Add): object {
  const { minValues, maxValues } = statsOf(add);
  const least = minValues["value"];
  return {
    dates: { first: minValues["date"], last: maxValues["date"] },
    values: least === undefined ? null : { least, greatest: maxValues["value"] },
  };
}

function rangeOf(add: Add, column: string) {
  const { minValues, maxValues } = statsOf(add);
  return { first: minValues[column], last: maxValues[column] };
}

const NOT_COLLECTED = "this server collects no official publications: its operator can set OFFICIAL_TABLES";

function unreadable(): never {
  throw new Failure("service_unavailable", { reason: "the lake's manifest cannot be read right now" });
}
