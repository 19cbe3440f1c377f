/** The simulated documents are built as the real ones: no name of an element, an attribute or a member that only one of them has. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { sharedDocument } from "#test/support/shared-data.ts";
import { authorities, TOKEN } from "./reads.ts";

const { get, simulator } = await authorities("2026-11-20T22:00:00Z");

/** Names outside currencies: elements with their attributes in XML, paths of members in JSON, columns in text. */
const XML = (text: string) =>
  new Set(
    [...text.matchAll(/<([A-Za-z_]+)((?:\s+[\w:]+\s*=\s*["'][^"']*["'])*)\s*\/?>/g)].map(
      ([, name, rest = ""]) =>
        [name, ...[...rest.matchAll(/([\w:]+)\s*=/g)].map(([, attribute]) => attribute)].join(" "),
    ),
  );
const JSON_PATHS = (text: string) => {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string) => {
    if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
    else if (value !== null && typeof value === "object") {
      for (const [name, inner] of Object.entries(value)) {
        walk(inner, `${path}.${name.replace(/^FX[A-Z]{3}CAD$/, "FX…CAD")}`);
      }
    } else paths.add(`${path}: ${typeof value}`);
  };
  walk(JSON.parse(text), "");
  return paths;
};

const SIE = "https://www.banxico.org.mx/SieAPIRest/service/v1/series";
const DOCUMENTS = [
  [
    "official/nbp-table-A.json",
    JSON_PATHS,
    "https://api.nbp.pl/api/exchangerates/tables/A/2026-11-02/2026-11-20/?format=json",
  ],
  [
    "official/nbp-table-B.json",
    JSON_PATHS,
    "https://api.nbp.pl/api/exchangerates/tables/B/2026-11-02/2026-11-20/?format=json",
  ],
  [
    "official/cnb-daily-year.json",
    JSON_PATHS,
    "https://api.cnb.cz/cnbapi/exrates/daily-year?year=2026&lang=EN",
  ],
  ["official/bnr-nbrfxrates2026.xml", XML, "https://curs.bnr.ro/files/xml/years/nbrfxrates2026.xml"],
  [
    "official/hmrc-monthly-2026-06.xml",
    XML,
    "https://www.trade-tariff.service.gov.uk/api/v2/exchange_rates/files/monthly_xml_2026-6.xml",
  ],
  [
    "official/boc-valet-fx-rates-daily.json",
    JSON_PATHS,
    "https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date=2026-11-12",
  ],
  [
    "dof/sidof_indicadores_158_range.shape.json",
    JSON_PATHS,
    "https://sidof.segob.gob.mx/dof/sidof/indicadores/158/16-11-2026/20-11-2026",
  ],
  [
    "official/col-trm.json",
    JSON_PATHS,
    "https://www.datos.gov.co/resource/32sa-8pi3.json?$where=vigenciadesde between '2026-11-17T00:00:00.000' and '2026-11-21T00:00:00.000'&$order=vigenciadesde",
  ],
  ["banxico/SF60653_range.real.json", JSON_PATHS, `${SIE}/SF60653/datos/2026-11-17/2026-11-20`],
  ["banxico/error_token.real.json", JSON_PATHS, `${SIE}/SF60653/datos/oportuno?token=none`],
] as const;

test("official/mnb-soap.xml: the same envelope, and the same names in the XML that it holds as text", async () => {
  const question =
    "<e><startDate>2026-11-16</startDate><endDate>2026-11-20</endDate><currencyNames>EUR,JPY</currencyNames></e>";
  const answer = await fetch(`${simulator.base}/www.mnb.hu/arfolyamok.asmx`, {
    method: "POST",
    headers: { SOAPAction: "http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates" },
    body: question,
  });
  const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  const simulated = await answer.text();
  const names = (text: string) => [
    XML(text.replace(/(<\/?)s:/g, "$1")),
    XML(unescaped(text.replace(/(<\/?)s:/g, "$1"))),
  ];
  expect(names(simulated)[1]?.has("Rate unit curr")).toBe(true);
  const real = sharedDocument("official/mnb-soap.xml");
  if (real !== null) expect(names(simulated)).toEqual(names(readFileSync(real, "utf8")));
});

for (const [path, namesIn, url] of DOCUMENTS) {
  test(`${path}: the same names, all of them and no others`, async () => {
    const real = sharedDocument(path);
    const headers = url.includes("token=") ? {} : { "Bmx-Token": TOKEN };
    const simulated = namesIn(await (await get(url, headers)).text());
    expect(simulated.size).toBeGreaterThan(1);
    if (real !== null) expect(simulated).toEqual(namesIn(readFileSync(real, "utf8")));
  });
}
