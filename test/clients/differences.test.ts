/** What `bun run check:clients` takes for a right answer of a generated client. */

import { expect, test } from "bun:test";
import { type Answers, differences } from "./demo.ts";

const ANSWERS: Answers = {
  base: "USD",
  eur: 0.8358,
  updated: "2026-04-13",
  converted: 84.0160508226,
  batch: [83.58, 36.7763],
  rows: 6,
  first: "2026-04-01",
  firstEur: 0.8312551953,
  refused: "invalid_pair",
};
const printed = (changes: object) => JSON.stringify({ ...ANSWERS, ...changes });

test("what the server answers is right, and so are live rates that have moved a little", () => {
  expect(differences(printed({}), ANSWERS)).toEqual([]);
  expect(differences(printed({ eur: 0.8361, batch: [83.61, 36.78] }), ANSWERS)).toEqual([]);
});

test("a rate of a past day has all its digits: one read as a float32 is wrong", () => {
  expect(differences(printed({ firstEur: Math.fround(ANSWERS.firstEur) }), ANSWERS)).toEqual([
    "firstEur is 0.8312551975250244, not 0.8312551953",
  ]);
});

test.each([
  ["eur", { eur: undefined }],
  ["eur", { eur: 1 / 0.8358 }],
  ["batch", { batch: [83.58] }],
  ["batch", { batch: undefined }],
  ["rows", { rows: 5 }],
  ["refused", { refused: undefined }],
])("a wrong %s is named", (name, changes) => {
  const wrong = differences(printed(changes), ANSWERS);
  expect(wrong).toHaveLength(1);
  expect(wrong[0]).toStartWith(`${name} is `);
});
