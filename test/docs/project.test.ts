/** The files around the code are correct: the workflows, the lists of pages. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { ROOT, readDocument } from "./document.ts";

async function yaml<T>(path: string): Promise<T> {
  return Bun.YAML.parse(await readDocument(path)) as T;
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[];
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

test("both workflows run the whole check, and nothing is published before it", async () => {
  for (const name of ["ci", "release"]) {
    const { permissions, jobs } = await yaml<Workflow>(`.github/workflows/${name}.yml`);
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs["check"]?.steps.map(({ run }) => run)).toContain(".ci/run");
  }
  const { jobs } = await yaml<Workflow>(".github/workflows/release.yml");
  const { check: _, release, ...made } = jobs;
  for (const [name, { needs }] of Object.entries(made)) expect([name, needs]).toEqual([name, "check"]);
  expect([...(release?.needs ?? [])].sort()).toEqual(Object.keys(made).sort());
  expect(existsSync(`${ROOT}/Dockerfile`)).toBe(true);
});

test("README.md is a first page, and docs/README.md lists every page of docs", async () => {
  const readme = await readDocument("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  expect(readme.match(/\]\(/g)?.length).toBeLessThanOrEqual(15);
  const list = await readDocument("docs/README.md");
  for await (const page of new Bun.Glob("*.md").scan(`${ROOT}/docs`))
    if (page !== "README.md") expect(list).toContain(`](${page})`);
  const index = await readDocument("docs/decisions/README.md");
  for await (const page of new Bun.Glob("[0-9]*.md").scan(`${ROOT}/docs/decisions`))
    expect(index).toContain(`](${page})`);
});
