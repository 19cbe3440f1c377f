/** Every call and program that README.md and the guides show runs on one demo: curl's by this process, the others by one process a language. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openGuides } from "#guides/pages.ts";
import { runQuietly } from "#test/clients/process.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import FIRST_CALL from "#web/docs/first-call.md" with { type: "text" };
import { htmlOf } from "#web/docs/markdown.ts";
import { type CurlCall, curlCalls } from "./curl.ts";
import { ROOT, readDocument } from "./document.ts";
import { rowsOf } from "./lake-recipes.ts";
import { PYTHON_DRIVER, type PythonRun } from "./python-driver.ts";
import { type RunningDemo, startDemo } from "./running-demo.ts";
import { DOCUMENTED_KEY, DOCUMENTED_URL, type Snippet, snippetsOf } from "./snippets.ts";

setDefaultTimeout(120_000);
const python = optionalPython(["httpx", "pandas", "pyarrow"], "the Python programs of the guides");

const guides = openGuides().pages;
const pages = [
  ["README.md", await snippetsOf("README.md")],
  ["the first page of /docs", await snippetsOf("the first page of /docs", FIRST_CALL)],
  ...(await Promise.all(
    guides.map(async ({ slug, markdown }) => {
      const page = `docs/${slug}.md`;
      return [page, await snippetsOf(page, markdown)] as const;
    }),
  )),
] as const;
const snippets = pages.flatMap(([, blocks]) => blocks);

/** Paths that the clients have no method for. */
const WITHOUT_METHOD = /^\/(v1\/(auth|account|mcp)\b|dashboard\/api\/|metrics|v1\/official\/changes\.atom)/;
/** Programs that run elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/clients.md": "test/packages/typescript/package.test.ts",
  "docs/engines.md": "test/engines/run.ts",
  "docs/lake.md": "test/docs/lake-recipes.test.ts",
  "docs/ledger.md": "test/deploy/restore.test.ts",
  "docs/limits.md": "test/store/counters/worked-example.test.ts",
  "docs/migrating.md": "test/api/compat/migrating.test.ts",
  "docs/signed-history.md": "test/docs/signed-history.test.ts",
  "docs/spreadsheets.md": "test/docs/spreadsheets.test.ts",
  "docs/webhooks.md": "test/docs/webhooks.test.ts",
};
const PROGRAMS = new Set(["ts", "js", "py", "python"]);

const programs = snippets.filter(
  ({ page, language, isOfCall }) => PROGRAMS.has(language) && (isOfCall || !(page in ELSEWHERE)),
);
const ofLanguage = (...languages: string[]) =>
  programs.filter(({ language }) => languages.includes(language));

describe("the guides", () => {
  test("show every call that the clients have a method for in three languages, one call at a time", () => {
    const found = snippets
      .filter(({ page, language }) => page !== "README.md" && language === "sh")
      .map(({ page, content, isOfCall }) => ({ page, isOfCall, calls: curlCalls(content) }));
    expect(found.filter(({ isOfCall }) => isOfCall).length).toBeGreaterThan(10);
    for (const { page, isOfCall, calls } of found) {
      for (const { url } of calls) {
        const { pathname } = new URL(url);
        expect({ page, pathname, isOfCall }).toEqual({
          page,
          pathname,
          isOfCall: !WITHOUT_METHOD.test(pathname),
        });
      }
      if (isOfCall) expect([page, calls.length]).toEqual([page, 1]);
    }
  });

  test.each(pages.filter(([page]) => page !== "README.md"))(
    "%s has a choice of languages for each of these calls",
    (page, blocks) => {
      const guide = guides.find(({ slug }) => page === `docs/${slug}.md`);
      const html = htmlOf(guide?.markdown ?? FIRST_CALL, "https://rates.example");
      const calls = blocks.filter(({ language, isOfCall }) => isOfCall && language === "sh").length;
      expect(html.match(/<fieldset class="call">/g)?.length ?? 0).toBe(calls);
      expect(html.match(/<input type="radio"/g)?.length ?? 0).toBe(3 * calls);
      expect(html.match(/<input [^>]* checked>/g)?.length ?? 0).toBe(calls);
      const code = html.match(/<pre[\s\S]*?<\/pre>/g)?.join("\n") ?? "";
      expect(code).not.toContain(DOCUMENTED_URL);
    },
  );

  test("show no other program that no test runs", async () => {
    for (const [page, file] of Object.entries(ELSEWHERE))
      expect(await readDocument(file)).toContain(page === "docs/lake.md" ? "lake-recipes" : page);
    expect(programs.length).toBeGreaterThan(25);
  });
});

describe("on a demo", () => {
  const demo = ofAllTests(startDemo);
  const filled = (text: string) =>
    text
      .replaceAll(DOCUMENTED_URL, demo.url)
      .replaceAll(DOCUMENTED_KEY, demo.key)
      .replaceAll("data/live", demo.directory);

  const withCalls = pages
    .map(([page, blocks]) => {
      const shown = blocks.filter(({ language }) => language === "sh");
      return [
        page,
        shown.flatMap(({ content, answer }) => curlCalls(content).map((call) => ({ call, answer }))),
      ] as const;
    })
    .filter(([, calls]) => calls.length > 0);

  test.each(withCalls)(
    "the calls of %s work, one after the other, with answers as they are printed",
    async (page, calls) => {
      const known: Record<string, string> = { KEY: demo.key };
      const fill = (text: string) =>
        text
          .replace(/\$([A-Z]+)/g, (_, name: string) => known[name] ?? "")
          .replaceAll(DOCUMENTED_KEY, demo.key)
          .replaceAll("fxs_…", known["TOKEN"] ?? "");
      for (const { call, answer } of calls) {
        const response = await send(call, fill, demo);
        const shown = `${page}: ${call.method} ${call.url}`;
        if (new URL(call.url).pathname === "/v1/account/checkout") {
          // The demo sells nothing.
          expect(await response.json()).toMatchObject({ code: "billing_not_configured" });
          continue;
        }
        if (!response.ok) expect([shown, response.status, await response.text()]).toEqual([shown, 200, ""]);
        if (call.isStream) {
          await expectEvents(response);
          continue;
        }
        const text = await response.text();
        expect(text.length, shown).toBeGreaterThan(20);
        if (!(response.headers.get("content-type") ?? "").includes("application/json")) continue;
        const body = JSON.parse(text);
        if (answer !== null) {
          const printed = JSON.parse(answer);
          expect(shapeOf(printed), shown).toEqual(shapeOf(body));
          expect(realFigures(printed), shown).toEqual(realFigures(body));
        }
        if (typeof body.token === "string") known["TOKEN"] = body.token;
        if (typeof body.plaintext === "string") known["KEY"] = body.plaintext;
        if (body.endpoint !== undefined) known["ENDPOINT"] = body.endpoint.id;
      }
    },
  );

  test("the figure that the text of README.md names is the one that is served", async () => {
    const [, path = "", figure = ""] =
      /`(\/v1\/\S+)` it is ([\d.]+),/.exec(await readDocument("README.md")) ?? [];
    const answer = await fetch(demo.url + path, { headers: { Authorization: `Bearer ${demo.key}` } });
    expect(Object.values((await answer.json()).rates)).toEqual([Number(figure)]);
  });

  test("an answer is printed for some of these calls", () => {
    const answered = snippets.filter(({ language, answer }) => language === "sh" && answer !== null);
    expect(answered.length).toBeGreaterThan(4);
  });

  describe("TypeScript and JavaScript", () => {
    const shown = ofLanguage("ts", "js");
    const ran = ofAllTests(async () => {
      const directory = temporaryDirectory();
      const compilerOptions = {
        ...{ strict: true, noEmit: true, target: "esnext", module: "preserve", moduleDetection: "force" },
        ...{ lib: ["esnext", "dom", "dom.iterable"], types: [], skipLibCheck: true, allowJs: true },
        allowImportingTsExtensions: true,
        paths: { "@crossrate/client": [join(ROOT, "clients/typescript/src/crossrate.ts")] },
      };
      await Bun.write(
        join(directory, "tsconfig.json"),
        JSON.stringify({ compilerOptions, include: ["*.ts"] }),
      );
      const files = shown.map(({ language }, nth) => `snippet-${nth}.${language}`);
      await Promise.all(
        shown.map(({ content }, nth) => Bun.write(join(directory, files[nth] as string), filled(content))),
      );
      const printed = await outputOf([process.execPath, "-e", TS_DRIVER, ...files], directory);
      return { directory, runs: JSON.parse(printed) as readonly PythonRun[] };
    });
    for (const [nth, { page }] of shown.entries())
      test(`${page}, program ${nth}`, () => expectPrinted(ran.runs[nth]));
    test("the compiler has nothing to say", async () => {
      const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
      expect(await outputOf([process.execPath, compiler, "--project", "tsconfig.json"], ran.directory)).toBe(
        "",
      );
    });
  });

  describe.skipIf(python === null)("Python", () => {
    const shown = ofLanguage("python", "py");
    const ran = ofAllTests(async () => {
      const scripts = JSON.stringify(
        shown.map(({ language, content }) =>
          filled(language === "py" ? `${content}\nprint(newest)\n` : content),
        ),
      );
      const directory = temporaryDirectory();
      await demo.copied();
      const printed = await outputOf([python as string, "-c", PYTHON_DRIVER], directory, scripts);
      return { runs: JSON.parse(printed) as readonly PythonRun[] };
    });
    for (const [nth, { page }] of shown.entries())
      test(`${page}, program ${nth}`, () => expectPrinted(ran.runs[nth]));
  });

  test("the query of docs/official.md returns rows", async () => {
    const [query, ...others] = snippets.filter(
      ({ page, language }) => page === "docs/official.md" && language === "sql",
    );
    expect(others).toEqual([]);
    await demo.copied();
    // The instant is before this demo was started.
    const text = filled((query as Snippet).content).replace(
      "2026-04-13 16:00:00+00",
      "2099-01-01 00:00:00+00",
    );
    expect((await rowsOf(text)).length).toBeGreaterThan(10);
  });
});

/** What two answers of different days have in common: objects keep their member names, arrays the shape of their first element, everything else is "value". */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== "object") return "value";
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

