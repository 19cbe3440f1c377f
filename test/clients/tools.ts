/** The generators and compilers, pinned: fetched once into a cache by Bun and the machine's own pip, go and mvn, as those are set up. */

import { chmod, cp, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { run } from "./process.ts";

const HERE = import.meta.dir;
export const CACHE = resolve(HERE, "../../node_modules/.cache/crossrate-clients");

/** The toolchain is a module like any other, so any go can fetch it and check it against the checksum database. */
const GO_VERSION = "1.26.8";
const GENERATOR = {
  artifact: "org.openapitools:openapi-generator-cli:7.25.0",
  file: "openapi-generator-cli-7.25.0.jar",
  sha256: "41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae",
};
const MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy";

/** What Debian calls the package of a program. */
const PACKAGES: Readonly<Record<string, string>> = {
  python3: "python3 with python3-venv",
  go: "golang-go",
  mvn: "maven",
  java: "default-jre-headless",
};

/** Installs a tool on its first request and returns it to every caller; all callers get the same failure. */
function once<T>(install: () => Promise<T>): () => Promise<T> {
  let installed: Promise<T> | undefined;
  return () => {
    installed ??= install();
    return installed;
  };
}

function need(...programs: readonly string[]): void {
  const missing = programs.filter((program) => Bun.which(program) === null);
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program] ?? program).join(", ");
  throw new Error(`not installed: ${missing.join(", ")} (Debian: ${packages})`);
}

const ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 5_000;

/** Runs an installation that fetches, up to three times: registries are far away. What fails for good says so first. */
async function fetched<T>(what: string, install: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await install();
    } catch (fault) {
      if (attempt < ATTEMPTS) await Bun.sleep(PAUSE_MILLISECONDS * attempt);
      else throw new Error(`could not fetch ${what}: ${fault instanceof Error ? fault.message : fault}`);
    }
  }
}

/** Installs again where a file of pins has changed since the installation. */
async function cached(stamp: string, pins: string, install: () => Promise<void>): Promise<void> {
  const done = Bun.file(stamp);
  if ((await done.exists()) && (await done.text()) === pins) return;
  await rm(stamp, { force: true });
  await install();
  await Bun.write(stamp, pins);
}

/** Folder with `node_modules`: openapi-typescript, openapi-fetch, typescript. */
export const nodeTools = once(async () => {
  const pins = await Bun.file(join(HERE, "bun.lock")).text();
  await mkdir(CACHE, { recursive: true });
  await cached(join(CACHE, "node.installed"), pins, async () => {
    for (const name of ["package.json", "bun.lock"]) await cp(join(HERE, name), join(CACHE, name));
    await fetched("openapi-typescript, openapi-fetch and typescript with bun", () =>
      run([process.execPath, "install", "--frozen-lockfile", "--silent"], { cwd: CACHE }),
    );
  });
  return CACHE;
});

/** Path of a Python environment with openapi-python-client and what generated clients import. */
export const pythonTools = once(async () => {
  need("python3");
  const venv = join(CACHE, "python");
  const requirements = join(HERE, "requirements.txt");
  await cached(join(CACHE, "python.installed"), await Bun.file(requirements).text(), async () => {
    await rm(venv, { recursive: true, force: true });
    await run(["python3", "-m", "venv", venv]);
    await fetched("openapi-python-client with pip", () =>
      run([
        join(venv, "bin/python"),
        ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements],
      ]),
    );
  });
  return venv;
});

/** Environment in which `go` is the pinned toolchain. */
export const goTools = once(async () => {
  need("go");
  const scratch = join(CACHE, "go-toolchain");
  // Go of any age takes this file; a newer line in it would send an old one away.
  await Bun.write(join(scratch, "go.mod"), "module crossrate.example/toolchain\n");
  const env = { GOTOOLCHAIN: "local", GOWORK: "off", GOFLAGS: "-mod=mod" };
  const platform = (await run(["go", "env", "GOOS", "GOARCH"], { env })).trim().split("\n").join("-");
  const module = `golang.org/toolchain@v0.0.1-go${GO_VERSION}.${platform}`;
  const found = await fetched(`Go ${GO_VERSION} with go`, () =>
    run(["go", "mod", "download", "-json", module], { cwd: scratch, env }),
  );
  const root = (JSON.parse(found) as { Dir: string }).Dir;
  // Modules are unpacked without the right to run them.
  const programs = ["bin/*", "pkg/tool/*/*"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: root }),
  ]);
  for (const program of programs) await chmod(join(root, program), 0o755);
  return { ...env, GOROOT: root, PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}` };
});

/** The command that openapi-generator is run by. */
export const openApiGenerator = once(async () => {
  need("mvn", "java");
  const jar = join(CACHE, GENERATOR.file);
  if (!(await Bun.file(jar).exists())) {
    await fetched(`${GENERATOR.artifact} with mvn`, () =>
      run([
        "mvn",
        "-B",
        "-q",
        MAVEN_COPY,
        `-Dartifact=${GENERATOR.artifact}`,
        `-DoutputDirectory=${dirname(jar)}`,
      ]),
    );
  }
  const sha256 = new Bun.CryptoHasher("sha256").update(await Bun.file(jar).arrayBuffer()).digest("hex");
  if (sha256 === GENERATOR.sha256) return ["java", "-jar", jar];
  await rm(jar);
  throw new Error(`${GENERATOR.file} has the SHA-256 ${sha256}, not ${GENERATOR.sha256}`);
});
