/** The documentation page is complete and self-contained: it loads nothing from, and sends nothing to, another host. */

import { describe, expect, test } from "bun:test";
import { newComputeTurns } from "#http/response/compute-turns.ts";
import { openLargeBodies } from "#http/response/large-bodies.ts";
import { openAnswersUnderWay } from "#http/response/under-way.ts";
import { docsRoutes } from "#http/site/docs.ts";
import { sampleApp } from "#test/http/sample-world.ts";

const underWay = openAnswersUnderWay({ most: 1, addressOf: () => "", isDone: () => true });
const UNBOUNDED = {
  underWay,
  large: openLargeBodies({ underWay, turns: newComputeTurns(), callerOf: () => "" }),
};

const app = sampleApp();
const get = (path: string, headers: Record<string, string> = {}) =>
  app.answer(new Request(`http://localhost${path}`, { headers: { Host: "localhost", ...headers } }));

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);

describe("the page", () => {
  test("is where the bare address leads", async () => {
    const answer = await get("/");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("/docs");
  });

  test("links to nothing outside this server, and everything it links to is there", async () => {
    const links = linksOf(await (await get("/docs")).text());
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toStartWith("/");
      expect((await get(link)).status, link).toBe(200);
    }
  });

  test("lets the browser load, send and frame nothing elsewhere", async () => {
    const policy = (await get("/docs")).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  });

  test("says that the demo's rates are made up, and only then", async () => {
    const page = async (simulated: boolean) => {
      const route = docsRoutes({ version: "0", simulated, batchLimit: 100, ...UNBOUNDED }).find(
        ({ path }) => path === "/docs",
      );
      const response = await route?.handle(new Request("http://localhost/docs"), {});
      return (await response?.text()) ?? "";
    };
    expect(await page(true)).toContain("SIMULATED");
    expect(await page(false)).not.toContain("SIMULATED");
  });
});

describe("its files", () => {
  test("have a media type that the browser runs", async () => {
    for (const [path, mime] of [
      ["/docs", "text/html"],
      ["/docs/assets/start.js", "text/javascript"],
      ["/docs/assets/page.css", "text/css"],
      ["/docs/assets/icon.svg", "image/svg+xml"],
    ] as const) {
      const { headers } = await get(path);
      expect(headers.get("content-type"), path).toStartWith(mime);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test("are served under their own names only: any other name is not found", async () => {
    for (const name of ["nothing.js", "..%2fdocs.ts", "constructor"]) {
      expect((await get(`/docs/assets/${name}`)).status, name).toBe(404);
    }
  });

  test("are compressed for those who take gzip, with the same content", async () => {
    const plain = await get("/openapi.json");
    const zipped = await get("/openapi.json", { "Accept-Encoding": "gzip" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.headers.get("vary")).toContain("Accept-Encoding");
    const unzipped = Bun.gunzipSync(new Uint8Array(await zipped.arrayBuffer()));
    expect(new TextDecoder().decode(unzipped)).toBe(await plain.text());
    for (const refused of ["gzip;q=0", "gzip; q=0.0", "br", "identity", ""]) {
      const answer = await get("/openapi.json", { "Accept-Encoding": refused });
      expect(answer.headers.get("content-encoding"), refused).toBeNull();
    }
  });

  test("answer 304 to their own tag, and 200 to any other", async () => {
    const tag = (await get("/openapi.json")).headers.get("etag") ?? "";
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, "*"]) {
      const answer = await get("/openapi.json", { "If-None-Match": known });
      expect(answer.status, known).toBe(304);
      expect(await answer.text()).toBe("");
    }
    expect((await get("/openapi.json", { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("may be kept for ever only where the name carries the version", async () => {
    const script = linksOf(await (await get("/docs")).text()).find((link) => link.includes("scalar")) ?? "";
    expect(script).toMatch(/-\d+\.\d+\.\d+\.js$/);
    expect((await get(script)).headers.get("cache-control")).toContain("immutable");
    expect((await get("/docs/assets/start.js")).headers.get("cache-control")).not.toContain("immutable");
  });
});
