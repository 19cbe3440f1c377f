/** Tables of the documents against what they describe: errors, dependencies, the container's sources. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { ERRORS } from "#domain/faults/errors.ts";
import { ROOT, readDocument, tableAfter } from "./document.ts";

test("docs/errors.md is the error table: every code with its status and Retry-After, in order, and what to do", async () => {
  const rows = tableAfter(await readDocument("docs/errors.md"), "code");
  const expected = Object.entries(ERRORS).map(([code, entry]) => [
    code,
    String(entry.status),
    "retryAfterSeconds" in entry ? `${entry.retryAfterSeconds} s` : "–",
  ]);
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  for (const [code, , , meaning = "", advice = ""] of rows) {
    expect(meaning.length, `${code}: meaning`).toBeGreaterThan(10);
    expect(advice.length, `${code}: advice`).toBeGreaterThan(10);
  }
});

test("docs/dependencies.md gives a reason for every dependency, and for nothing else", async () => {
  const manifest = (await Bun.file(`${ROOT}/package.json`).json()) as Record<string, Record<string, string>>;
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
  expect(sources).toContain("src");
  expect(sources.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
  expect(sources.filter((path) => !ignore.includes(`!${path}`))).toEqual([]);
});

test("the Dockerfile serves as an ordinary user with the pinned Bun, and asks its own health", async () => {
  const dockerfile = await readDocument("Dockerfile");
  const { packageManager } = (await Bun.file(`${ROOT}/package.json`).json()) as { packageManager: string };
  const images = Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, image]) => image);
  expect(new Set(images)).toEqual(new Set([`oven/${packageManager.replace("@", ":")}-slim`]));
  expect(dockerfile).toMatch(/^USER bun$/m);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  expect(dockerfile).toMatch(/^CMD \["bun", "src\/main\.ts", "serve"\]$/m);
});