interface Figures {
  readonly simulated?: Readonly<Record<string, boolean>>;
  readonly date?: string;
  readonly end_date?: string;
  readonly is_complete?: boolean;
  readonly rates?: Readonly<Record<string, unknown>>;
  readonly rate?: number;
  readonly converted?: number;
  readonly data?: readonly Figures[];
}

/** The rates of past days that are the ECB's own, by day: the demo has them from data/snapshot. */
function realFigures({
  simulated = {},
  date,
  end_date,
  is_complete,
  rates = {},
  data,
  ...one
}: Figures): unknown {
  if (data !== undefined) return data.map((row) => realFigures({ ...row, simulated }));
  const day = date ?? (is_complete === true ? end_date : undefined);
  const real = Object.entries(rates).filter(([code]) => simulated[code] !== true);
  return day === undefined ? null : [day, Object.fromEntries(real), one.rate, one.converted];
}

function expectPrinted(run: PythonRun | undefined): void {
  expect(run?.err).toBe("");
  expect(run?.out).toMatch(/\d/);
  expect(run?.out).not.toMatch(/undefined|NaN|\[object|Empty DataFrame/);
}

/** Programs one after the other in one process; what each printed, or the fault that it ended with. */
const TS_DRIVER = `
import { resolve } from "node:path";
const runs = [];
let out = "";
console.log = (...values) => { out += values.map((value) => typeof value === "string" ? value : Bun.inspect(value)).join(" ") + "\\n"; };
for (const file of process.argv.slice(1)) {
  out = "";
  let err = "";
  try { await import(resolve(file)); } catch (fault) { err = Bun.inspect(fault); }
  runs.push({ out, err });
}
process.stdout.write(JSON.stringify(runs));
`;

/** What a program prints; it must end well and complain of nothing. */
async function outputOf(command: readonly string[], cwd: string, input = ""): Promise<string> {
  const env = { PYTHONPATH: join(ROOT, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" };
  return await runQuietly(command, { cwd, env, input });
}

/** Sends a call of a document to the demo, whatever host the document names. */
async function send(
  { url, method, headers, body }: CurlCall,
  fill: (text: string) => string,
  demo: RunningDemo,
): Promise<Response> {
  const { origin, port } = new URL(url);
  const to = fill(url).replace(origin, port === "9464" ? demo.metricsUrl : demo.url);
  const filledHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, fill(value)]),
  );
  return await fetch(to, { method, headers: filledHeaders, body });
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
