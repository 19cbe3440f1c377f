/** `bun run check:deploy`: the Kubernetes manifests by the schemas of three releases, and by the rules of kube-score. */

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "#test/clients/process.ts";
import { ROOT } from "#test/docs/document.ts";
import { runSteps } from "#test/support/steps.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { CACHE, fetched, goTools, pythonWith } from "#test/support/tools.ts";
import { MANIFESTS, readManifests } from "./manifests.ts";

/** As deploy/kubernetes/README.md names them. */
const RELEASES = ["1.25.0", "1.29.0", "1.37.0"];
const KUBE_SCORE = { module: "github.com/zegl/kube-score/cmd/kube-score", version: "v1.20.0" };
const files = MANIFESTS.map((file) => join(ROOT, "deploy/kubernetes", file));

async function validate(release: string, paths: readonly string[]): Promise<string> {
  const programs = await pythonWith(join(import.meta.dir, "requirements.txt"));
  const how = ["--kubernetes-version", release, "--strict"];
  return await run([join(programs, "kubernetes-validate"), ...how, ...paths]);
}

/** The number of resources that passed is the number that there are: a validator that skips one proves nothing. */
async function everyResource(release: string): Promise<string> {
  const output = await validate(release, files);
  const passed = output.split("\n").filter((line) => line.includes(" passed for resource ")).length;
  const there = (await Promise.all(MANIFESTS.map(readManifests))).flat().length;
  if (passed !== there) throw new Error(`${passed} of ${there} resources passed\n${output}`);
  return `${passed} resources`;
}

/** A field that does not exist, and a type that is wrong, are refused: else the step above could not fail. */
async function refusals(): Promise<string> {
  const text = await Bun.file(files[0] as string).text();
  const wrong = [
    ["readOnlyRootFilesystem: true", "readOnlyRootFilesystm: true"],
    ["replicas: 1", 'replicas: "one"'],
  ] as const;
  for (const [right, changed] of wrong) {
    const file = join(temporaryDirectory(), "wrong.yaml");
    await Bun.write(file, text.replace(right, changed));
    const refused = await validate(RELEASES[0] as string, [file]).then(
      () => false,
      () => true,
    );
    if (!refused) throw new Error(`${changed} was accepted`);
  }
  return `${wrong.length} mistakes`;
}

/** Path of kube-score, built from its module by the pinned Go. */
async function kubeScore(): Promise<string> {
  const folder = join(CACHE, `crossrate-kube-score-${KUBE_SCORE.version}`);
  const program = join(folder, "kube-score");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const env = { ...(await goTools()), GOBIN: folder, GOFLAGS: "" };
  const { module, version } = KUBE_SCORE;
  await fetched("kube-score", () => run(["go", "install", `${module}@${version}`], { env }));
  return program;
}

async function score(): Promise<string> {
  const output = await run([await kubeScore(), "score", "--output-format", "ci", ...files]);
  const lines = output.split("\n").filter((line) => line !== "");
  const remarks = lines.filter((line) => !/^\[(?:OK|SKIPPED)\]/.test(line));
  if (remarks.length > 0) throw new Error(remarks.join("\n"));
  return `${lines.filter((line) => line.startsWith("[OK]")).length} rules`;
}

await runSteps([
  ...RELEASES.map((release) => ({
    what: `the manifests are valid by the schemas of Kubernetes ${release}`,
    run: () => everyResource(release),
  })),
  { what: "manifests with mistakes are not", run: refusals },
  { what: "kube-score has no remark", run: score },
]);
