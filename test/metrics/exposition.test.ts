/** The reader that the other tests rely on refuses what Prometheus would refuse. */

import { expect, test } from "bun:test";
import { distributionOf, parseExposition, sampleOf } from "./exposition.ts";

const HISTOGRAM = "# HELP h_seconds Time.\n# TYPE h_seconds histogram\n";
const HEAD = "# HELP a_total Things.\n# TYPE a_total counter\n";

test("families, labels with every escape, and values are read", () => {
  const families = parseExposition(`${HEAD}a_total{x="q\\"b\\\\n\\n",y=""} 1.5e-7\na_total 3\n\n`);
  expect(sampleOf(families, "a_total", { x: 'q"b\\n\n', y: "" })).toBe(1.5e-7);
  expect(sampleOf(families, "a_total")).toBe(3);
  expect(sampleOf(families, "a_total", { x: "other" })).toBeUndefined();
});

test("a histogram is read with its bounds, its sum and its count", () => {
  const lines =
    'h_seconds_bucket{le="0.5"} 1\nh_seconds_bucket{le="+Inf"} 3\nh_seconds_sum 4.5\nh_seconds_count 3\n';
  expect(distributionOf(parseExposition(HISTOGRAM + lines), "h_seconds")).toEqual({
    ...{ upTo: { "0.5": 1, "+Inf": 3 } },
    ...{ sum: 4.5, count: 3 },
  });
});

test.each([
  ["a histogram without its sum", `${HISTOGRAM}h_seconds_bucket{le="+Inf"} 1\nh_seconds_count 1\n`],
  [
    "a histogram without +Inf",
    `${HISTOGRAM}h_seconds_bucket{le="1"} 1\nh_seconds_sum 1\nh_seconds_count 1\n`,
  ],
  [
    "a histogram whose counts fall",
    `${HISTOGRAM}h_seconds_bucket{le="1"} 2\nh_seconds_bucket{le="+Inf"} 1\nh_seconds_sum 1\nh_seconds_count 1\n`,
  ],
  ["a bare sample of a histogram", `${HISTOGRAM}h_seconds 1\n`],
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
