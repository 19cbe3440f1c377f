/** The six clients: how each is generated from a document, compiled, and called. */

import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { goTools } from "#test/support/tools.ts";
import { run } from "./process.ts";
import { CACHE, nodeTools, openApiGenerator, pythonTools } from "./tools.ts";

const CALLERS = join(import.meta.dir, "callers");

export interface Client {
  readonly name: string;
  generate(document: string): Promise<void>;
  compile(): Promise<void>;
  call(url: string): Promise<string>;
}

/** An empty folder of this client's, where the packages of `nodeTools` are found too. */
async function emptied(name: string): Promise<string> {
  const directory = join(CACHE, name);
  await rm(directory, { recursive: true, force: true });
  return directory;
}

/** Without the tests and pages that it writes beside the code. */
const CODE_ONLY = "--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false";

async function openApiGenerate(generator: string, document: string, into: string): Promise<void> {
  const program = await openApiGenerator();
  await run([...program, "generate", "-g", generator, "-i", document, "-o", into, CODE_ONLY]);
}

// ── TypeScript ───────────────────────────────────────────────────────────────────────────────────

function inTypeScript(name: string, caller: string, generate: Client["generate"]): Client {
  const program = join(CACHE, name, caller);
  return {
    name,
    generate: async (document) => {
      await emptied(name);
      await generate(document);
      await cp(join(CALLERS, caller), program);
    },
    compile: async () => {
      const tools = await nodeTools();
      const settings = JSON.stringify({
        extends: join(import.meta.dir, "tsconfig.json"),
        include: ["**/*.ts"],
      });
      await Bun.write(join(CACHE, name, "tsconfig.json"), settings);
      await run([join(tools, "node_modules/.bin/tsc"), "--project", join(CACHE, name)]);
    },
    call: (url) => run([process.execPath, program, url], { cwd: CACHE }),
  };
}

const OPENAPI_FETCH = inTypeScript("openapi-typescript", "openapi-fetch.ts", async (document) => {
  const program = join(await nodeTools(), "node_modules/.bin/openapi-typescript");
  await run([program, document, "--output", join(CACHE, "openapi-typescript/schema.ts")]);
});

const TYPESCRIPT_FETCH = inTypeScript(
  "openapi-generator-typescript-fetch",
  "typescript-fetch.ts",
  (document) =>
    openApiGenerate(
      "typescript-fetch",
      document,
      join(CACHE, "openapi-generator-typescript-fetch/generated"),
    ),
);

// ── Python ───────────────────────────────────────────────────────────────────────────────────────

/** Imports every module of a package: only then does Python find undefined names. */
const IMPORT_ALL = `
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."): importlib.import_module(module.name)
`;

function inPython(name: string, caller: string, made: string, generate: Client["generate"]): Client {
  const directory = join(CACHE, name);
  const python = async () => join(await pythonTools(), "python");
  return {
    name,
    generate: async (document) => {
      await emptied(name);
      await generate(document);
      await cp(join(CALLERS, caller), join(directory, caller));
    },
    compile: async () => {
      const program = await python();
      await run([program, "-m", "compileall", "-q", "."], { cwd: directory });
      await run([program, "-c", IMPORT_ALL, made], { cwd: directory });
    },
    call: async (url) => await run([await python(), caller, url], { cwd: directory }),
  };
}

const PYTHON_CLIENT = inPython(
  "openapi-python-client",
  "openapi_python_client.py",
  "generated",
  async (document) => {
    const tools = await pythonTools();
    const into = join(CACHE, "openapi-python-client/generated");
    // It formats what it wrote with ruff, which lies beside it.
    const env = { PATH: `${tools}:${process.env["PATH"] ?? ""}` };
    const program = join(tools, "openapi-python-client");
    await run([program, "generate", "--path", document, "--meta", "none", "--output-path", into], { env });
  },
);

const PYTHON_GENERATOR = inPython(
  "openapi-generator-python",
  "openapi_generator.py",
  "openapi_client",
  (document) => openApiGenerate("python", document, join(CACHE, "openapi-generator-python")),
);

// ── Go ───────────────────────────────────────────────────────────────────────────────────────────

/** Each is a module of its own, with the pins that both share; the generated code is the package `made`. */
function inGo(
  name: string,
  caller: string,
  generate: (document: string, module: string) => Promise<void>,
): Client {
  const module = join(CACHE, name);
  const program = join(module, "caller");
  return {
    name,
    generate: async (document) => {
      await emptied(name);
      for (const file of ["go.mod", "go.sum"])
        await cp(join(import.meta.dir, "pins", file), join(module, file));
      await generate(document, module);
      await cp(join(CALLERS, caller), join(module, "main.go"));
    },
    compile: async () => {
      const env = { ...(await goTools()), GOFLAGS: "-mod=readonly" };
      await run(["go", "build", "./..."], { cwd: module, env });
      await run(["go", "build", "-o", program, "."], { cwd: module, env });
    },
    call: (url) => run([program, url]),
  };
}

const OAPI_CODEGEN = inGo("oapi-codegen", "oapi_codegen.go", async (document, module) => {
  const env = await goTools();
  const file = join(module, "oapicodegen/client.gen.go");
  await Bun.write(file, "");
  await rm(file);
  const how = ["-generate", "types,client", "-package", "oapicodegen", "-o", file, document];
  await run(["go", "tool", "oapi-codegen", ...how], {
    cwd: module,
    env: { ...env, GOFLAGS: "-mod=readonly" },
  });
});

const GO_GENERATOR = inGo("openapi-generator-go", "openapi_generator.go", async (document, module) => {
  const made = join(module, "openapi");
  await openApiGenerate("go", document, made);
  // It is a package of ours, not a module of its own.
  for (const name of await readdir(made)) if (/^go\.(mod|sum)$/.test(name)) await rm(join(made, name));
});

/** Files called after a place in the document, where something in it has no name of its own. */
const MADE_UP = /inner|any_?of|one_?of|inline|type_?\d|[a-z]_?1\.|[a-z]_?[45]\d\d/i;

/** Generated names of a client that were not chosen in the document; empty when all were. */
export function madeUpNames(name: string): readonly string[] {
  const files = new Bun.Glob("**/*").scanSync({ cwd: join(CACHE, name) });
  return [...files].filter((file) => MADE_UP.test(file));
}

export const CLIENTS: readonly Client[] = [
  OPENAPI_FETCH,
  PYTHON_CLIENT,
  OAPI_CODEGEN,
  PYTHON_GENERATOR,
  GO_GENERATOR,
  TYPESCRIPT_FETCH,
];
