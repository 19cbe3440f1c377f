/** The signed history over HTTP: keys and head, pages of entries, proofs of rates with the digits of the JSON pages, and `verify --url`. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newClient } from "#cli/client.ts";
import { verifyRemote } from "#commands/verify.ts";
import { type Entry, sha256 } from "#domain/chain/entry.ts";
import { advance, type ChainState, type Head } from "#domain/chain/state.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openSignedHistory } from "#store/chain/chain.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { datasetVersion, tableVersionOf } from "#store/lake/state.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { assertResponseConforms } from "#test/api/openapi/conformance.ts";
import { entriesOf, openSigned } from "#test/store/chain/signed-lake.ts";
import { change, day, observation, query } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A lake of some figures, of which one was corrected, behind a server; `datasets` are its versions, the newest last. */
async function serveSigned(committed = NOW) {
  const dataDir = temporaryDirectory();
  const signed = await openSigned(dataDir, { now: () => committed });
  const { lake, chain, directory } = signed;
  const archive = await openQuoteArchive({
    directory,
    simulated: false,
    access: "write",
    chain,
    now: () => NOW,
  });
  const datasets: Dataset[] = [];
  for (const accepted of [
    [
      observation("2025-03-03", "USD", "1.0465"),
      observation("2025-03-03", "GBP", "0.82600"),
      observation("2025-03-03", "JPY", "156.90"),
      observation("2025-03-03", "TWD", "32.90", { source: "fred_daily", base: "USD", decimals: 2 }),
    ],
    [observation("2025-03-03", "GBP", "0.82610", { revision: 2, name: "second" })],
  ]) {
    await lake.commit(() => change({ accepted }));
    const { version, observations } = await lake.read();
    const history = buildHistory(version, observations);
    datasets.push({ history, coveredThrough: { ecb_daily: day("2025-03-03") }, simulated: false });
  }
  const newest = datasets.at(-1) as Dataset;
  const { answer } = openTestApp({
    dataset: () => newest,
    pinned: (version) => datasets.find(({ history }) => history.version === version) ?? null,
    lakeFiles: openLakeFiles({ daily: lake.tables, intraday: archive.table, official: null }),
    signedHistory: openSignedHistory(chain, {
      table: lake.tables.daily,
      nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
      versionOf: tableVersionOf,
    }),
  });
  atEnd(lake.close);
  atEnd(archive.close);
  const versions = datasets.map(({ history }) => history.version);
  return { ...signed, url: listen(answer).url, versions };
}

const server = await serveSigned();

async function ask(path: string): Promise<Response> {
  const response = await fetch(server.url + path);
  await assertResponseConforms("GET", server.url + path, response);
  return response;
}
// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the document by `ask`
const read = async (path: string): Promise<any> => await (await ask(path)).json();

describe("keys, head and entries", () => {
  test("the head is the newest entry, the key verifies it, and the pages have every entry in order", async () => {
    const known = await read("/.well-known/crossrate.json");
    const entries: Entry[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const page = await read(`/v1/lake/chain?from=${from}&limit=4`);
      expect(page.entries.length).toBeLessThanOrEqual(4);
      entries.push(...page.entries);
      from = page.next_from;
    }
    expect(entries).toEqual([...entriesOf(server.dataDir)]);
    let state: ChainState | null = null;
    for (const entry of entries) {
      const advanced = advance(state, entry);
      expect(advanced.faults).toEqual([]);
      state = advanced.state;
    }
    const { chain, sequence, hash, at, signature } = state as ChainState;
    expect(known.head).toEqual({ chain, sequence, hash, at, signature, key: known.keys[0].key });
    expect(known.keys).toEqual([...(state as ChainState).keys]);
    expect((await read(`/v1/lake/chain?from=${sequence + 1}`)).entries).toEqual([]);
  });

  test("every table is in it, quotes too, and refused parameters are named", async () => {
    const { entries } = await read("/v1/lake/chain");
    expect(new Set(entries.map(({ table }: { table?: string }) => table))).toEqual(
      new Set([undefined, "revisions", "held", "statements", "daily", "intraday"]),
    );
    for (const bad of ["from=-1", "from=x", "limit=0", "limit=1001"])
      expect((await ask(`/v1/lake/chain?${bad}`)).status).toBe(400);
  });

  test("a server that signs nothing says so", async () => {
    const app = openTestApp();
    expect((await app.ask("/.well-known/crossrate.json")).status).toBe(503);
    expect((await app.ask("/v1/lake/chain")).status).toBe(503);
    expect((await app.ask("/v1/lake/proof/EUR/USD?date=2026-04-13")).status).toBe(503);
  });
});

