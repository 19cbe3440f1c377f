/** Habits of the real authorities that no adapter requests today, and that a client would stumble over. */

import { expect, test } from "bun:test";
import { authorities, TOKEN } from "./reads.ts";

const NOW = "2026-04-14T22:00:00Z";
const { get, text, simulator } = await authorities(NOW);

const NBP = "https://api.nbp.pl/api/exchangerates/tables";

test("NBP answers 404 with its text for days without a table, and 400 for more than 93 days", async () => {
  const none = await get(`${NBP}/A/2026-04-11/2026-04-12/?format=json`);
  expect([none.status, await none.text()]).toEqual([404, "404 NotFound - Not Found - Brak danych"]);
  expect((await get(`${NBP}/A/2026-01-01/2026-04-03/?format=json`)).status).toBe(200);
  const long = await get(`${NBP}/A/2026-01-01/2026-04-04/?format=json`);
  expect([long.status, (await long.text()).includes("93")]).toEqual([400, true]);
  expect((await get(`${NBP}/A/2026-04-04/2026-04-01/?format=json`)).status).toBe(400);
});

test("NBP counts its tables by the year, prints trailing zeros, and publishes table B on the first working day from Wednesday on", async () => {
  const tables = JSON.parse(await text(`${NBP}/A/2026-01-01/2026-01-05/?format=json`));
  expect(tables.map(({ no }: { no: string }) => no)).toEqual(["001/A/NBP/2026", "002/A/NBP/2026"]);
  expect(await text(`${NBP}/A/2026-01-01/2026-03-31/?format=json`)).toMatch(/"mid":\d\.\d{3}0\}/);
  // 11 November, a Wednesday in 2020, is a holiday.
  const weekly = JSON.parse(await text(`${NBP}/B/2020-11-04/2020-11-20/?format=json`));
  expect(weekly.map(({ effectiveDate }: { effectiveDate: string }) => effectiveDate)).toEqual([
    "2020-11-04",
    "2020-11-12",
    "2020-11-18",
  ]);
});

test("TCMB has no bulletin on days without one, in another month's folder, or before its hour", async () => {
  const status = async (path: string) => (await get(`https://www.tcmb.gov.tr/kurlar/${path}.xml`)).status;
  expect(await Promise.all(["202604/14042026", "today"].map(status))).toEqual([200, 200]);
  const without = ["202604/12042026", "202604/23042025", "202603/14042026", "202604/15042026"];
  expect(await Promise.all(without.map(status))).toEqual([404, 404, 404, 404]);
});

test("Fiscal Data pages: all pages together are the whole, and an unknown filter is refused with status 400", async () => {
  const data =
    "https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
  const page = async (number: number, size: number) =>
    JSON.parse(
      await text(`${data}?filter=record_date:gte:2025-12-31&page[number]=${number}&page[size]=${size}`),
    );
  const whole = await page(1, 1000);
  expect(whole.meta["total-pages"]).toBe(1);
  const first = await page(1, 30);
  const pages = [first];
  for (let number = 2; number <= first.meta["total-pages"]; number++) pages.push(await page(number, 30));
  expect(pages.flatMap((one) => one.data)).toEqual(whole.data);
  expect([first.links.prev, pages.at(-1).links.next]).toEqual([null, null]);
  expect((await get(`${data}?filter=country:eq:Mexico`)).status).toBe(400);
});

test("the Treasury amends within a quarter what has moved by a tenth, and nothing else", async () => {
  const data =
    "https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
  const { data: lines } = JSON.parse(
    await text(`${data}?filter=record_date:gte:2015-01-01&sort=record_date,effective_date&page[size]=10000`),
  ) as { data: Record<string, string>[] };
  const rates = new Map<string, number>();
  let amended = 0;
  for (const line of lines) {
    const rate = Number(line["exchange_rate"]);
    const name = `${line["record_date"]} ${line["country_currency_desc"]}`;
    const before = rates.get(name);
    rates.set(name, rate);
    if (line["effective_date"] === line["record_date"]) continue;
    amended++;
    expect(Math.abs(rate / (before as number) - 1)).toBeGreaterThanOrEqual(0.1);
  }
  expect(amended).toBeGreaterThan(0);
});

