/**
 * The figures of a VAT return, each invoice by the table of an authority.
 *
 *     bun vat.ts invoices.csv GBP gbr/vat
 *     bun vat.ts invoices.csv PLN pol/a previous_business_day
 *
 * `invoices.csv` has the columns number, date, net, vat and currency. The table is that of `/v1/official`; the last word is the
 * rule of your law: in_force (the default), previous_business_day or published_on. CROSSRATE_URL and CROSSRATE_API_KEY name the
 * server and the key.
 */

import { readFile } from "node:fs/promises";
import { Crossrate } from "@crossrate/client";

const [file, home, table, rule = "in_force"] = process.argv.slice(2);
const [country, type] = table?.split("/") ?? [];
if (!file || !home || !country || !type || !isRule(rule)) {
  console.error(
    "usage: bun vat.ts INVOICES.csv CURRENCY COUNTRY/TYPE [in_force|previous_business_day|published_on]",
  );
  process.exit(2);
}

function isRule(text: string): text is "in_force" | "previous_business_day" | "published_on" {
  return ["in_force", "previous_business_day", "published_on"].includes(text);
}

const { CROSSRATE_URL: url = "http://localhost:3000", CROSSRATE_API_KEY: key } = process.env;
const crossrate = new Crossrate({ url, ...(key === undefined ? {} : { key }) });

/** Sums are made in hundredths, in whole numbers. */
const hundredths = (amount: number | string) => Math.round(Number(amount) * 100);
const shown = (sum: number) => (sum / 100).toFixed(2).padStart(10);

const [head = "", ...lines] = (await readFile(file, "utf8")).trim().split(/\r?\n/);
const columns = head.split(",");
const totals = { net: 0, vat: 0 };
const citations = new Set<string>();
for (const line of lines) {
  const cells = line.split(",");
  const cell = (name: string) => cells[columns.indexOf(name)] ?? "";
  const [from, on] = [cell("currency"), cell("date")];
  const inHome = async (amount: string) => {
    if (from === home) return hundredths(amount);
    const { rounded, citation } = await crossrate.official.convert({ country, type }, from, home, {
      amount,
      on,
      rule,
    });
    if (rounded === null) throw new Error(`${home} is not in the catalog: its minor units are not known`);
    citations.add(citation);
    return hundredths(rounded);
  };
  const [net, vat] = [await inHome(cell("net")), await inHome(cell("vat"))];
  totals.net += net;
  totals.vat += vat;
  console.log(`${cell("number").padEnd(8)} ${on}  net ${shown(net)} ${home}  VAT ${shown(vat)} ${home}`);
}
console.log(`total                net ${shown(totals.net)} ${home}  VAT ${shown(totals.vat)} ${home}\n`);
for (const citation of citations) console.log(citation);
