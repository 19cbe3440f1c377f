/** docs/configuration.md and .env.example are what `bun run generate` makes of the settings. */

import { expect, test } from "bun:test";
import { SETTINGS } from "#config.ts";
import { environmentExample, withSettings } from "#packaging/generate-settings.ts";
import { readDocument } from "./document.ts";

test("the table of docs/configuration.md is current: every setting, its default, range and meaning", async () => {
  const document = await readDocument("docs/configuration.md");
  expect(document).toBe(withSettings(document));
  expect(document.match(/^\| `[A-Z0-9_]+`/gm)).toHaveLength(Object.keys(SETTINGS.properties).length);
});

test(".env.example is current, and sets nothing", async () => {
  const example = await readDocument(".env.example");
  expect(example).toBe(environmentExample());
  expect(example.split("\n").filter((line) => line !== "" && !line.startsWith("# "))).toEqual([]);
});

test("a setting that another one needs, or that does nothing without it, names a setting", () => {
  const others = Object.values(SETTINGS.properties).flatMap(({ neededBy, onlyWith }) => [neededBy, onlyWith]);
  for (const other of others) expect([undefined, ...Object.keys(SETTINGS.properties)]).toContain(other);
});