test("CNB answers a Sunday with Friday's text; BAZG a holiday with the document before it; the year's list needs a year", async () => {
  const cnb =
    "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/central-bank-exchange-rate-fixing/daily.txt";
  expect(await text(`${cnb}?date=12.04.2026`)).toStartWith("10 Apr 2026 #69\n");
  const bazg = "https://www.backend-rates.bazg.admin.ch/api/xmldaily";
  // Good Friday and Easter Monday.
  const easter = await text(`${bazg}?d=20260403&locale=en`);
  expect(easter).toContain("<datum>02.04.2026</datum>");
  expect(easter).toContain(
    "<gueltigkeit>03.04.2026,04.04.2026,05.04.2026,06.04.2026,07.04.2026</gueltigkeit>",
  );
  expect((await get("https://api.cnb.cz/cnbapi/exrates/daily-year?year=x")).status).toBe(400);
});

test("SIDOF reports faults with status 200, and the Diario's page is in Latin-1", async () => {
  const sidof = "https://sidof.segob.gob.mx/dof/sidof/indicadores/158";
  const wrong = await get(`${sidof}/2026-04-01/2026-04-14`);
  expect([wrong.status, (await wrong.json()).messageCode]).toEqual([200, 400]);
  const weekend = JSON.parse(await text(`${sidof}/11-04-2026/12-04-2026`));
  expect(weekend).toEqual({ messageCode: 200, response: "OK", ListaIndicadores: [], TotalIndicadores: 0 });
  const page = await get(
    "https://www.dof.gob.mx/indicadores_detalle.php?cod_tipo_indicador=158&dfecha=13%2F04%2F2026&hfecha=14%2F04%2F2026",
  );
  const bytes = new Uint8Array(await page.arrayBuffer());
  expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
  expect(new TextDecoder("latin1").decode(bytes)).toContain("Federación");
});

test("Banxico gives series in its own order, one without a value without its list, and the newest of each", async () => {
  const series = "https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF60653,SF43718/datos";
  const values = async (part: string) =>
    (await (await get(`${series}/${part}`, { "Bmx-Token": TOKEN })).json()).bmx.series;
  const [fix, settlement] = await values("oportuno");
  expect([fix.idSerie, fix.datos[0].fecha, settlement.idSerie, settlement.datos[0].fecha]).toEqual([
    "SF43718",
    "14/04/2026",
    "SF60653",
    "16/04/2026",
  ]);
  const closed = await values("2026-04-11/2026-04-12");
  expect(closed.map((one: object) => "datos" in one)).toEqual([false, false]);
});

test("MNB answers by POST alone, with days without currencies for unknown names, and with status 500 for a fault", async () => {
  const service = `${simulator.base}/www.mnb.hu/arfolyamok.asmx`;
  const ask = (question: string, action = "GetExchangeRates") =>
    fetch(service, {
      method: "POST",
      headers: { SOAPAction: `"http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/${action}"` },
      body: question,
    });
  const question = (names: string) =>
    `<e><startDate>2026-04-13</startDate><endDate>2026-04-14</endDate><currencyNames>${names}</currencyNames></e>`;
  expect((await fetch(service)).status).toBe(405);
  expect(await (await ask(question("XXX"))).text()).toContain('&lt;Day date="2026-04-14"&gt;&lt;/Day&gt;');
  const yen = await (await ask(question("JPY"))).text();
  expect(yen).toMatch(/&lt;Rate unit="100" curr="JPY"&gt;\d+,\d{2}&lt;\/Rate&gt;/);
  for (const wrong of [await ask("<e/>"), await ask(question("JPY"), "GetGold")]) {
    expect([wrong.status, (await wrong.text()).includes("<s:Fault>")]).toEqual([500, true]);
  }
});

test("the TRM of a Friday is valid to the Monday, and over a holiday; a query that cannot be read is refused", async () => {
  const data = "https://www.datos.gov.co/resource/32sa-8pi3.json";
  const between = (from: string, to: string) =>
    `${data}?$where=vigenciadesde between '${from}T00:00:00.000' and '${to}T00:00:00.000'&$order=vigenciadesde`;
  const validities = (
    JSON.parse(await text(between("2026-03-31", "2026-04-14"))) as Record<string, string>[]
  ).map((row) => `${row["vigenciadesde"]?.slice(5, 10)}..${row["vigenciahasta"]?.slice(5, 10)}`);
  // Maundy Thursday and Good Friday are the 2nd and the 3rd.
  expect(validities).toEqual([
    ...["03-31..03-31", "04-01..04-01", "04-02..04-06", "04-07..04-07", "04-08..04-08"],
    ...["04-09..04-09", "04-10..04-10", "04-11..04-13", "04-14..04-14"],
  ]);
  const wrong = await get(`${data}?$where=valor is null`);
  expect([wrong.status, (await wrong.json()).error]).toEqual([400, true]);
});
