/** The lake over HTTP while it changes: whole versions under their own tags, replaced files for as long as they are retained. */

import { describe, expect, test } from "bun:test";
import { sha256 } from "#domain/chain/entry.ts";
import { at, DAY, quote } from "#test/store/archive/sample.ts";
import { change, observation, RETRIEVED } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bytesOf, MANY_QUOTES, serveLake } from "./lake-server.ts";

const server = await serveLake(temporaryDirectory());
const { ask, manifest } = server;

// Each test has a year or a date of its own: the others may run before or after.
const yearly = (year: number) => `current/daily/source=ecb_daily/year=${year}/rates.parquet`;
const dated = (date: string) => `current/intraday/date=${date}/quotes.parquet`;

async function addQuote(instant: string, mid: string): Promise<void> {
  await server.archive.append([quote("USD/EUR", mid, at(instant))]);
  await server.archive.flush();
}

describe("a file that was replaced", () => {
  test("stays under its own name, byte for byte, while the fixed name leads to the new one", async () => {
    const current = yearly(2023);
    await server.lake.commit(() => change({ accepted: [observation("2023-12-29", "USD", "1.1050")] }));
    const before = await manifest();
    const old = await server.named(current);
    const first = await ask(current, { range: "bytes=0-99" });
    const etag = first.headers.get("etag") ?? "";
    const whole = await bytesOf(await ask(old));
    await server.lake.commit(() => change({ accepted: [observation("2023-12-28", "USD", "1.1114")] }));

    // Under the fixed name a reader by ranges notices it.
    expect((await ask(current, { range: "bytes=100-199", "if-match": etag })).status).toBe(412);
    const again = await ask(current, { range: "bytes=100-199", "if-range": etag });
    expect(again.status).toBe(200);
    expect(again.headers.get("etag")).not.toBe(etag);
    // Under the name of its version reading continues.
    const rest = await ask(old, { range: "bytes=100-199", "if-range": etag, "if-match": etag });
    expect(rest.status).toBe(206);
    expect((await bytesOf(rest)).equals(whole.subarray(100, 200))).toBe(true);
    expect(rest.headers.get("cache-control")).toContain("immutable");
    expect((await bytesOf(await ask(old))).equals(whole)).toBe(true);

    const after = await manifest();
    expect(after.version).not.toBe(before.version);
    const entry = after.files.find((file) => file.current === current);
    expect(entry?.path).not.toBe(old);
    expect(again.headers.get("etag")).toBe(`"${entry?.sha256}"`);
    expect(sha256(await bytesOf(again))).toBe(entry?.sha256 as string);
  });

  test("comes whole to a reader of parts that names no version, from memory and from the disk", async () => {
    const small = yearly(2021);
    await server.lake.commit(() => change({ accepted: [observation("2021-12-29", "USD", "1.1303")] }));
    await ask(small, { range: "bytes=0-99" });
    await ask(MANY_QUOTES, { range: "bytes=0-99" });
    await server.lake.commit(() => change({ accepted: [observation("2021-12-30", "USD", "1.1334")] }));
    await addQuote("2026-03-03T23:59:59Z", "0.84");
    const sizes: number[] = [];
    for (const current of [small, MANY_QUOTES]) {
      const again = await ask(current, { range: "bytes=100-199" });
      expect([current, again.status]).toEqual([current, 200]);
      const content = await bytesOf(again);
      expect(again.headers.get("etag")).toBe(`"${sha256(content)}"`);
      sizes.push(content.length);
    }
    expect(sizes[0]).toBeLessThan(256 * 1024);
    expect(sizes[1]).toBeGreaterThan(256 * 1024);
  });

  test("is not found any more once it went with the retention, and the newest one is", async () => {
    const [figures, quotes] = [yearly(2022), dated("2026-02-02")];
    await server.lake.commit(() => change({ accepted: [observation("2022-12-29", "USD", "1.0649")] }));
    await addQuote("2026-02-02T12:00:00Z", "0.84");
    const old = [await server.named(figures), await server.named(quotes)];
    await server.lake.commit(() => change({ accepted: [observation("2022-12-28", "USD", "1.0640")] }));
    await addQuote("2026-02-02T12:01:00Z", "0.85");
    const statuses = async (paths: readonly string[]) => {
      const found: number[] = [];
      for (const path of paths) found.push((await ask(path)).status);
      return found;
    };
    server.forward(DAY - 1);
    await server.archive.upkeep();
    expect(await statuses(old)).toEqual([200, 200]);
    server.forward(1);
    await server.archive.upkeep();
    await server.lake.upkeep();
    expect(await statuses(old)).toEqual([200, 404]);
    server.forward(6 * DAY);
    await server.lake.upkeep();
    expect(await statuses(old)).toEqual([404, 404]);
    expect(await statuses([figures, quotes])).toEqual([200, 200]);
    expect(await statuses([await server.named(figures), await server.named(quotes)])).toEqual([200, 200]);
  });
});

describe("every answer while the lake changes is one whole version under its own tag", () => {
  async function watch(path: string, changes: () => Promise<void>): Promise<void> {
    let changing = true;
    const changed = changes().finally(() => {
      changing = false;
    });
    const seen = new Set<string>();
    do {
      const response = await ask(path);
      expect(response.status).toBe(200);
      const tag = `"${sha256(await bytesOf(response))}"`;
      expect(response.headers.get("etag")).toBe(tag);
      seen.add(tag);
    } while (changing);
    await changed;
    expect(seen.size).toBeGreaterThan(1);
    const listed = path.startsWith("current/intraday") ? "intraday/manifest.json" : "manifest.json";
    const { files } = await manifest(listed);
    const entry = files.find((file) => file.current === path);
    expect((await ask(path)).headers.get("etag")).toBe(`"${entry?.sha256}"`);
  }

  test("of quotes, while they are flushed", async () => {
    await addQuote("2026-02-03T12:00:00Z", "0.9");
    await watch(dated("2026-02-03"), async () => {
      for (const minute of ["01", "02", "03"]) await addQuote(`2026-02-03T12:${minute}:00Z`, "0.9");
    });
  });

  test("of figures, while they are committed", async () => {
    const revision = (nth: number) =>
      change({
        accepted: [
          observation("2024-12-30", "USD", `1.044${nth}`, {
            revision: nth,
            name: `version-${nth}`,
            retrievedAt: RETRIEVED + nth * 1000,
          }),
        ],
      });
    await server.lake.commit(() => revision(1));
    await watch(yearly(2024), async () => {
      for (let nth = 2; nth <= 6; nth++) await server.lake.commit(() => revision(nth));
    });
  });
});

test("a manifest names one version: every file of it can be read, although newer ones come meanwhile", async () => {
  await addQuote("2026-02-04T12:00:00Z", "0.9");
  const { files, version } = await manifest("intraday/manifest.json");
  for (let nth = 1; nth <= 3; nth++) await addQuote(`2026-02-04T12:0${nth}:00Z`, "0.9");
  for (const { path, sha256: digest } of files) expect(sha256(await bytesOf(await ask(path)))).toBe(digest);
  expect((await manifest("intraday/manifest.json")).version).toBe(version + 3);
});
