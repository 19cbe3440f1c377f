/** The Python of docs/signed-history.md checks a demo as an outsider would, and fails for a server that changed what it had signed. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ended } from "#test/clients/process.ts";
import { listen } from "#test/support/listen.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { codeBlocks, readDocument } from "./document.ts";
import { startNewDemo } from "./lake-demo.ts";

const blocks = codeBlocks(await readDocument("docs/signed-history.md")).filter(
  ({ language }) => language === "python",
);
const python = optionalPython(["cryptography", "pyarrow"], "the recipes of docs/signed-history.md");

const demo = await startNewDemo();

const ask = async (path: string) => await (await demo.ask(path)).text();

/** Runs the blocks as one session beside a `head.json`, against a server. */
async function run(head: string, url = demo.url) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "head.json"), head);
  const script = blocks
    .map(({ content }) => content)
    .join("\n")
    .replaceAll("http://localhost:3000", url)
    .replaceAll("fxk_…", demo.key);
  return await ended([python as string, "-c", script], { cwd: directory });
}

async function head(): Promise<{ readonly sequence: number; readonly hash: string }> {
  return JSON.parse(await ask("/.well-known/crossrate.json")).head;
}

/** A server between, which changes one answer. */
async function changing<T>(
  path: string,
  change: (text: string) => string,
  work: (url: string) => Promise<T>,
) {
  const { url } = listen(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { headers } = request;
    const answer = await fetch(demo.url + pathname + search, {
      headers: { Authorization: headers.get("authorization") ?? "" },
    });
    return pathname.startsWith(path)
      ? new Response(change(await answer.text()))
      : new Response(await answer.bytes());
  });
  return await work(url);
}

describe.skipIf(python === null)("the recipes", () => {
  test("find a demo in order, and print the rate of the JSON page with its figures", async () => {
    const { out, err, code } = await run(JSON.stringify(await head()));
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(/^\d+ entries follow from each other\n1 EUR = [\d.]+ (GBP|JPY) on 2025-01-03\n/);
    const { rates } = JSON.parse(await ask("/v1/2025-01-03/GBP?symbols=JPY"));
    expect(out).toContain(`1 GBP = ${rates.JPY} JPY`);
  });

  test("have about twenty lines for the history, as the page's readers are promised", () => {
    const lines = (blocks[0]?.content ?? "").split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  test("fail for a head that does not fit", async () => {
    const kept = await head();
    for (const wrong of [
      { ...kept, hash: "0".repeat(64) },
      { ...kept, sequence: kept.sequence + 100 },
    ]) {
      const { err, code } = await run(JSON.stringify(wrong));
      expect(code).toBe(1);
      expect(err).toContain("cut short or rewritten");
    }
  });

  test("fail for a changed entry, a removed one, and a proof with another figure, list, rate, pair or table", async () => {
    const kept = JSON.stringify(await head());
    const { entries } = JSON.parse(await ask("/v1/lake/chain"));
    const held = entries.find(({ table }: { table?: string }) => table === "held");
    const ofHeld = (text: string) => JSON.stringify({ ...JSON.parse(text), entry: held, files: "" });
    const attacks: readonly (readonly [string, (text: string) => string, string])[] = [
      ["/v1/lake/chain", (text) => text.replace('"table":"held"', '"table":"helm"'), "InvalidSignature"],
      ["/v1/lake/chain", (text) => text.replace(/\{[^{}]*"sequence":1,[^{}]*\},/, ""), "does not follow"],
      ["/v1/lake/proof", (text) => text.replace(/"value":(\d)/, '"value":1$1'), "AssertionError"],
      ["/v1/lake/proof", (text) => text.replace(/"files":"[0-9a-f]{2}/, '"files":"zz'), "AssertionError"],
      ["/v1/lake/proof", (text) => text.replace(/"rate":(\d)/, '"rate":1$1'), "another rate"],
      ["/v1/lake/proof", (text) => text.replace('"symbol":"JPY"', '"symbol":"USD"'), "AssertionError"],
      ["/v1/lake/proof", ofHeld, "not of the figures in force"],
    ];
    for (const [path, change, complaint] of attacks)
      expect((await changing(path, change, (url) => run(kept, url))).err).toContain(complaint);
  });
});

test("the folder of the history is as the page says: lines that are entries", () => {
  const folder = join(demo.directory, "chain");
  const names = readdirSync(folder).filter((name) => !name.startsWith("."));
  expect(names.every((name) => /^\d{20}\.ndjson$/.test(name))).toBe(true);
  const [first] = readFileSync(join(folder, names.sort()[0] as string), "utf8").split("\n");
  expect(JSON.parse(first as string)).toMatchObject({ kind: "begin", mode: "simulated", sequence: 0 });
});

test("the page is served where the links of the history lead", async () => {
  const { links } = JSON.parse(await ask("/.well-known/crossrate.json"));
  const page = await fetch(demo.url + links.guide);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Signed history");
});
