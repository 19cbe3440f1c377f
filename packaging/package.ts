/** `bun run package`: everything that a release publishes, made into `dist/`. */

import { mkdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { buildBinary } from "#packaging/binary/build.ts";
import { hostTarget, isTarget, TARGETS, type Target } from "#packaging/binary/targets.ts";
import { CHECKSUMS, writeChecksums } from "#packaging/checksums.ts";
import { packPythonClient, packTypeScriptClient } from "#packaging/clients.ts";
import { packNpm } from "#packaging/npm/pack.ts";
import { ROOT } from "#packaging/product.ts";
import { writeSbom } from "#packaging/sbom/cyclonedx.ts";

/** Git ignores it. */
const OUTPUT = join(ROOT, "dist");

interface Part {
  readonly makes: string;
  /** Paths of the files that it made. */
  make(targets: readonly Target[]): Promise<readonly string[]>;
}

const PARTS: Readonly<Record<string, Part>> = {
  npm: { makes: "npm package crossrate: server and command line", make: async () => [await packNpm(OUTPUT)] },
  typescript: {
    makes: "npm package @crossrate/client",
    make: async () => [await packTypeScriptClient(OUTPUT)],
  },
  python: {
    makes: "wheel and source archive of the PyPI package crossrate",
    make: () => packPythonClient(OUTPUT),
  },
  binary: { makes: "single binaries, demo included", make: binaries },
  sbom: {
    makes: "list of what the program is made of (CycloneDX 1.6)",
    make: async () => [await writeSbom(OUTPUT, new Date(instant()).toISOString())],
  },
};

const HELP = `usage: bun run package [--only <part>] [--targets <target>,…] [--help]

Parts, in order:
${Object.entries(PARTS)
  .map(([name, { makes }]) => `  ${name.padEnd(12)}${makes}`)
  .join("\n")}

Last it writes ${CHECKSUMS} of all files in dist/.
Targets of binaries: ${TARGETS.join(", ")}; without --targets that of this machine.
Versions come from package.json. SOURCE_DATE_EPOCH, in seconds, sets the time that the list states.`;

const { parts, targets, isWhole } = chooseParts(process.argv.slice(2));
try {
  // What an earlier version left there is none of this one.
  if (isWhole) await rm(OUTPUT, { recursive: true, force: true });
  await mkdir(OUTPUT, { recursive: true });
  for (const part of parts) for (const path of await part.make(targets)) await report(path);
  await writeChecksums(OUTPUT);
} catch (fault) {
  // The bundler rejects with all that it has found.
  for (const one of fault instanceof AggregateError ? fault.errors : [fault]) console.error(String(one));
  process.exitCode = 1;
}

async function binaries(targets: readonly Target[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const target of targets) paths.push(await buildBinary(target, OUTPUT));
  return paths;
}

function instant(): number {
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  return epoch === undefined ? Date.now() : Number(epoch) * 1000;
}

async function report(path: string): Promise<void> {
  const { size } = await stat(path);
  console.log(`${(size / 1e6).toFixed(2).padStart(8)} MB  dist/${basename(path)}`);
}

/** Exits with the help text, or with status 2 when the arguments make no sense. */
function chooseParts(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        only: { type: "string", multiple: true },
        targets: { type: "string" },
      },
    });
    if (values.help === true) {
      console.log(HELP);
      process.exit(0);
    }
    const chosen = (values.only ?? Object.keys(PARTS)).map((name) => {
      const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
      if (part === undefined) throw new Error(`no such part: ${name}`);
      return part;
    });
    return { parts: chosen, targets: targetsOf(values.targets), isWhole: values.only === undefined };
  } catch (fault) {
    console.error(`${fault instanceof Error ? fault.message : fault}\n\n${HELP}`);
    process.exit(2);
  }
}

function targetsOf(list: string | undefined): readonly Target[] {
  if (list === undefined) {
    const own = hostTarget();
    if (own === null) throw new Error("no binary is made for this machine: name one with --targets");
    return [own];
  }
  return list.split(",").map((name) => {
    if (!isTarget(name)) throw new Error(`no such target: ${name}`);
    return name;
  });
}
