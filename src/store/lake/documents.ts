/** Documents of figures, read from the lake one file at a time on request, and cached, because no file ever changes. */

import type { Cache, CacheBudget } from "#domain/cache/budget.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { PIVOT } from "#domain/currency/source.ts";
import type { FigureDocument } from "#domain/explain/explanation.ts";
import { yearOf } from "#domain/time/day.ts";
import type { FigureDocuments, FigureName } from "#ports.ts";
import type { Add } from "#store/delta/actions.ts";
import { filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { openRareRows } from "#store/parquet/duckdb-process.ts";
import { fill } from "#store/parquet/engine.ts";
import documentsSql from "./sql/read/read-documents.sql" with { type: "text" };
import { tableVersionOf } from "./state.ts";

/** The share of the cache budget: all years of both sources. */
const SHARE = 0.1;
const ROW_BYTES = 8;
const DOCUMENT_BYTES = 400;

/** The figures of one file, by ascending place. */
interface FileDocuments {
  /** Date and currency in one number. */
  readonly places: Int32Array;
  readonly revisions: Uint16Array;
  /** Position in `documents`. */
  readonly at: Uint16Array;
  readonly documents: readonly FigureDocument[];
}

interface Options {
  readonly directory: string;
  readonly daily: Table;
  readonly caches: CacheBudget;
}

/** Opens the reader of documents. It takes no lock. */
export function openFigureDocuments({ directory, daily, caches }: Options): FigureDocuments {
  const cache: Cache<string, FileDocuments> = caches.cache("figure_documents", { share: SHARE });
  const underWay = new Map<string, Promise<FileDocuments>>();
  const readRows = openRareRows(directory);

  const documentsOf = (file: Add, figure: FigureName): Promise<FileDocuments> => {
    const cached = cache.get(file.path);
    if (cached !== undefined) return Promise.resolve(cached);
    const reading =
      underWay.get(file.path) ??
      readFile(readRows, daily.pathOf(file), PIVOT[figure.source])
        .then((read) => {
          cache.set(file.path, read, read.places.length * ROW_BYTES + read.documents.length * DOCUMENT_BYTES);
          return read;
        })
        .finally(() => underWay.delete(file.path));
    underWay.set(file.path, reading);
    return reading;
  };
  const findIn = async (snapshot: Snapshot | null, figure: FigureName): Promise<FigureDocument | null> => {
    const partition = { source: figure.source, year: String(yearOf(figure.date)) };
    const [file] = snapshot === null ? [] : filesOfPartition(snapshot, partition);
    if (file === undefined || (await daily.verifier.check(file)) !== null) return null;
    return documentIn(await documentsOf(file, figure), figure);
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

async function readFile(
  readRows: ReturnType<typeof openRareRows>,
  path: string,
  pivot: string,
): Promise<FileDocuments> {
  const rows = (await readRows(fill(documentsSql, { files: [path], pivot }))) as readonly (readonly [
    number,
    number,
    string,
    string,
  ])[];
  const documents: FigureDocument[] = [];
  const positions = new Map<string, number>();
  const at = Uint16Array.from(rows, ([, , document, documentSha256]) => {
    const name = `${documentSha256} ${document}`;
    const position = positions.get(name) ?? documents.push({ document, documentSha256 }) - 1;
    positions.set(name, position);
    return position;
  });
  return {
    places: Int32Array.from(rows, ([place]) => place),
    revisions: Uint16Array.from(rows, ([, revision]) => revision),
    at,
    documents,
  };
}

/** Returns null for another revision. */
function documentIn(file: FileDocuments, { date, base, quote, source, revision }: FigureName) {
  const place = date * 64 + currencyIndex(base === PIVOT[source] ? quote : base);
  let [low, high] = [0, file.places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((file.places[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  if (file.places[low] !== place || file.revisions[low] !== revision) return null;
  return file.documents[file.at[low] as number] ?? null;
}
