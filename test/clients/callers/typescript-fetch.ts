/** openapi-generator's typescript-fetch. Prints what it was answered. */

import {
  Configuration,
  ConversionApi,
  ErrorEnvelopeFromJSON,
  RatesApi,
  ResponseError,
  SeriesApi,
} from "./generated/index.ts";

const configuration = new Configuration({ basePath: process.argv[2] ?? "" });
const conversion = new ConversionApi(configuration);

const latest = await new RatesApi(configuration).getLatest({ base: "USD", symbols: "EUR, GBP" });
const converted = await conversion.convertPair({
  fromCcy: "USD",
  toCcy: "EUR",
  amount: "100.50",
  date: new Date("2026-04-10"),
});
const batch = await conversion.convertPairs({
  convertBatchRequest: {
    from: "USD",
    pairs: [
      ["EUR", 100],
      ["GBP", "49.90"],
    ],
  },
});
const range = await new SeriesApi(configuration).getRange({
  symbols: "EUR,GBP",
  startDate: new Date("2026-04-01"),
  endDate: new Date("2026-04-10"),
});
if ("estimate" in range) throw new Error("no page");
const [first] = range.data;

async function refusal(): Promise<string> {
  try {
    await conversion.convertPair({ fromCcy: "USD", toCcy: "XYZ" });
  } catch (fault) {
    if (fault instanceof ResponseError) return ErrorEnvelopeFromJSON(await fault.response.json()).code;
    throw fault;
  }
  throw new Error("not refused");
}

console.log(
  JSON.stringify({
    base: latest.base,
    eur: latest.rates["EUR"],
    updated: latest.dataUpdatedAt.toISOString().slice(0, 10),
    converted: converted.converted,
    batch: batch.conversions.map((item) => item.converted),
    rows: range.data.length,
    first: first?.date?.toISOString().slice(0, 10),
    firstEur: first?.rates?.["EUR"],
    refused: await refusal(),
  }),
);
