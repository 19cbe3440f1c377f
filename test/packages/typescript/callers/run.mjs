/** Run by Node and Bun with the package as it is built: prints what it got as one line of JSON. */

import { Crossrate, CrossrateError, isGenuineWebhook } from "@crossrate/client";

const [url, key, body, signature, secret, now] = process.argv.slice(2);
const crossrate = new Crossrate({ url, key });
const rows = [];
const window = { base: "EUR", symbols: ["USD"], start_date: "2024-01-01", end_date: "2025-12-31" };
for await (const row of crossrate.rangeRows(window)) rows.push(row);
const streamed = [];
for await (const { event, data } of crossrate.stream({ symbols: "EUR" })) {
  streamed.push(event, data.rates.EUR);
  break;
}
const refused = await crossrate.latest({ base: "XXX" }).catch((fault) => fault);
const file = await crossrate.rangeFile({ ...window, format: "csv" });
console.log(
  JSON.stringify({
    rows: rows.length,
    first: rows[0],
    streamed,
    latest: (await crossrate.latest({ symbols: "EUR" })).rates.EUR,
    converted: (await crossrate.convertBatch("USD", [["EUR", "100.50"]])).conversions[0].converted,
    refused: [refused instanceof CrossrateError, refused.code, refused.status],
    lines: (await file.text()).trimEnd().split("\n").length,
    genuine: await isGenuineWebhook({ body, signature, secret, now: Number(now) }),
  }),
);
