/** docs/errors.md is the contract's list of refusals: a row and a section for each code and for nothing else, with a body that the API can answer. */

import { describe, expect, test } from "bun:test";
import { errorExample } from "#api/errors.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";
import { sectionsOf } from "#guides/sections.ts";
import { codeBlocks, readDocument, tableAfter } from "./document.ts";

const page = await readDocument("docs/errors.md");
const codes = Object.keys(ERRORS) as ErrorCode[];

const sections = page
  .split(/^### /m)
  .slice(1)
  .map((text) => {
    const [heading = "", ...lines] = text.split(/^## /m)[0]?.split("\n") ?? [];
    return { heading, text: lines.join("\n") };
  });

test("the table has every code in the contract's order, with its status and Retry-After, and leads to its section", () => {
  const rows = tableAfter(page, "code");
  const expected = codes.map((code) => {
    const entry = ERRORS[code];
    const wait = "retryAfterSeconds" in entry ? `${entry.retryAfterSeconds} s` : "–";
    return [`[\`${code}\`](#${code})`, String(entry.status), wait];
  });
  expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
  for (const [code, , , meaning = ""] of rows) expect(meaning, code).toMatch(/^[A-Z].{12,}\.$/);
});

test("every code has a section whose address ends in the code, in the contract's order, and nothing else has one", () => {
  expect(sections.map(({ heading }) => heading)).toEqual(codes.map((code) => `\`${code}\``));
  const anchors = sectionsOf(page).filter(({ depth }) => depth === 3);
  expect(anchors.map(({ anchor }) => anchor)).toEqual(codes);
});

describe.each(codes.map((code, nth) => [code, nth] as const))("%s", (code, nth) => {
  const { text = "" } = sections[nth] ?? {};

  test("says its status, when it happens and what to do", () => {
    const [when = "", advice = ""] = text.trim().split("\n\n");
    expect(when).toStartWith(`**Status ${ERRORS[code].status}.** `);
    expect(when.length).toBeGreaterThan(50);
    expect(advice).toMatch(/^\*\*What to do\.\*\* [A-Z][\s\S]{15,}\.$/);
  });

  test("shows a body as the contract has it", () => {
    const [block, ...others] = codeBlocks(text);
    expect(others).toEqual([]);
    expect(block?.language).toBe("json");
    const shown = JSON.parse(block?.content ?? "{}");
    expect(String(shown["message"]).length).toBeGreaterThan(15);
    // What the contract has no example for would stay a name in braces.
    expect(String(shown["message"])).not.toMatch(/[{}]/);
    expect(shown).toEqual({ ...errorExample(code) });
  });
});
