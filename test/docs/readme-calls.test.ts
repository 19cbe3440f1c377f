/** The calls of README.md and docs/first-calls.md work: each is sent to a running demo, and the printed answer has its member names. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionalPython } from "#test/support/require-tool.ts";
import { curlCalls } from "./curl.ts";
import { codeBlocks, ROOT, readDocument } from "./document.ts";
import { shapeOf } from "./shape.ts";

const START_DEADLINE_MILLISECONDS = 60_000;
const python = optionalPython(["json"], "the Python program of docs/first-calls.md");

const blocks = [
  ...codeBlocks(await readDocument("README.md")),
  ...codeBlocks(await readDocument("docs/first-calls.md")),
];
const examples = blocks.flatMap(({ language, content }, index) => {
  const after = blocks[index + 1];
  return curlCalls(language === "sh" ? content : "").map((call) => ({
    call,
    answer: after?.language === "json" ? after.content : null,
  }));
});

describe("a first page", () => {
  let demo: Bun.Subprocess<"ignore", "pipe", "pipe">;
  let key: string;
  let directory: string;
  let base: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "crossrate-readme-"));
    const port = freePort();
    base = `http://127.0.0.1:${port}`;
    demo = Bun.spawn([process.execPath, "src/main.ts", "demo"], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), HOST: "127.0.0.1", DATA_DIR: directory },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    await started(demo, base);
    key = await printedKey(demo.stdout);
  }, START_DEADLINE_MILLISECONDS);

  afterAll(async () => {
    demo?.kill();
    await demo?.exited;
    await rm(directory, { recursive: true, force: true });
  });

  test("shows calls", () => {
    expect(examples.filter(({ answer }) => answer !== null).length).toBeGreaterThan(4);
  });

  test.each(examples.map((example) => [`${example.call.method} ${example.call.url}`, example] as const))(
    "shows a call that works, with an answer of its shape: %s",
    async (_, { call, answer }) => {
      const url = call.url.replace(/^https?:\/\/[^/]+/, base);
      const headers = Object.fromEntries(
        Object.entries(call.headers).map(([name, value]) => [name, value.replace("$KEY", key)]),
      );
      const response = await fetch(url, { method: call.method, headers, body: call.body });
      expect(response.status).toBeWithin(200, 300);
      expect(response.headers.get("x-data-mode")).toBe("simulated");
      if (call.isStream) await expectEvents(response);
      else if (answer === null) expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
      else expect(shapeOf(JSON.parse(answer))).toEqual(shapeOf(await response.json()));
    },
  );

  const scripts = blocks.filter(({ language }) => language === "js" || language === "python");
  test.each(
    scripts
      .filter(({ language }) => language === "js" || python !== null)
      .map(({ language, content }) => [language, content] as const),
  )("shows a program in %s that prints rates", async (language, content) => {
    const program = content.replaceAll("http://localhost:3000", base).replaceAll("fxk_…", key);
    const interpreter = language === "js" ? [process.execPath, "-e"] : [python, "-c"];
    const run = Bun.spawn([...(interpreter as string[]), program], { stdout: "pipe", stderr: "pipe" });
    const [out, err] = [await new Response(run.stdout).text(), await new Response(run.stderr).text()];
    expect({ err, exit: await run.exited }).toEqual({ err: "", exit: 0 });
    expect(out).toMatch(/EUR.*\d\.\d[\s\S]*JPY/);
  });

  test("leads from nothing to a key in docs/accounts.md, call by call", async () => {
    const page = await readDocument("docs/accounts.md");
    const section = page.slice(page.indexOf("## From nothing to a key"), page.indexOf("## Signing in"));
    const calls = codeBlocks(section).flatMap(({ content }) => curlCalls(content));
    expect(calls.length).toBeGreaterThan(4);
    const known: Record<string, string> = {};
    for (const { url, method, headers, body } of calls) {
      const fill = (text: string) => text.replace(/\$([A-Z]+)/, (_, variable) => known[variable] ?? "");
      const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
      const response = await fetch(url.replace("http://localhost:3000", base), {
        method,
        headers: filled,
        body,
      });
      const answer = (await response.json()) as Record<string, unknown>;
      expect({ url, answer: answer["result"] }).toEqual({ url, answer: "success" });
      if (typeof answer["token"] === "string") known["TOKEN"] = answer["token"];
      if (typeof answer["plaintext"] === "string") known["KEY"] = answer["plaintext"];
    }
    expect(Object.keys(known)).toEqual(["TOKEN", "KEY"]);
  });
});

/** The API key that the demo prints. */
async function printedKey(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const key = /fxk_[0-9A-Za-z]{38}/.exec(text)?.[0];
    if (key !== undefined) return key;
  }
  throw new Error(`no key was printed:\n${text}`);
}

/** Reads a stream that does not end up to its first event, and leaves it. */
async function expectEvents({ body }: Response): Promise<void> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n\n")) text += decoder.decode((await reader.read()).value, { stream: true });
  await reader.cancel();
  expect(text).toContain("event: snapshot\n");
}

/** A port that nothing listens on at this moment. */
function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = probe;
  probe.stop(true);
  return port as number;
}

/** Resolves once every source has been collected; rejects with the output of the process when it ends before that. */
async function started(child: Bun.Subprocess<"ignore", "pipe", "pipe">, base: string): Promise<void> {
  let output = "";
  const listening = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) output += decoder.decode(chunk, { stream: true });
  })();
  for (;;) {
    const answer = await fetch(`${base}/status?strict=1`).catch(() => null);
    if (answer?.ok === true) return;
    if (child.exitCode !== null) {
      await listening;
      throw new Error(`the demo ended with status ${child.exitCode}: ${output}`);
    }
    await Bun.sleep(50);
  }
}
