/** Settings are documented once each, with the text of src/settings: in docs/configuration.md and in .env.example. */

import { expect, test } from "bun:test";
import { SETTINGS } from "#settings/table.ts";
import { readDocument, tableAfter } from "./document.ts";

test("the table of docs/configuration.md is the list of settings: names, defaults and meanings", async () => {
  const rows = tableAfter(await readDocument("docs/configuration.md"), "setting");
  expect(rows.map((row) => [...row])).toEqual(
    SETTINGS.map(({ name, fallback, meaning }) => [name, fallback ?? "–", meaning]),
  );
});

test(".env.example lists every setting with its default and meaning, all of them commented out", async () => {
  const lines = (await readDocument(".env.example")).split("\n").filter((line) => line !== "");
  expect(lines.filter((line) => !line.startsWith("# "))).toEqual([]);
  const settings = lines.flatMap((line, index) => {
    const match = /^# ([A-Z0-9_]+)=(.*)$/.exec(line);
    return match === null ? [] : [[match[1], match[2], (lines[index - 1] as string).slice(2)]];
  });
  expect(settings).toEqual(SETTINGS.map(({ name, fallback, meaning }) => [name, fallback ?? "", meaning]));
});
