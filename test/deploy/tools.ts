/** Tools of the heavier checks, fetched once into node_modules/.cache: Python environments of a list of pins, kube-score. */

import { existsSync, mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { run } from "#test/clients/process.ts";
import { goTools } from "#test/clients/tools.ts";
import { ROOT } from "#test/docs/document.ts";

const CACHE = join(ROOT, "node_modules/.cache");
const KUBE_SCORE = { module: "github.com/zegl/kube-score/cmd/kube-score", version: "v1.20.0" };
const ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 5_000;

/** Python of an environment with exactly the pins of a file; made anew when the file has changed. */
export async function pythonWith(requirements: string): Promise<string> {
  const venv = join(CACHE, `crossrate-${basename(dirname(requirements))}`);
  const python = join(venv, "bin/python");
  const stamp = join(venv, "installed.txt");
  const pins = await Bun.file(requirements).text();
  if (existsSync(stamp) && (await Bun.file(stamp).text()) === pins) return python;
  await rm(venv, { recursive: true, force: true });
  await run(["python3", "-m", "venv", venv]);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
  await fetched("Python packages", () => run([python, ...install, requirements]));
  await Bun.write(stamp, pins);
  return python;
}

/** Path of kube-score, built from its module by the pinned Go. */
export async function kubeScore(): Promise<string> {
  const folder = join(CACHE, `crossrate-kube-score-${KUBE_SCORE.version}`);
  const program = join(folder, "kube-score");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const env = { ...(await goTools()), GOBIN: folder, GOFLAGS: "" };
  const { module, version } = KUBE_SCORE;
  await fetched("kube-score", () => run(["go", "install", `${module}@${version}`], { env }));
  return program;
}

/** Runs what fetches up to three times: registries are far away. What fails for good says so first. */
async function fetched<T>(what: string, install: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await install();
    } catch (fault) {
      if (attempt >= ATTEMPTS) throw new Error(`could not fetch ${what}: ${fault}`);
      await Bun.sleep(PAUSE_MILLISECONDS * attempt);
    }
  }
}

export interface Step {
  readonly what: string;
  /** Resolves with figures to print, or nothing. */
  run(): Promise<string>;
}

/** Runs all steps, prints a line for each and the sum; the exit code is 1 when one failed. */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  let failed = 0;
  for (const { what, run: step } of steps) {
    const begun = performance.now();
    try {
      const figures = await step();
      const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
      console.log(`ok     ${seconds.padStart(7)}  ${what}${figures === "" ? "" : `: ${figures}`}`);
    } catch (fault) {
      failed += 1;
      console.log(`FAILED ${what}:\n${fault instanceof Error ? fault.message : fault}`);
    }
  }
  console.log(`${steps.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
