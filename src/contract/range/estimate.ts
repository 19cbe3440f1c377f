/** What an export will be: the answer to `estimate=1`. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Parameter } from "#contract/operation.ts";

export const ExportEstimate = Type.Object(
  {
    result: field.result,
    estimate: Type.Literal(true, {
      description: "Marks the answer: nothing was exported.",
      examples: [true],
    }),
    format: Type.Unsafe<string>({
      type: "string",
      enum: ["json", "csv", "parquet", "ndjson", "arrow"],
      description: "The format requested.",
      examples: ["csv"],
    }),
    rows: Type.Integer({
      minimum: 0,
      description:
        "Rows of the file, of JSON those of all pages: exactly for daily rates; of quotes and bars at most.",
      examples: [6],
    }),
    bytes: Type.Integer({
      minimum: 0,
      description: "Size of the file, or of all pages.",
      examples: [417],
    }),
    exact: Type.Boolean({
      description: "True when the file is finished already; else `bytes` is from the usual size of a row.",
      examples: [false],
    }),
    requests: Type.Integer({
      minimum: 1,
      description: "Calls that it counts as against a quota: 1 for a file, however long; of JSON one a page.",
      examples: [1],
    }),
  },
  { $id: "ExportEstimate", additionalProperties: false, description: "How much an export will be." },
);

/** The body of an answer with `estimate=1`. */
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

export const ESTIMATE_PARAMETER: Parameter = {
  name: "estimate",
  in: "query",
  required: false,
  schema: Type.Unsafe<string>({ type: "string", enum: ["0", "1"] }),
  description:
    "`1` answers with rows, bytes and cost of the export in place of it. `HEAD` has the same in headers.",
  example: "1",
  inSampleCall: false,
};
