/** The lake's official publications over HTTP: the manifest, its files, and the same rates as /v1/official has. */

import { beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { query } from "#test/store/lake/sample.ts";
import { type Copy, from, openCopy, rowsOf } from "#test/store/official-lake/copies.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const world = collectedForEach();
let copy: Copy;
let ask: (path: string, headers?: Record<string, string>) => Promise<Response>;

beforeEach(async () => {
  const directory = temporaryDirectory();
  copy = openCopy(directory);
  ask = await serve(directory, copy.table);
});

async function serve(directory: string, official: Copy["table"] | null): Promise<typeof ask> {
  const lake = await openLake({ directory, simulated: false });
  const archive = await openQuoteArchive({ directory, simulated: false, access: "read" });
  atEnd(lake.close);
  atEnd(archive.close);
  const { visit } = openTestApp({
    now: NOW,
    official: official === null ? null : world.deps(collected(FIX, DOF, CUSTOMS)),
    lakeFiles: openLakeFiles({ daily: lake.tables, intraday: archive.table, official }),
  });
  return async (path, headers = {}) => await visit(path, { headers });
}

test("the manifest names each table's file with its range of validity, and every file comes byte for byte", async () => {
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(1) });
  await world.publish(FIX, "2026-04-13", { rows: rowsOf(2) });
  await world.publish(CUSTOMS, "2026-05", { validFrom: "2026-05-01", rows: rowsOf(3) });
  await copy.follow(from(world.ledger));
  const { manifests } = await (await ask("/v1/lake/manifest.json")).json();
  expect(manifests.official).toBe("official/manifest.json");
  const response = await ask(`/v1/lake/${manifests.official}`);
  expect(response.status).toBe(200);
  const { files, mode } = await response.json();
  expect(mode).toBe("real");
  expect(files).toMatchObject([
    { rows: 3, valid_from: { first: "2026-05-01", last: "2026-05-01" } },
    { rows: 6, valid_from: { first: "2026-04-10", last: "2026-04-13" } },
  ]);
  for (const { path, current, bytes, sha256 } of files) {
    for (const name of [path, current]) {
      const file = await ask(`/v1/lake/${name}`);
      expect(file.status).toBe(200);
      const body = new Uint8Array(await file.arrayBuffer());
      expect(body.byteLength).toBe(bytes);
      expect(new Bun.CryptoHasher("sha256").update(body).digest("hex")).toBe(sha256);
      expect(file.headers.get("etag")).toBe(`"${sha256}"`);
      expect((await ask(`/v1/lake/${name}`, { "if-none-match": `"${sha256}"` })).status).toBe(304);
    }
  }
});

test("its rows are those that /v1/official answers, of every version", async () => {
  await world.publish(FIX, "2026-04-10", { rows: rowsOf(1) });
  await world.publish(FIX, "2026-04-10", { version: 2, rows: rowsOf(8), publishedAt: NOW - 5_000 });
  await world.publish(CUSTOMS, "2026-05", {
    validFrom: "2026-05-01",
    validTo: "2026-05-31",
    rows: rowsOf(3, 7),
  });
  await copy.follow(from(world.ledger));
  const samples = [
    ["mex/fix/publications/2026-04-10?version=1", "mex_fix", 1],
    ["mex/fix/publications/2026-04-10", "mex_fix", 2],
    ["gbr/customs/publications/latest", "gbr_customs", 1],
  ] as const;
  for (const [path, table, version] of samples) {
    const text = await (await ask(`/v1/official/${path}`)).text();
    const answer = JSON.parse(text);
    const file = join(copy.directory, `current/official/table_id=${table}/publications.parquet`);
    const rows = await query(
      `SELECT base, quote, rate, unit, kind, printed, country, authority, publication, version, source_url,
         valid_from::VARCHAR AS valid_from, valid_to::VARCHAR AS valid_to, document_sha256,
         epoch_ms(published_at)::DOUBLE AS published, epoch_ms(retrieved_at)::DOUBLE AS retrieved
       FROM read_parquet('${file}', file_row_number = true) WHERE version = ${version} ORDER BY file_row_number`,
    );
    expect(rows.map(({ base, quote, rate, unit, kind }) => ({ base, quote, rate, unit, kind }))).toEqual(
      answer.rows,
    );
    for (const row of rows) {
      // The digits as they are printed, too.
      expect(text).toContain(`"base":"${row["base"]}","quote":"${row["quote"]}","rate":${row["printed"]},`);
      expect(row).toMatchObject({
        country: answer.country,
        authority: answer.authority,
        publication: answer.publication,
        version: answer.version,
        valid_from: answer.valid_from,
        valid_to: answer.valid_to,
        published: answer.published_at === null ? null : Date.parse(answer.published_at),
        retrieved: Date.parse(answer.retrieved_at),
        source_url: answer.source_url,
        document_sha256: answer.document_sha256,
      });
    }
  }
});

test("before the first copy there is no such manifest, and the lake's own does not name it", async () => {
  expect((await ask("/v1/lake/official/manifest.json")).status).toBe(503);
  expect((await (await ask("/v1/lake/manifest.json")).json()).manifests).toEqual({
    intraday: "intraday/manifest.json",
  });
  await copy.follow(from(world.ledger));
  expect((await (await ask("/v1/lake/official/manifest.json")).json()).files).toEqual([]);
  expect((await (await ask("/v1/lake/manifest.json")).json()).manifests.official).toBe(
    "official/manifest.json",
  );
});

test("where nothing is collected the answer says what the operator can do, as /v1/official does", async () => {
  const without = await serve(temporaryDirectory(), null);
  const bodyOf = async (path: string) => await (await without(path)).json();
  const { code, message } = await bodyOf("/v1/official");
  expect(await bodyOf("/v1/lake/official/manifest.json")).toMatchObject({ code, message });
  expect((await without("/v1/lake/current/official/table_id=mex_fix/publications.parquet")).status).toBe(404);
});
