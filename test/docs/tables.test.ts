/** Tables of the documents against what they describe: dependencies, the container's sources. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SETTINGS } from "#config.ts";
import { environmentExample, withSettings } from "#packaging/generate-settings.ts";
import { ROOT, readDocument, tableAfter } from "./document.ts";

test("docs/dependencies.md gives a reason for every dependency, and for nothing else", async () => {
  const manifest = await Bun.file(`${ROOT}/package.json`).json();
  const rows = tableAfter(await readDocument("docs/dependencies.md"), "package");
  const expected = [
    ...Object.keys(manifest["dependencies"] ?? {}).map((name) => [name, "runtime"]),
    ...Object.keys(manifest["devDependencies"] ?? {}).map((name) => [name, "development"]),
  ];
  expect(rows.map(([name, kind]) => [name, kind]).sort()).toEqual(expected.sort());
  expect(rows.filter(([, , reason = ""]) => reason.length < 15)).toEqual([]);
});

test("everything that the Dockerfile copies exists and is let through by .dockerignore", async () => {
  const dockerfile = await readDocument("Dockerfile");
  const ignore = (await readDocument(".dockerignore")).split("\n");
  const sources = Array.from(dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, list = ""]) =>
    list.split(" "),
  ).flat();
  expect(sources).toEqual(expect.arrayContaining(["src", "docs", "package.json", "LICENSE"]));
  expect(sources.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
  expect(sources.filter((path) => !ignore.includes(`!${path}`))).toEqual([]);
});

test("the Dockerfile serves as an ordinary user with the pinned Bun, and asks its own health", async () => {
  const dockerfile = await readDocument("Dockerfile");
  const { packageManager } = await Bun.file(`${ROOT}/package.json`).json();
  const images = Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
  expect(new Set(images)).toEqual(new Set([`oven/${packageManager.replace("@", ":")}-slim`]));
  expect(dockerfile).toMatch(/^USER bun$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  expect(dockerfile).toMatch(/^CMD \["bun", "src\/main\.ts", "serve"\]$/m);
});

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
