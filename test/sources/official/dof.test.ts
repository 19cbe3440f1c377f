/** The Diario Oficial by SIDOF and by its page: two documents, one publication; everything else is refused or is a fault. */

import { describe, expect, test } from "bun:test";
import { MEX_DOF } from "#sources/official/mexico.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, testOn } from "#test/support/shared-data.ts";
import { faultOf, publicationsOf, testsOf } from "./tables.ts";

const usual = { window: windowOf("latest", "2026-09-28", "2026-10-06"), at: "2026-10-06T18:00:00Z" };
const sidof = testsOf(MEX_DOF, { ...usual, route: "SIDOF" });
const page = testsOf(MEX_DOF, { ...usual, route: "page" });

const ISSUES: [string, string][] = [
  ["01-10-2026", "18.069200"],
  ["02-10-2026", "18.368800"],
];
const indicator = (fecha: string, valor: string, kind = 158) => ({
  codIndicador: 31659,
  codTipoIndicador: kind,
  fecha,
  valor,
});
const json = (issues = ISSUES) =>
  JSON.stringify({
    messageCode: 200,
    response: "OK",
    ListaIndicadores: issues.map(([day, value]) => indicator(day, value)),
    TotalIndicadores: issues.length,
  });
const html = (issues = ISSUES, title = "DOLAR") => `<html><head><title>Indicadores</title></head><body>
<table width="95%"><tr><td class="txt_blanco" bgcolor="#737373">${title}</td></tr><tr><td>
 <table width="70%" class="Tabla_borde"><tr class="txt_blanco" bgcolor="#b2b2b2">
   <td height="17" align="center">Fecha</td>
   <td height="17" align="center">Valor</td>
 </tr>
${issues.map(([day, value]) => ` <tr class="Celda 1">\n  <td class="txt">${day}</td>\n  <td class="txt">${value}</td>\n </tr>`).join("\n")}
 </table></td></tr></table></body></html>`;
const BOTH = [
  ["SIDOF", sidof, json],
  ["the page", page, html],
] as const;
const LINES = [
  "2026-10-01 2026-10-01…: 1 USD = 18.069200 MXN mid",
  "2026-10-02 2026-10-02…: 1 USD = 18.368800 MXN mid",
];

describe.each(BOTH)("%s", (_, route, write) => {
  test("has a publication an issue, under the same name by both routes; none of days without a value", () => {
    expect(route.lines(write())).toEqual(LINES);
    for (const value of ["N/E", "N/D", ""])
      expect(route.lines(write([["03-10-2026", value], ...ISSUES]))).toEqual(LINES);
  });

  test("without issues is an empty window", () => {
    expect(route.parse(write([]))).toEqual({
      outcome: "empty",
      reason: "nothing was published between 2026-09-22 and 2026-10-06",
    });
  });

  route.refuses([
    ["a future issue", write().replace("02-10", "07-10"), "2026-10-07 is in the future"],
    ["a day that does not exist", write().replace("02-10", "31-09"), 'not a date: "31-09-2026"'],
    ["NaN", write().replace("18.368800", "NaN"), 'is not a rate: "NaN"'],
    ["an issue twice with two values", write().replace("02-10", "01-10"), '"2026-10-01" that differ'],
  ]);
});

describe("SIDOF", () => {
  test("passes over indicators in other units", () => {
    const list = [indicator("01-10-2026", "8.794229", 159), indicator("01-10-2026", "18.069200")];
    const answer = (ListaIndicadores: object[]) => JSON.stringify({ messageCode: 200, ListaIndicadores });
    expect(sidof.lines(answer(list))).toEqual(LINES.slice(0, 1));
    expect(sidof.parse(answer(list.slice(0, 1))).outcome).toBe("empty");
  });

  test("reports faults in a body with status 200", () => {
    const kindOf = (text: string) => faultOf(() => sidof.parse(text)).kind;
    expect(kindOf('{"messageCode":400,"response":"BAD_REQUEST"}')).toBe("status");
    expect(kindOf('{"messageCode":404,"response":"NOT_FOUND"}')).toBe("not_found");
  });

  sidof.keepsContract(json(), "18.069200");
  sidof.refuses([
    ["the page of a 404 as text", "404 page not found", "SIDOF: not JSON"],
    [
      "fewer indicators than it says",
      json().replace('Indicadores":2', 'Indicadores":3'),
      '2 indicators of "3"',
    ],
    ["an answer without a list", '{"messageCode":200,"response":"OK"}', "ListaIndicadores"],
    ["a value that is not text", json().replace('"18.069200"', "18.0692"), "is not a rate"],
  ]);
});

describe("the page", () => {
  test("may hold bytes that are no UTF-8", () => {
    const latin = Buffer.from(html().replace("Indicadores", "Información"), "latin1");
    expect(page.lines(new Uint8Array(latin))).toEqual(LINES);
  });

  page.refuses([
    ["one cut off within the table", html().slice(0, html().indexOf("18.3688")), "cut off"],
    ["one of another unit", html(ISSUES, "UDIS"), "not the page of the dollar"],
    ["an error", "<html><body>Servicio no disponible</body></html>", "not the page of the dollar"],
    ["a row of another form", html().replace('<td class="txt">18.069200</td>', ""), "1 of 2 rows"],
    // Once such a page occupied the process for minutes.
    [
      "blanks in a cell that does not end",
      html().replace("18.069200</td>", " ".repeat(100_000)),
      "1 of 2 rows",
    ],
    [
      "rows that do not begin",
      html().replace("</tr>\n </table>", `</tr>${"<tr".repeat(300_000)}</table>`),
      "2 of",
    ],
  ]);
});

test("a long window is requested a year at a time, days first", () => {
  const routes = sidof.routes("history", "2024-01-01", "2026-10-06");
  expect(routes.map(([name, first, ...more]) => [name, first, more.length])).toEqual([
    ["SIDOF", "https://sidof.segob.gob.mx/dof/sidof/indicadores/158/01-01-2024/31-12-2024", 2],
    [
      "page",
      "https://www.dof.gob.mx/indicadores_detalle.php?cod_tipo_indicador=158&dfecha=01%2F01%2F2024&hfecha=31%2F12%2F2024",
      2,
    ],
  ]);
});

describe("real documents", () => {
  const PAGE = "dof/indicadores_detalle_158.real-fragment.html";
  const SIDOF = "dof/sidof_indicadores_158_range.shape.json";

  testOn(PAGE)("the page of October 2026: four issues, none at the weekend", () => {
    expect(page.lines(realDocument(PAGE))).toEqual([
      ...LINES,
      "2026-10-05 2026-10-05…: 1 USD = 18.190300 MXN mid",
      "2026-10-06 2026-10-06…: 1 USD = 18.134300 MXN mid",
    ]);
  });

  testOn(PAGE, SIDOF)("SIDOF has of two of them the same as the page", () => {
    const ofPage = publicationsOf(page.parse(realDocument(PAGE)));
    expect(publicationsOf(sidof.parse(realDocument(SIDOF)))).toEqual(ofPage.slice(2));
  });

  for (const name of ["sidof_indicadores_single_day.real.json", "sidof_no_publication.real-shape.json"])
    testOn(`dof/${name}`)(`${name}, with the UDI alone or with nothing, is an empty window`, () => {
      expect(sidof.parse(realDocument(`dof/${name}`)).outcome).toBe("empty");
    });
});
