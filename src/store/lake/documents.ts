/** Documents of figures, read from the lake one file at a time on request, and cached, because no file ever changes. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import { PIVOT } from "#domain/currency/source.ts";
import type { FigureDocument } from "#domain/explain/explanation.ts";
import { formatDay, yearOf } from "#domain/time/day.ts";
import type { FigureDocuments, FigureName } from "#ports.ts";
import { type Add, filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import type { Reader } from "#store/parquet/duckdb-process.ts";
import { fill } from "#store/parquet/engine.ts";
import documentsSql from "./sql/read/read-documents.sql" with { type: "text" };
import { tableVersionOf } from "./state.ts";

/** The share of the cache budget: some years of both sources. */
const SHARE = 0.1;
const FIGURE_BYTES = 150;

type FileDocuments = ReadonlyMap<string, FigureDocument>;

interface Options {
  readonly reader: Pick<Reader, "rows">;
  readonly daily: Table;
  readonly caches: CacheBudget;
}

export function openFigureDocuments({ reader, daily, caches }: Options): FigureDocuments {
  const cache: Cache<string, FileDocuments> = caches.cache("figure_documents", { share: SHARE });
  const reading = new Map<string, Promise<FileDocuments>>();

  const readFile = async (file: Add, { source }: FigureName): Promise<FileDocuments> => {
    const rows = await reader.rows(fill(documentsSql, { files: [daily.pathOf(file)], pivot: PIVOT[source] }));
    const documents = new Map<string, FigureDocument>();
    // Few documents cover all figures: each document is one object.
    const known = new Map<string, FigureDocument>();
    for (const [name, document, documentSha256] of rows as readonly (readonly [string, string, string])[]) {
      const key = `${documentSha256} ${document}`;
      const one = known.get(key) ?? { document, documentSha256 };
      known.set(key, one);
      documents.set(name, one);
    }
    cache.set(file.path, documents, documents.size * FIGURE_BYTES);
    return documents;
  };
  const documentsOf = async (file: Add, figure: FigureName): Promise<FileDocuments> => {
    const cached = cache.get(file.path) ?? reading.get(file.path);
    if (cached !== undefined) return cached;
    const begun = readFile(file, figure).finally(() => reading.delete(file.path));
    reading.set(file.path, begun);
    return begun;
  };
  const findIn = async (snapshot: Snapshot | null, figure: FigureName): Promise<FigureDocument | null> => {
    const partition = { source: figure.source, year: String(yearOf(figure.date)) };
    const [file] = snapshot === null ? [] : filesOfPartition(snapshot, partition);
    if (file === undefined || (await daily.verifier.check(file)) !== null) return null;
    return (await documentsOf(file, figure)).get(nameOf(figure)) ?? null;
  };
  return {
    of: (version, figures) =>
      Promise.all(
        figures.map(async (figure) => {
          const newest = await findIn(daily.latest(), figure);
          if (newest !== null) return newest;
          // A commit came in between: the version of the request still has the figure.
          const number = tableVersionOf(version.replace(/-damaged.*$/, ""));
          return number === null ? null : await findIn(daily.at(number), figure);
        }),
      ),
  };
}

/** Names a figure and its revision, as read-documents.sql does. */
function nameOf({ date, base, quote, source, revision }: FigureName): string {
  return `${formatDay(date)} ${base === PIVOT[source] ? quote : base} ${revision}`;
}