/** Follows a proof as an outsider would: row, file, list of files, entry, and the entry in the history. */
// biome-ignore lint/suspicious/noExplicitAny: bodies are checked against the document by `ask`
async function follow({ legs, files, entry }: any): Promise<void> {
  for (const { date, base, quote, value, file } of legs) {
    const bytes = Buffer.from(await (await fetch(`${server.url}/v1/lake/${file.path}`)).arrayBuffer());
    expect(sha256(bytes)).toBe(file.sha256);
    expect(files).toContain(`${file.sha256}  ${file.path.slice("daily/".length)}\n`);
    const rows = await query(
      `SELECT printed FROM read_parquet('${join(server.directory, file.path)}')
       WHERE date = '${date}' AND base = '${base}' AND quote = '${quote}'`,
    );
    expect(rows.map(({ printed }) => Number(printed))).toEqual([value]);
  }
  expect(sha256(files)).toBe(entry.files);
  expect(entriesOf(server.dataDir)[entry.sequence]).toEqual(entry);
}

describe("a proof", () => {
  test.each([
    ["EUR", "USD", ["EUR/USD"]],
    ["USD", "EUR", ["EUR/USD"]],
    ["GBP", "JPY", ["EUR/JPY", "EUR/GBP"]],
    ["GBP", "TWD", ["USD/TWD", "EUR/USD", "EUR/GBP"]],
  ])(
    "of %s to %s has the digits of the JSON page and leads from each leg to the head",
    async (base, symbol, legs) => {
      const text = await (await ask(`/v1/lake/proof/${base}/${symbol}?date=2025-03-04`)).text();
      const page = await (await ask(`/v1/2025-03-04/${base}?symbols=${symbol}`)).text();
      const digits = new RegExp(`"${symbol}":([0-9.]+)`).exec(page.slice(page.indexOf('"rates"')))?.[1];
      expect(digits).toBeDefined();
      expect(text).toContain(`"rate":${digits},`);
      const proof = JSON.parse(text);
      expect(proof.version).toBe(server.versions[1]);
      expect(
        proof.legs.map((leg: { base: string; quote: string }) => `${leg.base}/${leg.quote}`).sort(),
      ).toEqual(legs.toSorted());
      await follow(proof);
    },
  );

  test("of an older version shows what stood then", async () => {
    const [older, newest] = server.versions;
    const valueIn = async (version = "") => {
      const proof = await read(`/v1/lake/proof/EUR/GBP?date=2025-03-03&version=${version}`);
      expect(proof.version).toBe(version);
      await follow(proof);
      return [proof.rate, proof.legs[0].revision];
    };
    expect(await valueIn(older)).toEqual([0.826, 1]);
    expect(await valueIn(newest)).toEqual([0.8261, 2]);
  });

  test("of an older version has no day after its commit: a later version may have another rate then", async () => {
    const app = await serveSigned(new Date("2025-03-04T15:00:00Z").getTime());
    const [older, newest] = app.versions;
    const answer = async (query: string) =>
      await (await fetch(`${app.url}/v1/lake/proof/EUR/GBP?${query}`)).json();
    expect((await answer(`date=2025-03-04&version=${older}`)).rate).toBe(0.826);
    const refused = await answer(`date=2025-03-05&version=${older}`);
    expect([refused.code, refused.message]).toEqual([
      "no_data_for_date",
      expect.stringContaining(
        `version ${older} was committed on 2025-03-04 and proves no rate of a later day`,
      ),
    ]);
    for (const version of ["", `&version=${newest}`])
      expect((await answer(`date=2025-03-05${version}`)).rate).toBe(0.8261);
  });

  test("is refused for what cannot be proved, by name", async () => {
    const codeOf = async (query: string) => (await read(`/v1/lake/proof/${query}`)).code;
    expect(await codeOf("EUR/USD")).toBe("missing_parameter");
    expect(await codeOf("EUR/EUR?date=2025-03-03")).toBe("invalid_request");
    expect(await codeOf("EUR/USD?date=2025-03-03&version=9-abc")).toBe("invalid_request");
    expect(await codeOf("EUR/USD?date=2025-03-03&version=..%2F..")).toBe("invalid_request");
    expect(await codeOf("EUR/USD?date=1998-03-03")).toBe("no_data_for_date");
    expect(await codeOf("EUR/XXX?date=2025-03-03")).toBe("invalid_pair");
  });

  test("of the newest version is refused for now while that has no entry yet", async () => {
    const { chain, lake: signed, directory } = await openSigned(temporaryDirectory());
    await signed.close();
    // As on a machine that has a commit of another one, and not yet its entry.
    const lake = await openLake({ directory, simulated: false });
    await lake.commit(() => change({ accepted: [observation("2025-03-03", "USD", "1.0465")] }));
    const { version, observations } = await lake.read();
    const history = buildHistory(version, observations);
    const signedHistory = openSignedHistory(chain, {
      table: lake.tables.daily,
      nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
      versionOf: tableVersionOf,
    });
    const covered = { coveredThrough: { ecb_daily: day("2025-03-03") }, simulated: false };
    const app = openTestApp({ dataset: () => ({ history, ...covered }), signedHistory });
    const path = "/v1/lake/proof/EUR/USD?date=2025-03-03";
    const waiting = await app.ask(path);
    expect([waiting.status, (await waiting.json()).code]).toEqual([503, "data_unavailable"]);
    await chain.follow(Object.values(lake.tables));
    expect((await app.ask(path)).status).toBe(200);
    await lake.close();
  });
});

