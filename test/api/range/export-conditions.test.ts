/** A file that is requested again or in part: conditions on its version, and ranges. */

import { describe, expect, test } from "bun:test";
import { app, ask, bytes, fresh, QUESTION } from "./export-asked.ts";

test("a version that is there is not sent twice, and If-Match holds a download together", async () => {
  const path = fresh();
  const tag = (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
  const same = await ask(path, { headers: { "if-none-match": `"other", ${tag}` } });
  expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", tag]);
  expect((await ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  expect((await ask(path, { headers: { "if-match": `"other", ${tag}` } })).status).toBe(200);
  await app.refused(path, "precondition_failed", { headers: { "if-match": `W/${tag}` } });
});

/** The grammar of ranges: test/api/lake/lake.test.ts. */
describe("Range", () => {
  test("of a file that is not there yet waits for it", async () => {
    const path = fresh();
    const part = await ask(path, { headers: { range: "bytes=5-9" } });
    expect(part.status).toBe(206);
    const content = await bytes(path);
    expect(part.headers.get("Content-Range")).toBe(`bytes 5-9/${content.length}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(5, 10));
  });
  test.each(["csv", "parquet"])(
    "of a finished %s is the part, a refusal, or the whole file",
    async (format) => {
      const path = `${QUESTION}&format=${format}`;
      const content = await bytes(path);
      const size = content.length;
      const tag = (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
      const asked = async (range: string, headers: Record<string, string> = {}) => {
        const response = await ask(path, { headers: { range, ...headers } });
        return [response.status, new Uint8Array(await response.arrayBuffer())] as const;
      };
      expect(await asked(`bytes=-8`)).toEqual([206, content.subarray(size - 8)]);
      expect(await asked("bytes=0-3", { "if-range": tag })).toEqual([206, content.subarray(0, 4)]);
      expect(await asked("bytes=0-3", { "if-range": '"0a0a0a"' })).toEqual([200, content]);
      expect(await asked("bytes=0-1,4-5")).toEqual([200, content]);
      const beyond = await app.refused(path, "range_not_satisfiable", {
        headers: { range: `bytes=${size}-` },
      });
      expect(beyond.headers.get("Content-Range")).toBe(`bytes */${size}`);
    },
  );
});
