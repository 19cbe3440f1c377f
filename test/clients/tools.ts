/** The generators, pinned: fetched once into a cache by Bun and the machine's own pip, go and mvn, as those are set up. */

import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as tools from "#test/support/tools.ts";
import { run } from "./process.ts";

const PINS = join(import.meta.dir, "pins");
export const CACHE = join(tools.CACHE, "crossrate-clients");

const GENERATOR = {
  artifact: "org.openapitools:openapi-generator-cli:7.25.0",
  file: "openapi-generator-cli-7.25.0.jar",
  sha256: "41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae",
};
const MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/** Folder with `node_modules`: openapi-typescript, openapi-fetch, typescript. */
export async function nodeTools(): Promise<string> {
  const pins = await Bun.file(join(PINS, "bun.lock")).text();
  await mkdir(CACHE, { recursive: true });
  await tools.cached(join(CACHE, "node.installed"), pins, async () => {
    for (const name of ["package.json", "bun.lock"]) await cp(join(PINS, name), join(CACHE, name));
    await tools.fetched("openapi-typescript, openapi-fetch and typescript with bun", () =>
      run([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: CACHE }),
    );
  });
  return CACHE;
}

/** The programs of openapi-python-client and of what generated clients import: their folder. */
export const pythonTools = () => tools.pythonWith(join(PINS, "requirements.txt"), join(CACHE, "python"));

export async function openApiGenerator(): Promise<readonly string[]> {
  tools.need("mvn", "java");
  const jar = join(CACHE, GENERATOR.file);
  if (!(await Bun.file(jar).exists())) {
    const where = [`-Dartifact=${GENERATOR.artifact}`, `-DoutputDirectory=${dirname(jar)}`];
    await tools.fetched(`${GENERATOR.artifact} with mvn`, () =>
      run(["mvn", "-B", "-q", MAVEN_COPY, ...where]),
    );
  }
  const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(jar).arrayBuffer()).digest("hex");
  if (sha256 === GENERATOR.sha256) return ["java", "-jar", jar];
  await rm(jar);
  throw new Error(`${GENERATOR.file} has the SHA-256 ${sha256}, not ${GENERATOR.sha256}`);
}
