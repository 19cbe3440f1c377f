/** @crossrate/client as it is published: up to date, built, typed, and run by Node and Bun; the programs of its pages run, too. */

import { describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import clientFile from "#clients/typescript/package.json" with { type: "json" };
import { signatureHeader } from "#domain/webhook/endpoint.ts";
import packageFile from "#package.json" with { type: "json" };
import { ended, runQuietly } from "#test/clients/process.ts";
import { codeBlocks, readDocument } from "#test/docs/document.ts";
import vectors from "#test/domain/webhook/vectors.json";
import { bearer, json } from "#test/metered/client.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openClientServer } from "./server.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const SOURCE = join(ROOT, "clients/typescript");
const MODULES = join(ROOT, "node_modules");
const COMPILERS = { "TypeScript 7": "typescript/bin/tsc", "TypeScript 5": "typescript5/bin/tsc" } as const;
const node = optionalTool("node", "the client on Node");

/** A folder in which the built package is installed, as a program of somebody else would have it. */
const consumer = temporaryDirectory();

const compile = (compiler: keyof typeof COMPILERS, ...how: readonly string[]) =>
  ended([process.execPath, join(MODULES, COMPILERS[compiler]), ...how], { cwd: consumer });

const DONE = { code: 0, out: "", err: "" };

const installed = join(consumer, "node_modules/@crossrate/client");
mkdirSync(installed, { recursive: true });
const build = await compile("TypeScript 7", "--project", SOURCE, "--outDir", join(installed, "dist"));
expect(build).toEqual(DONE);
cpSync(join(SOURCE, "package.json"), join(installed, "package.json"));
for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
  symlinkSync(join(MODULES, name), join(consumer, "node_modules", name));
cpSync(join(import.meta.dir, "callers"), consumer, { recursive: true });
await Bun.write(join(consumer, "package.json"), JSON.stringify({ type: "module" }));
const server = await openClientServer();

test("its types are those of /openapi.json", async () => {
  const made = join(temporaryDirectory(), "schema.ts");
  expect(await ended([process.execPath, "clients/generate-typescript.ts", made], { cwd: ROOT })).toEqual(
    DONE,
  );
  const isCurrent = (await Bun.file(made).text()) === (await Bun.file(join(SOURCE, "src/schema.ts")).text());
  expect({ isCurrent, remedy: "bun run generate" }).toEqual({ isCurrent: true, remedy: "bun run generate" });
});

test("its version, licence and dependency are the product's", async () => {
  expect(clientFile.version).toBe(packageFile.version);
  expect(clientFile.license).toBe(packageFile.license);
  expect(clientFile.dependencies).toEqual({ "openapi-fetch": packageFile.devDependencies["openapi-fetch"] });
  expect(await readDocument("clients/typescript/LICENSE")).toBe(await readDocument("LICENSE"));
});

test("it imports its own files and openapi-fetch, and nothing of one runtime", async () => {
  const dist = join(consumer, "node_modules/@crossrate/client/dist");
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(5);
  const transpiler = new Bun.Transpiler({ loader: "js" });
  const imports = new Set<string>();
  for (const name of scripts) {
    const text = await Bun.file(join(dist, name)).text();
    expect({ name, own: /\b(process|Bun|Deno|Buffer|require)\b\s*[.(]/.exec(text) }).toEqual({
      name,
      own: null,
    });
    for (const { path } of transpiler.scanImports(text)) imports.add(path);
  }
  const outside = [...imports].filter((path) => !/^\.\/[\w-]+\.js$/.test(path));
  expect(outside).toEqual(["openapi-fetch"]);
});

const settings = (module: string, moduleResolution: string) => ({
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  // What this package declares is checked, and what a compiler brings with it is not.
  skipDefaultLibCheck: true,
  module,
  moduleResolution,
});
test.each([
  ["TypeScript 7", settings("nodenext", "nodenext")],
  ["TypeScript 5", settings("nodenext", "nodenext")],
  ["TypeScript 7", settings("esnext", "bundler")],
] as const)(
  "its types reject wrong parameters, and nothing else: %s, %j",
  async (compiler, compilerOptions) => {
    const name = `tsconfig.${compiler.at(-1)}.${compilerOptions.module}.json`;
    await Bun.write(join(consumer, name), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    expect(await compile(compiler, "--project", name)).toEqual(DONE);
  },
);

const [{ body, header, secret, t }] = vectors as [(typeof vectors)[number]];

test.each(
  [
    ["Node", node],
    ["Bun", process.execPath],
  ].filter((runtime): runtime is [string, string] => runtime[1] !== null),
)("the built package runs on %s", async (_, program) => {
  const about = [server.url, server.keys.pro, body, header, secret, String(t * 1000)];
  const out = await runQuietly([program, "run.mjs", ...about], { cwd: consumer });
  const raw = async (path: string) =>
    json(await fetch(`${server.url}${path}`, { headers: bearer(server.keys.pro) }));
  const window = "/v1/range?base=EUR&symbols=USD&start_date=2024-01-01&end_date=2025-12-31";
  const { rates } = await raw("/v1/latest?symbols=EUR");
  const { converted } = await raw("/v1/convert/USD/EUR/100.50");
  const { data, next_cursor: cursor } = await raw(window);
  const rows = data.length + (await raw(`${window}&cursor=${cursor}`)).data.length;
  expect(JSON.parse(out)).toEqual({
    ...{ rows, first: data[0], streamed: ["snapshot", rates.EUR], latest: rates.EUR, converted },
    ...{ refused: [true, "unsupported_base", 400], lines: rows + 1, genuine: true },
  });
});

describe("its documentation", async () => {
  const pages = await Promise.all(["clients/typescript/README.md", "docs/clients.md"].map(readDocument));
  const blocks = pages.flatMap(codeBlocks);
  const programs = blocks.filter(({ language }) => language === "ts").map(({ content }) => content);
  const filled = (program: string) =>
    program.replaceAll("http://localhost:3000", server.url).replaceAll("fxk_…", server.keys.pro);
  const called = programs.filter((program) => program.includes("http://localhost:3000"));
  const receivers = programs.filter((program) => !called.includes(program));

  test.each(called.map((program, nth) => [nth, program] as const))(
    "shows a program that runs: %d",
    async (nth, program) => {
      await Bun.write(join(consumer, `page-${nth}.ts`), filled(program));
      const out = await runQuietly([process.execPath, `page-${nth}.ts`], { cwd: consumer });
      expect(out).toMatch(/\d\.\d|2026-/);
    },
  );

  test("shows a receiver of webhooks that takes genuine events alone", async () => {
    expect(receivers).toHaveLength(1);
    const secret = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
    const path = join(consumer, "receiver.ts");
    await Bun.write(path, (receivers[0] ?? "").replace("whsec_old…", secret).replace(/console\.log.*/, ""));
    const { POST } = (await import(path)) as { POST(request: Request): Promise<Response> };
    const body = '{"id":"evt_1","type":"webhook.test"}';
    const send = (signed: string) => {
      const headers = { "Webhook-Signature": signatureHeader(secret, Math.floor(Date.now() / 1000), signed) };
      return POST(new Request("http://localhost/hook", { method: "POST", body, headers }));
    };
    expect((await send(body)).status).toBe(204);
    expect((await send(`${body} `)).status).toBe(400);
  });

  test("names every method and every option", async () => {
    const text = await readDocument("clients/typescript/README.md");
    const source = await readDocument("clients/typescript/src/crossrate.ts");
    const methods = Array.from(source.matchAll(/^ {2}(?:async )?\*?([a-z]\w+)\(/gm), ([, name = ""]) => name);
    expect(methods).toContain("rangeRows");
    expect(methods.filter((name) => name !== "constructor" && !text.includes(`\`${name}(`))).toEqual([]);
    const sending = await readDocument("clients/typescript/src/sending.ts");
    const options = Array.from(sending.matchAll(/^ {2}readonly (\w+)\?:/gm), ([, name = ""]) => name);
    expect(options.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
