/** convert: GET /v1/convert/{from_ccy}/{to_ccy}, and convert_batch: POST /v1/convert. Amounts are also rounded to the target's minor units. */

import { type Static, Type } from "@sinclair/typebox";
import { ConvertResponse } from "#api/rates/convert.ts";
import { ConvertBatchResponse, ConvertItem } from "#api/rates/convert-batch.ts";
import { type Exact, type ExactNumber, exactNumber, parseExact } from "#domain/net/message.ts";
import { inMinorUnits, parseBodyAmount } from "#domain/number/amount.ts";
import { formatShortest } from "#domain/number/decimal.ts";
import { marked, missingText, provenance, rowsText } from "#mcp/text.ts";
import { restTool } from "#mcp/tool.ts";
import { amount, currency, day, inputOf, queryOf } from "./arguments.ts";

const rounded = Type.Number({
  description:
    "The exact product rounded half-even to the minor units of the target currency (2 decimals for EUR, none for JPY): what a person would be shown. From 10,000,000,000,000 on it has more than 15 digits, which only a decimal holds.",
});

export const convert = restTool({
  name: "convert",
  title: "Convert an amount",
  description:
    "Converts one amount of money between two currencies, exactly, at the latest rate or at that of a past day (`date`). `converted` has at most 15 digits, `rounded` the decimals that the currency has. Use it instead of multiplying a rate yourself. For several target currencies use convert_batch.",
  input: inputOf({
    from: currency("Currency of the amount.", "USD"),
    to: currency("Currency wanted.", "JPY"),
    amount,
    date: Type.Optional(day("Converts at the rates of this day instead of the latest.", "2026-04-10")),
  }),
  output: Type.Composite([ConvertResponse, Type.Object({ rounded })]),
  request: ({ from, to, amount, date }) =>
    `/v1/convert/${from}/${to}${queryOf({ amount: plainAmount(amount), date })}`,
  content: ({ text }) => {
    const body = parseExact(text) as Converted;
    return { ...body, rounded: roundedAmount(body) } as never;
  },
  summary: (body) =>
    `${body.amount.rawJSON} ${body.from} = ${body.rounded.rawJSON} ${body.to} (${body.converted.rawJSON} to 15 digits, at ${body.rate.rawJSON}${dayText(body)}). ${provenance(body, body.stale)}`,
});

/** A day without a publication has no rate of its own. */
function dayText({
  date,
  is_forward_filled: isFilled,
}: Pick<Exact<Static<typeof ConvertResponse>>, "date" | "is_forward_filled">): string {
  if (date === undefined) return "";
  return isFilled === true ? `, in force on ${date}, carried forward` : ` of ${date}`;
}

/** Prints a number without exponent; a text stays unchanged. */
export function plainAmount(amount: number | string): string {
  if (typeof amount === "string") return amount;
  const { units, scale } = parseBodyAmount(exactNumber(String(amount)));
  return formatShortest(units, scale);
}

type Converted = Readonly<Record<"rate" | "amount", ExactNumber>> & { readonly to: string };

function roundedAmount({ rate, amount, to }: Converted): ExactNumber {
  return exactNumber(inMinorUnits(rate.rawJSON, amount.rawJSON, to));
}

type Batch = Exact<Static<typeof ConvertBatchResponse>>;

export const convertBatch = restTool({
  name: "convert_batch",
  title: "Convert several amounts",
  description:
    "Converts amounts of one currency into several others at the latest rates, all from the same data. It counts as one call a pair. A target without a rate is in missing_symbols and has no conversion; a pair with a fault refuses all. Use it for two targets or more; for one, or for a past day, use convert.",
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
    const rows = batch.conversions.map((one) => [
      ...[one.to, one.amount.rawJSON, one.rounded.rawJSON, one.converted.rawJSON, one.rate.rawJSON],
    ]);
    const heads = ["to", "amount", "rounded", "converted", "rate"];
    return `Amounts in ${batch.from}, converted. ${provenance(batch, marked(batch.stale))}${missingText(batch.missing_symbols)}\n\n${rowsText(heads, rows)}`;
  },
});