describe("verify --url", () => {
  const verify = (url: string, kept: Head | null = null) => {
    const nothing = () => {};
    const terminal = { note: nothing } as never;
    const clock = { now: () => NOW, sleep: async () => {} };
    const { signal } = new AbortController();
    const place = { url, chosenBy: "--url", key: null, keyFrom: null, login: null } as const;
    const context = { terminal, clock, signal, version: "test" };
    return verifyRemote(newClient(place, context), context, kept);
  };

  test("finds nothing wrong with a server that changed nothing, also against a head", async () => {
    const { head } = await read("/.well-known/crossrate.json");
    const report = await verify(server.url, head);
    expect(report.faults).toEqual([]);
    expect(report.tables.join("\n")).toContain("daily      versions 0 to 2 are signed");
  });

  test("names a history that was cut short or rewritten, and manifests of other files", async () => {
    const own = await serveSigned();
    const { head } = await (await fetch(`${own.url}/.well-known/crossrate.json`)).json();
    expect((await verify(own.url, { ...head, sequence: head.sequence + 1 })).faults).toEqual([
      expect.stringContaining("the history was cut short"),
    ]);
    expect((await verify(own.url, { ...head, hash: "0".repeat(64) })).faults).toEqual([
      expect.stringContaining("the history was rewritten"),
    ]);
    // A server whose manifest promises another file than it has signed.
    const lying = listen(async (request) => {
      const { pathname, search } = new URL(request.url);
      const text = await (await fetch(own.url + pathname + search)).text();
      const isManifest = pathname === "/v1/lake/manifest.json";
      return new Response(isManifest ? text.replace(/"sha256": "../, '"sha256": "00') : text);
    });
    expect((await verify(lying.url)).faults).toEqual([
      "the files of daily by its manifest are not those that its newest entry has signed",
    ]);
  });

  test("names a server that shows a head and no entries, and one whose answers have another form", async () => {
    const chain = "/v1/lake/chain";
    const answering = (other: Record<string, string>) =>
      listen(async ({ url }) => {
        const { pathname, search } = new URL(url);
        return new Response(other[pathname] ?? (await fetch(server.url + pathname + search)).body);
      });
    const { head } = await read("/.well-known/crossrate.json");
    const manifest = "/v1/lake/manifest.json";
    const none = answering({ [chain]: '{"entries":[],"next_from":null}', [manifest]: '{"files":[]}' });
    expect((await verify(none.url)).faults).toEqual([
      `/.well-known/crossrate.json does not fit ${chain}: it has entry ${head.sequence}, and no history begins there`,
    ]);
    const page = await read(`${chain}?from=0`);
    const withFirst = (change: object) =>
      JSON.stringify({ ...page, entries: page.entries.with(1, { ...page.entries[1], ...change }) });
    for (const [path, text] of [
      [chain, "<html>"],
      [chain, "{}"],
      [chain, '{"entries":[null],"next_from":null}'],
      [chain, withFirst({ kind: "unknown" })],
      [chain, withFirst({ version: "1" })],
      [chain, withFirst({ files: 1 })],
      [manifest, '{"files":[null]}'],
    ] as const)
      expect(verify(answering({ [path]: text }).url)).rejects.toThrow(
        `${path} is not of the form that this program reads`,
      );
    const endless = answering({ [chain]: '{"entries":[],"next_from":1}' });
    expect(verify(endless.url)).rejects.toThrow("does not go on after entry 0");
  });
});
