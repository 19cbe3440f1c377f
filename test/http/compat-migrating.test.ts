/** The page on migrating is true of the product: its addresses are answered, and its lines are those that the clients are tested with. */

import { describe, expect, test } from "bun:test";
import { OPERATIONS } from "#http/model/operations.ts";
import { codeBlocks, readDocument } from "#test/docs/document.ts";
import { openTestApp } from "./harness.ts";

const page = await readDocument("docs/migrating.md");
const app = openTestApp();

describe("docs/migrating.md", () => {
  const addresses = new Set(
    Array.from(page.matchAll(/`(\/compat\/[\w./-]+)`/g), ([, path]) => path as string),
  );

  test.each([...addresses])("%s is a route that knows the request", async (path) => {
    const response = await app.ask(path);
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    // Without their parameters two of them have something to say; none is unknown.
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

  test("shows one change for each of the three clients", () => {
    const shown = codeBlocks(page).map(({ content }) => content);
    expect(shown).toHaveLength(3);
    expect(shown.map((code) => /FrankfurterClient|oxr\.factory|fx\.rates/.exec(code)?.[0])).toEqual([
      "FrankfurterClient",
      "oxr.factory",
      "fx.rates",
    ]);
  });
});
