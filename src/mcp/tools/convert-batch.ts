/** convert_batch: POST /v1/convert */

import { type Static, Type } from "@sinclair/typebox";
import { ConvertBatchResponse, ConvertItem } from "#contract/rates/convert-batch.ts";
import { type Exact, parseExact } from "#mcp/exact-json.ts";
import { marked, provenance } from "#mcp/provenance.ts";
import { restTool } from "#mcp/tool.ts";
import { amount, currency, inputOf } from "./arguments.ts";
import { rounded, roundedAmount } from "./convert.ts";

type Batch = Exact<Static<typeof ConvertBatchResponse>>;

export const convertBatch = restTool({
  name: "convert_batch",
  title: "Convert several amounts",
  description:
    "Converts amounts of one currency into several others at the latest rates, all from the same data. It counts as one call a pair, and succeeds or fails as a whole. Use it for two targets or more; for one, or for a past day, use convert.",
  input: inputOf({
    from: currency("Currency of every amount.", "USD"),
    pairs: Type.Array(inputOf({ to: currency("Currency wanted.", "EUR"), amount }), {
      minItems: 1,
      maxItems: 1000,
      description:
        "Targets with the amounts to convert; a server allows 100 unless its operator set another limit.",
      examples: [[{ to: "EUR", amount: 100 }]],
    }),
  }),
  output: Type.Composite([
    Type.Omit(ConvertBatchResponse, ["conversions"]),
    Type.Object({
      conversions: Type.Array(Type.Composite([ConvertItem, Type.Object({ rounded })]), {
        description: "One item a pair, in the order of the request.",
      }),
    }),
  ]),
  request: ({ from, pairs }) => ({
    method: "POST",
    path: "/v1/convert",
    body: JSON.stringify({ from, pairs: pairs.map(({ to, amount }) => [to, amount]) }),
  }),
  content: ({ text }) => {
    const body = parseExact(text) as Batch;
    const conversions = body.conversions.map((one) => ({ ...one, rounded: roundedAmount(one) }));
    return { ...body, conversions };
  },
  summary: (batch) => {
    const texts = batch.conversions.map(
      (one) => `${one.amount.rawJSON} ${batch.from} = ${one.rounded.rawJSON} ${one.to}`,
    );
    return `${texts.join("; ")}. ${provenance(batch, marked(batch.stale))}`;
  },
});
