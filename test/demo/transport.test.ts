/** The simulator as a web server: hosts, methods, conditional requests, compression, the log of requests. */

import { expect, test } from "bun:test";
import { broken } from "./broken-transport.ts";
import { FILES, OBSERVATIONS, running, SDMX } from "./running.ts";

const { get, text, at } = await running("2026-04-13T15:00:00Z");
const DAILY = `${FILES}/eurofxref-daily.xml`;
const VALIDATED = [
  DAILY,
  `${FILES}/eurofxref-hist.zip`,
  `${SDMX}/D.USD.EUR.SP00.A?format=csvdata&startPeriod=2026-04-09`,
  `${OBSERVATIONS}&series_id=DEXUSEU`,
];

for (const address of VALIDATED) {
  test(`${new URL(address).pathname}: its own validators get 304 without a body, others get 200`, async () => {
    const first = await get(address);
    const [etag, modified] = [first.headers.get("etag"), first.headers.get("last-modified")] as [
      string,
      string,
    ];
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(0);
    const byTag = await get(address, { "if-none-match": etag });
    expect([byTag.status, await byTag.text(), byTag.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await get(address, { "if-none-match": `"other", W/${etag}` })).status).toBe(304);
    expect((await get(address, { "if-modified-since": modified })).status).toBe(304);
    expect((await get(address, { "if-none-match": '"other"', "if-modified-since": modified })).status).toBe(
      200,
    );
  });
}

test("after the next publication the old validators get the new document", async () => {
  const etag = (await get(DAILY)).headers.get("etag") as string;
  at("2026-04-14T15:00:00Z");
  const next = await get(DAILY, { "if-none-match": etag });
  expect([next.status, (await next.text()).includes("2026-04-14")]).toEqual([200, true]);
  at("2026-04-13T15:00:00Z");
});

test("text is compressed when requested, and is the same text", async () => {
  const plain = await text(DAILY);
  const raw = await get(DAILY, { "accept-encoding": "gzip" }, { decompress: false });
  expect([raw.headers.get("content-encoding"), raw.headers.get("vary")]).toEqual(["gzip", "Accept-Encoding"]);
  const bytes = new Uint8Array(await raw.arrayBuffer());
  expect(bytes.length).toBeLessThan(plain.length);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(plain);
});

test("an unknown host is 404, another method is 405 with Allow, HEAD has headers only", async () => {
  expect((await get("https://example.org/stats")).status).toBe(404);
  const post = await get(DAILY, {}, { method: "POST", body: "x" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = await get(DAILY, {}, { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.has("etag")]).toEqual([200, "", true]);
});

test("a stopped simulator answers no more, and lets go of a request that hangs", async () => {
  const other = await running("2026-04-13T15:00:00Z");
  other.simulator.misbehave("/www.ecb.europa.eu/", broken.hang);
  const hanging = other.get(DAILY).then(
    ({ status }) => status,
    () => "closed",
  );
  await other.simulator.stop();
  expect([503, "closed"]).toContain(await hanging);
  await expect(other.get(DAILY)).rejects.toThrow();
});
