import { beforeEach, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { listen } from "#test/support/listen.ts";

interface Counted {
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly bytes: number;
}

const counted: Counted[] = [];
const { answer } = openTestApp({
  countRequest: (route, status, milliseconds, bytes) =>
    void counted.push({ route, status, milliseconds, bytes }),
});
const server = listen(answer);
beforeEach(() => {
  counted.length = 0;
});

async function sent(path: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, { ...init, decompress: false });
  return (await answer.arrayBuffer()).byteLength;
}

test.each([
  ["/v1/latest?symbols=EUR", {}, "/v1/latest", 200],
  ["/v1/latest", { headers: { "accept-encoding": "gzip" } }, "/v1/latest", 200],
  ["/v1/latest", { headers: { "if-none-match": "*" } }, "/v1/latest", 304],
  ["/v1/latest", { method: "HEAD" }, "/v1/latest", 200],
  ["/v1/latest?symbols=XXX", {}, "/v1/latest", 400],
  ["/v1/nothing/here/at/all", {}, "unmatched", 404],
  ["/v1/latest", { method: "DELETE" }, "/v1/latest", 405],
  ["/v1/convert", { method: "POST", body: "{}" }, "/v1/convert", 415],
  ["/openapi.json", { headers: { "accept-encoding": "gzip" } }, "/openapi.json", 200],
  ["/compat/frankfurter/v1/latest", {}, "/compat/frankfurter/v1/latest", 200],
  ["/compat/frankfurter/v1/nothing", {}, undefined, 404],
] as const)("%s %o is counted as %s %d with the bytes that were sent", async (path, init, route, status) => {
  // The second answer is a cached body.
  for (let nth = 0; nth < 2; nth++) {
    const bytes = await sent(path, init);
    expect(counted).toHaveLength(nth + 1);
    expect(counted[nth]).toMatchObject({ status, bytes, ...(route === undefined ? {} : { route }) });
    expect(counted[nth]?.milliseconds).toBeGreaterThanOrEqual(0);
    expect(counted[nth]?.milliseconds).toBeLessThan(60_000);
  }
});

test("the size of a stream is not known when it begins", async () => {
  const stop = new AbortController();
  await fetch(`${server.url}/v1/stream`, { signal: stop.signal });
  stop.abort();
  expect(counted).toMatchObject([{ route: "/v1/stream", status: 200, bytes: Number.NaN }]);
});
