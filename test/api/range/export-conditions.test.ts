/** A file that is requested again or in part: conditions on its version, and ranges. */

import { describe, expect, test } from "bun:test";
import { app, ask, bytes, fresh, QUESTION } from "./export-asked.ts";

describe("conditions", () => {
  test("the same file is not sent twice", async () => {
    const path = fresh();
    const tag = (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await ask(path, { headers: { "if-none-match": known } });
      expect([response.status, await response.text()]).toEqual([304, ""]);
      expect(response.headers.get("ETag")).toBe(tag);
    }
    expect((await ask(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });
  test("If-Match holds a download together", async () => {
    const path = fresh();
    const tag = (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
    for (const wanted of [tag, "*", `"other", ${tag}`]) {
      expect((await ask(path, { headers: { "if-match": wanted } })).status).toBe(200);
    }
    for (const other of ['"other"', `W/${tag}`]) {
      await app.refused(path, "precondition_failed", { headers: { "if-match": other } });
    }
  });
});

describe("Range", () => {
  test("of a file that is not there yet waits for it", async () => {
    const path = fresh();
    const part = await ask(path, { headers: { range: "bytes=5-9" } });
    expect(part.status).toBe(206);
    const content = await bytes(path);
    expect(part.headers.get("Content-Range")).toBe(`bytes 5-9/${content.length}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(5, 10));
  });
  test("sends the requested bytes", async () => {
    const path = `${QUESTION}&format=parquet`;
    const content = await bytes(path);
    const size = content.length;
    for (const [range, start, end] of [
      ["bytes=0-3", 0, 4],
      ["bytes=4-", 4, size],
      ["bytes=-8", size - 8, size],
      [`bytes=-${size + 100}`, 0, size],
      [`bytes=${size - 1}-${size + 1000}`, size - 1, size],
      ["Bytes = 1-2", 1, 3],
    ] as const) {
      const part = await ask(path, { headers: { range } });
      expect([range, part.status, part.headers.get("Content-Range")]).toEqual([
        range,
        206,
        `bytes ${start}-${end - 1}/${size}`,
      ]);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(content.subarray(start, end));
    }
  });
  test("that begins after the end is refused with the size", async () => {
    const path = `${QUESTION}&format=csv`;
    const { length } = await bytes(path);
    for (const range of [`bytes=${length}-`, "bytes=99999999999999999999-", "bytes=-0"]) {
      const response = await app.refused(path, "range_not_satisfiable", { headers: { range } });
      expect(response.headers.get("Content-Range")).toBe(`bytes */${length}`);
    }
  });
  test("that is several, foreign or none at all is the whole file", async () => {
    const path = `${QUESTION}&format=csv`;
    const content = await bytes(path);
    for (const range of [
      "bytes=0-1,4-5",
      "lines=0-1",
      "bytes=5-2",
      "bytes=-",
      "bytes=a-b",
      "bytes=0x0-0x1",
      "",
    ]) {
      const whole = await ask(path, { headers: { range } });
      expect([range, whole.status]).toEqual([range, 200]);
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(content);
    }
  });
  test("is honoured only while If-Range names this file", async () => {
    const path = `${QUESTION}&format=csv`;
    const content = await bytes(path);
    const tag = (await ask(path, { method: "HEAD" })).headers.get("ETag") as string;
    const firstBytes = (unchanged: string) =>
      ask(path, { headers: { range: "bytes=0-3", "if-range": unchanged } });
    expect((await firstBytes(tag)).status).toBe(206);
    for (const old of ['"0a0a0a"', `W/${tag}`, "Mon, 13 Apr 2026 16:30:00 GMT"]) {
      const whole = await firstBytes(old);
      expect(whole.status).toBe(200);
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(content);
    }
  });
});
