/** Tools of the checks that are run apart, pinned: fetched once into node_modules/.cache by the machine's own pip and go. */

import { chmod, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { run } from "#test/clients/process.ts";

export const CACHE = resolve(import.meta.dir, "../../node_modules/.cache");

/** What Debian calls the package of a program. */
const PACKAGES: Readonly<Record<string, string>> = {
  python3: "python3 with python3-venv",
  go: "golang-go",
  mvn: "maven",
  java: "default-jre-headless",
};

export function need(...programs: readonly string[]): void {
  const missing = programs.filter((program) => Bun.which(program) === null);
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program] ?? program).join(", ");
  throw new Error(`not installed: ${missing.join(", ")} (Debian: ${packages})`);
}

const ATTEMPTS = 3;
const PAUSE_MILLISECONDS = 5_000;

/** Runs an installation that fetches, up to three times: registries are far away. What fails for good says so first. */
export async function fetched<T>(what: string, install: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await install();
    } catch (fault) {
      if (attempt < ATTEMPTS) await Bun.sleep(PAUSE_MILLISECONDS * attempt);
      else throw new Error(`could not fetch ${what}: ${fault instanceof Error ? fault.message : fault}`);
    }
  }
}

/** Installs again where the pins have changed since the installation, of which `stamp` is the file. */
export async function cached(stamp: string, pins: string, install: () => Promise<void>): Promise<void> {
  const done = Bun.file(stamp);
  if ((await done.exists()) && (await done.text()) === pins) return;
  await rm(stamp, { force: true });
  await install();
  await Bun.write(stamp, pins);
}

/** The programs of a Python environment with exactly the pins of a file: their folder. */
export async function pythonWith(
  requirements: string,
  venv = join(CACHE, `crossrate-${basename(dirname(requirements))}`),
): Promise<string> {
  need("python3");
  await cached(join(venv, "installed.txt"), await Bun.file(requirements).text(), async () => {
    await rm(venv, { recursive: true, force: true });
    await run(["python3", "-m", "venv", venv]);
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    await fetched("Python packages with pip", () =>
      run([join(venv, "bin/python"), ...install, requirements]),
    );
  });
  return join(venv, "bin");
}

/** The toolchain is a module like any other, so any go can fetch it and check it against the checksum database. */
const GO_VERSION = "1.26.8";

/** Environment in which `go` is the pinned toolchain. */
export async function goTools() {
  need("go");
  const scratch = join(CACHE, "crossrate-clients/go-toolchain");
  // Go of any age takes this file; a newer line in it would send an old one away.
  await Bun.write(join(scratch, "go.mod"), "module crossrate.example/toolchain\n");
  const env = { GOTOOLCHAIN: "local", GOWORK: "off", GOFLAGS: "-mod=mod" };
  const platform = (await run(["go", "env", "GOOS", "GOARCH"], { env })).trim().split("\n").join("-");
  const module = `golang.org/toolchain@v0.0.1-go${GO_VERSION}.${platform}`;
  const found = await fetched(`Go ${GO_VERSION} with go`, () =>
    run(["go", "mod", "download", "-json", module], { cwd: scratch, env }),
  );
  const root = JSON.parse(found).Dir;
  // Modules are unpacked without the right to run them.
  const programs = ["bin/*", "pkg/tool/*/*"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: root }),
  ]);
  for (const program of programs) await chmod(join(root, program), 0o755);
  return { ...env, GOROOT: root, PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}` };
}
