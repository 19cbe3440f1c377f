/** The answer to `estimate=1`: the size of an export before it is made. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";

export const ExportEstimate = form.named("ExportEstimate", "How much an export will be.", {
  result: field.result,
  estimate: Type.Literal(true, {
    description: "Marks the answer: nothing was exported.",
    examples: [true],
  }),
  format: form.oneOf<string>(["json", "csv", "parquet", "ndjson", "arrow"], "The format requested.", "csv"),
  rows: form.count(
    "Rows of the file, of JSON those of all pages: exactly for daily rates; of quotes and bars at most.",
    6,
  ),
  bytes: form.count("Size of the file, or of all pages.", 417),
  exact: form.flag(
    "True when the file is finished already; else `bytes` is from the usual size of a row.",
    false,
  ),
  requests: form.count(
    "Calls that it counts as against a quota: 1 for a file, however long; of JSON one a page.",
    1,
    1,
  ),
});

export function estimateBody({
  format,
  rows,
  bytes,
  exact,
  requests,
}: Omit<Body<typeof ExportEstimate>, "result" | "estimate">) {
  return {
    result: "success",
    estimate: true,
    format,
    rows,
    bytes,
    exact,
    requests,
  } satisfies Body<typeof ExportEstimate>;
}
