/** The release workflow makes what `bun run package` makes, for every platform, and the release has all of it. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { TARGETS } from "#packaging/binary/targets.ts";
import { BUN_VERSION, ROOT } from "#packaging/product.ts";
import { run } from "#test/clients/process.ts";

interface Job {
  readonly strategy?: { readonly matrix: { readonly include: readonly { readonly target: string }[] } };
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
  }[];
}

const { jobs } = Bun.YAML.parse(await Bun.file(join(ROOT, ".github/workflows/release.yml")).text()) as {
  readonly jobs: Readonly<Record<"packages" | "binaries", Job>>;
};

const runsOf = ({ steps }: Job) => steps.map(({ run = "" }) => run).join("\n");

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
