/** The reader that the other tests rely on refuses what Prometheus would refuse. */

import { expect, test } from "bun:test";
import { parseExposition, sampleOf } from "./exposition.ts";

const HEAD = "# HELP a_total Things.\n# TYPE a_total counter\n";

test("families, labels with every escape, and values are read", () => {
  const families = parseExposition(`${HEAD}a_total{x="q\\"b\\\\n\\n",y=""} 1.5e-7\na_total 3\n\n`);
  expect(sampleOf(families, "a_total", { x: 'q"b\\n\n', y: "" })).toBe(1.5e-7);
  expect(sampleOf(families, "a_total")).toBe(3);
  expect(sampleOf(families, "a_total", { x: "other" })).toBeUndefined();
});

test.each([
  ["an unended last line", `${HEAD}a_total 1`],
  ["a sample without TYPE", "# HELP a_total Things.\na_total 1\n"],
  ["a family without TYPE", "# HELP a_total Things.\n"],
  ["a family twice", `${HEAD}${HEAD}`],
  ["a sample of another family", `${HEAD}b_total 1\n`],
  ["a series twice, its labels in another order", `${HEAD}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 1\n`],
  ["a label twice", `${HEAD}a_total{x="1",x="2"} 1\n`],
  ["a bare quote", `${HEAD}a_total{x="a"b"} 1\n`],
  ["an unknown escape", `${HEAD}a_total{x="a\\t"} 1\n`],
  ["a comma too many", `${HEAD}a_total{x="a",} 1\n`],
  ["no number", `${HEAD}a_total Nan\n`],
  ["no value", `${HEAD}a_total{x="a"}\n`],
  ["a name that is none", `${HEAD}a-total 1\n`],
  ["an empty HELP", "# HELP a_total \n# TYPE a_total counter\n"],
])("%s is refused", (_, text) => {
  expect(() => parseExposition(text)).toThrow();
});
