/** The page on migrating is true of the product: its addresses are answered, and its lines are those that the clients are tested with. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { OPERATIONS } from "#test/api/openapi/valid.ts";
import { codeBlocks, readDocument, tableAfter } from "#test/docs/document.ts";

const page = await readDocument("docs/migrating.md");
const app = openTestApp();

describe("docs/migrating.md", () => {
  const addresses = new Set(
    Array.from(page.matchAll(/`(\/compat\/[\w./-]+)`/g), ([, path]) => path as string),
  );

  test.each([...addresses])("%s is a route that knows the request", async (path) => {
    const response = await app.ask(path);
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    // Without their parameters two of them are refused; none is unknown.
    expect([200, 400]).toContain(response.status);
    expect(message).not.toBe("not_found");
  });

  test("names every compatible operation", () => {
    const paths = OPERATIONS.filter(({ tag }) => tag === "Compatibility").map(({ path }) => path);
    const missing = paths
      .filter((path) => !path.startsWith("/compat/oxr/api/"))
      .filter((path) => {
        const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
        return ![...addresses].some((address) => pattern.test(address));
      });
    expect(missing).toEqual([]);
  });

  test("shows one change for each of the four clients", () => {
    const examples = codeBlocks(page).map(({ content }) => content);
    expect(examples).toHaveLength(4);
    const changes = /FrankfurterClient|oxr\.factory|fx\.rates|FRANKFURTER_API_URL/;
    expect(examples.map((code) => changes.exec(code)?.[0])).toEqual([
      "FrankfurterClient",
      "oxr.factory",
      "fx.rates",
      "FRANKFURTER_API_URL",
    ]);
  });

  test("names every host that the two services have or had, and what to write instead", () => {
    const rows = tableAfter(page, "instead of");
    const hosts = [
      "api.frankfurter.dev/v1",
      "api.frankfurter.dev/v2",
      "api.frankfurter.dev",
      "api.frankfurter.app",
    ];
    hosts.push(
      "frankfurter.app",
      "www.frankfurter.app",
      "openexchangerates.org/api",
      "openexchangerates.org",
    );
    const named = rows.map(([from = ""]) => from).join(" ");
    for (const host of hosts) expect(named).toContain(`https://${host}`);
    for (const [, to = ""] of rows) expect(to).toContain("127.0.0.1:3000");
  });

  test.each([
    ["https://api.frankfurter.dev/v1", "/latest?base=USD&symbols=EUR"],
    ["https://api.frankfurter.dev/v2", "/rates?base=USD&quotes=EUR"],
    ["https://api.frankfurter.app", "/latest?from=USD&to=EUR"],
    ["https://api.frankfurter.app", "/2026-04-01..2026-04-10?from=USD&to=EUR"],
    ["https://api.frankfurter.app", "/currencies"],
    ["https://openexchangerates.org/api", "/latest.json"],
  ])("%s%s is answered at the address of its row", async (host, path) => {
    const rows = tableAfter(page, "instead of").map((cells) => cells.map((cell) => cell.replaceAll("`", "")));
    const row = rows.find(([from = ""]) => from === host || from.startsWith(`${host} (the first`));
    const [address = ""] = /http:\/\/127[^\s`,]+/.exec(row?.[1] ?? "") ?? [];
    expect((await app.ask(`${new URL(address).pathname}${path}`)).status).toBe(200);
  });

  test("its statement about Frankfurter's v1 at the root is true", async () => {
    const latest = await app.get("/v1/latest");
    expect(latest.base).toBe("USD");
    expect(Object.keys(latest)).not.toContain("amount");
    expect(Object.keys(latest)).not.toContain("date");
    expect((await app.ask("/v1/2026-04-01..2026-04-10")).status).toBeGreaterThanOrEqual(400);
  });
});
