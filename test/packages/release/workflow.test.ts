/** Both workflows run the check; the release makes what `bun run package` makes, for every platform, and has all of it. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { TARGETS } from "#packaging/binary/targets.ts";
import { BUN_VERSION, ROOT } from "#packaging/product.ts";
import { run } from "#test/clients/process.ts";

interface Job {
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly target: string }[] } };
  readonly steps: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<"check" | "packages" | "binaries" | "image" | "release", Job>>;
}

const workflow = async (name: string) =>
  Bun.YAML.parse(await Bun.file(join(ROOT, `.github/workflows/${name}.yml`)).text()) as Workflow;
const { jobs } = await workflow("release");

const runsOf = ({ steps }: Job) => steps.map(({ run = "" }) => run).join("\n");

test("both workflows run the whole check, and nothing is published before it", async () => {
  for (const name of ["ci", "release"]) {
    const { permissions, jobs } = await workflow(name);
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.check.steps.map(({ run }) => run)).toContain(".ci/run");
  }
  const { check: _, release, ...made } = jobs;
  for (const [name, { needs }] of Object.entries(made)) expect([name, needs]).toEqual([name, "check"]);
  expect([...(release.needs ?? [])].sort()).toEqual(Object.keys(made).sort());
});

test("a binary is made, started and uploaded for each target, on a machine of its own", () => {
  const { strategy, steps } = jobs.binaries;
  expect(strategy?.matrix.include.map(({ target }) => target)).toEqual([...TARGETS]);
  expect(runsOf(jobs.binaries)).toContain('run package --only binary --targets "$TARGET"');
  expect(runsOf(jobs.binaries)).toContain("run check:packages --only binary");
  expect(steps.at(-1)?.uses).toStartWith("actions/upload-artifact@");
});

test("the other packages are all parts of the command, by Bun of the version that package.json names", async () => {
  const help = await run([process.execPath, "packaging/package.ts", "--help"], { cwd: ROOT });
  const parts = Array.from(help.matchAll(/^ {2}(\w+) {2,}\w/gm), ([, name = ""]) => name);
  const named = Array.from(runsOf(jobs.packages).matchAll(/--only (\w+)/g), ([, name = ""]) => name);
  expect([...named, "binary"].sort()).toEqual(parts.sort());
  const versions = Object.values(jobs).flatMap((job) =>
    Array.from(runsOf(job).matchAll(/bun@([\d.]+)/g), ([, version]) => version),
  );
  expect(new Set(versions)).toEqual(new Set([BUN_VERSION]));
});

test("the release has the checksum of every file, and provenance of each and of the image", () => {
  expect(runsOf(jobs.release)).toMatch(
    /sha256sum crossrate-\* > SHA256SUMS.*gh release create .* dist\/\*$/s,
  );
  const attested = [jobs.release, jobs.image].map(
    ({ steps }) => steps.find(({ uses = "" }) => uses.startsWith("actions/attest-build-provenance@"))?.with,
  );
  expect(attested).toMatchObject([{ "subject-path": "dist/crossrate-*" }, { "push-to-registry": true }]);
});
