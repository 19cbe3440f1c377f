/** What a model reads: rows as CSV up to a bound, and of an official table the publication in force. */

import { expect, test } from "bun:test";
import { TOOLS } from "#mcp/server.ts";
import { rowsText } from "#mcp/text.ts";
import type { RestRequest } from "#ports.ts";

test("rows are CSV with the digits of the answer; the last line says how many are not there", () => {
  expect(rowsText(["code", "name"], [["TRY", 'a "b", c']])).toBe('code,name\nTRY,"a ""b"", c"');
  const rows = Array.from({ length: 2000 }, (_, nth) => ["2015-01-15", `1.${String(nth).padStart(9, "0")}`]);
  const lines = rowsText(["date", "CHF"], rows).split("\n");
  expect(lines.join("\n").length).toBeLessThan(12_100);
  const [, left, all] = /^… (\d+) of (\d+) rows are not in this text/.exec(lines.at(-1) ?? "") ?? [];
  expect([Number(all), Number(left) + lines.length - 2]).toEqual([2000, 2000]);
});

/** The paths that a call asks for, where these have no publication. */
async function asked(given: object, ...missing: readonly string[]): Promise<readonly string[]> {
  const tool = TOOLS.find(({ name }) => name === "get_official_publication");
  const paths: string[] = [];
  const call = async ({ path }: RestRequest) => {
    paths.push(path.replace("/v1/official/GBR/customs/publications/", ""));
    const isMissing = missing.includes(paths.at(-1) ?? "");
    const text = isMissing ? '{"code":"not_found","message":"none"}' : '{"rows":[],"version":1}';
    return { status: isMissing ? 404 : 200, headers: new Headers(), text };
  };
  const sent = { country: "GBR", type: "customs", ...given };
  await tool?.call({ call, guides: {} as never }, sent, new AbortController().signal);
  return paths;
}

test("an official table is answered as it is in force today on its own calendar, and never by another publication", async () => {
  const today = "latest?valid_on=today";
  expect(await asked({})).toEqual([today]);
  expect(await asked({}, today)).toEqual([today]);
  expect(await asked({ publication: "latest" })).toEqual(["latest"]);
  expect(await asked({ publication: "2026-05" }, "2026-05")).toEqual(["2026-05"]);
  const another = "latest?valid_on=2026-03-02";
  expect(await asked({ valid_on: "2026-03-02" }, another)).toEqual([another]);
});

test("a first page of official changes does not pass for the newest ones", async () => {
  const page = { result: "success", changes: [], has_more: true, next_cursor: "c", resume_cursor: "c" };
  const call = async () => ({ status: 200, headers: new Headers(), text: JSON.stringify(page) });
  const tool = TOOLS.find(({ name }) => name === "list_official_changes");
  const answer = await tool?.call({ call, guides: {} as never }, {}, new AbortController().signal);
  expect(JSON.stringify(answer)).toContain(
    "the newest of this page first. There are newer ones: send cursor c",
  );
});

interface Argument {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
}

/** Every value that the schema lists, or its examples; else one of its type. */
function valuesOf({ type, enum: words, examples, anyOf = [] }: Argument): readonly unknown[] {
  const constants = anyOf.flatMap(({ const: value }) => value ?? []);
  const listed = [words, constants, examples].find((list) => list !== undefined && list.length > 0);
  return listed ?? [type === "integer" ? 7 : "latest"];
}

test("every argument of every tool reaches REST, with each value that its schema lists", async () => {
  let calls = 0;
  for (const { name, input, call } of TOOLS.filter(({ name }) => name !== "search_docs")) {
    const all = Object.entries(input.properties as Record<string, Argument>);
    const needed = all.filter(([argument]) => input.required?.includes(argument));
    const least = Object.fromEntries(needed.map(([argument, schema]) => [argument, valuesOf(schema)[0]]));
    for (const [argument, schema] of all) {
      for (const value of valuesOf(schema)) {
        let asked: RestRequest | undefined;
        const rest = async (request: RestRequest) => {
          asked = request;
          return { status: 404, headers: new Headers(), text: '{"code":"not_found","message":"none"}' };
        };
        const given = { ...least, [argument]: value };
        const deps = { call: rest, guides: {} as never };
        const { structuredContent } = await call(deps, given, new AbortController().signal);
        const { code } = structuredContent;
        expect({ name, argument, value, code }).toEqual({ name, argument, value, code: "not_found" });
        const sent = decodeURIComponent(`${asked?.path} ${asked?.body}`);
        expect(`${name} ${argument}: ${sent}`).toContain(argument === "pairs" ? '"EUR"' : String(value));
        calls++;
      }
    }
  }
  expect(calls).toBeGreaterThan(70);
});

test.each(["<html>sign in to this network</html>", '{"ok":true}'])(
  "what answers 200 with %s is no server of rates",
  async (text) => {
    const rest = async () => ({ status: 200, headers: new Headers(), text });
    for (const { name, call } of TOOLS.filter(({ name }) =>
      ["list_currencies", "get_usage"].includes(name),
    )) {
      const answer = await call({ call: rest, guides: {} as never }, {}, new AbortController().signal);
      expect([name, answer.isError, answer.structuredContent["code"]]).toEqual([
        name,
        true,
        "service_unavailable",
      ]);
    }
  },
);
