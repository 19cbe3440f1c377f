/** Bodies that never change: read at the first request and shared by all answers. */

import { expect, test } from "bun:test";
import { openLargeBodies } from "#api/response/large-bodies.ts";
import { createStaticBody } from "#api/response/static-body.ts";

const large = openLargeBodies({ most: 100, addressOf: () => "", isDone: () => true });
const ABOUT = { mime: "text/plain", cacheControl: "no-cache" };

test("a body is read once however many ask, and coded for who takes that", async () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return "A".repeat(100_000);
  };
  const send = createStaticBody({ ...ABOUT, load }, { simulated: false, large });
  const get = (headers: Record<string, string> = {}) =>
    send(new Request("http://localhost/file", { headers }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => get()));
  const sizes = answers.map(async (answer) => (await answer.bytes()).byteLength);
  expect(await Promise.all(sizes)).toEqual(Array(20).fill(100_000));
  const coded = await get({ "Accept-Encoding": "gzip" });
  expect(coded.headers.get("content-encoding")).toBe("gzip");
  expect(Bun.gunzipSync(await coded.bytes()).byteLength).toBe(100_000);
  const etag = coded.headers.get("etag") ?? "";
  expect(etag).toBe(answers[0]?.headers.get("etag") ?? "-");
  expect((await get({ "If-None-Match": etag })).status).toBe(304);
  expect(loads).toBe(1);
});

test("what could not be read is read again at the next request", async () => {
  let isThere = false;
  const load = async () => {
    if (!isThere) throw new Error("not there");
    return "let a;";
  };
  const send = createStaticBody({ ...ABOUT, load }, { simulated: false, large });
  await expect(send(new Request("http://localhost/file"))).rejects.toThrow("not there");
  isThere = true;
  expect(await (await send(new Request("http://localhost/file"))).text()).toBe("let a;");
});
