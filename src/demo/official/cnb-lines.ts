/** Which currencies the Czech National Bank fixes, by the amounts in which it counts them. */

import type { Line } from "./table.ts";

export interface CnbLine extends Line {
  readonly country: string;
  readonly name: string;
}

const TABLE = `
Australia|dollar|1|AUD
Brazil|real|1|BRL
Canada|dollar|1|CAD
China|renminbi|1|CNY
Denmark|krone|1|DKK
EMU|euro|1|EUR
Hongkong|dollar|1|HKD
Hungary|forint|100|HUF
Iceland|krona|100|ISK
IMF|SDR|1|XDR
India|rupee|100|INR
Indonesia|rupiah|1000|IDR
Israel|new shekel|1|ILS
Japan|yen|100|JPY
Malaysia|ringgit|1|MYR
Mexico|peso|1|MXN
New Zealand|dollar|1|NZD
Norway|krone|1|NOK
Philippines|peso|100|PHP
Poland|zloty|1|PLN
Romania|leu|1|RON
Singapore|dollar|1|SGD
South Africa|rand|1|ZAR
South Korea|won|100|KRW
Sweden|krona|1|SEK
Switzerland|franc|1|CHF
Thailand|baht|100|THB
Turkey|lira|100|TRY
United Kingdom|pound|1|GBP
USA|dollar|1|USD
`;

export const CNB_LINES: readonly CnbLine[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [country = "", name = "", unit = "", code = ""] = line.split("|");
    return { country, name, unit: Number(unit), code, decimals: 3 };
  });
