import { expect, test } from "bun:test";
import { queryOf } from "#api/request/query.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const ask = (query: string, name: string) => queryOf(new Request(`http://localhost/v1/range${query}`))(name);

/** The rule, by the standard's own reader. */
function expected(query: string, name: string): string | undefined {
  const parameters = new URLSearchParams(query);
  return parameters.has(name) ? parameters.getAll(name).join(",").trim() : undefined;
}

test("any query reads as the URL standard says", () => {
  const random = seededRandom(20_261_126);
  const parts = ["a", "b", "=", "&", ",", " ", "+", "%20", "%2", "%C3%A9", "é", "?", "#", "a=1", "&&", "x y"];
  let [split, decoded] = [0, 0];
  for (let nth = 0; nth < 5_000; nth++) {
    // Half of the queries have nothing to decode: only those of the first five parts.
    const of = nth % 2 === 0 ? 5 : parts.length;
    let query = "?";
    for (let part = 0; part < nth % 9; part++) query += parts[Math.floor(random() * of)];
    // What the query is after the runtime has read it, as a server gets it.
    const sent = new URL(`http://localhost/${query}`).search;
    for (const name of ["a", "b", "ab", "A", "é", "x y", "__proto__"])
      expect(ask(sent, name)).toBe(expected(sent, name));
    if (/[%+]/.test(sent)) decoded += 1;
    else split += 1;
  }
  expect(split).toBeGreaterThan(2_000);
  expect(decoded).toBeGreaterThan(1_250);
});
