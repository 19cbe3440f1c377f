/** The Diario Oficial by SIDOF and by its page: two documents, one publication; everything else is refused or is a fault. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fingerprintOf } from "#domain/official/doubts.ts";
import { MEX_DOF } from "#sources/official/mexico.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { sharedDocument, testOn } from "#test/support/shared-data.ts";
import { arrivedAt, faultOf, publicationsOf, routeOf, textsOf } from "./tables.ts";

const WINDOW = windowOf("latest", "2026-09-28", "2026-10-06");
const AT = "2026-10-06T18:00:00Z";
const by =
  (route: "SIDOF" | "page") =>
  (content: string | Uint8Array, window = WINDOW) =>
    routeOf(MEX_DOF, window, route).parse(arrivedAt(AT, content), window);
const sidof = by("SIDOF");
const page = by("page");

const ISSUES: [string, string][] = [
  ["01-10-2026", "18.069200"],
  ["02-10-2026", "18.368800"],
];
const indicator = (fecha: string, valor: string, kind = 158, code = 31659) => ({
  codIndicador: code,
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
const EXPECTED = [
  "2026-10-01 2026-10-01.. USD/MXN 18.069200 for 1",
  "2026-10-02 2026-10-02.. USD/MXN 18.368800 for 1",
];

describe("both routes", () => {
  test("give the same publications under the same names", () => {
    expect(textsOf(sidof(json()))).toEqual(EXPECTED);
    expect(textsOf(page(html()))).toEqual(EXPECTED);
    const prints = [sidof(json()), page(html())].map((parsed) => publicationsOf(parsed).map(fingerprintOf));
    expect(prints[0]).toEqual(prints[1] as string[]);
  });

  test("a list without issues is an empty window", () => {
    expect(sidof(json([]))).toEqual({
      outcome: "empty",
      reason: "nothing was published between 2026-09-22 and 2026-10-06",
    });
    expect(page(html([])).outcome).toBe("empty");
  });

  test("days without a value have no publication", () => {
    expect(textsOf(page(html([["03-10-2026", "N/E"], ...ISSUES])))).toEqual(EXPECTED);
    expect(textsOf(sidof(json([["03-10-2026", ""], ...ISSUES])))).toEqual(EXPECTED);
  });

  test.each([
    ["a future issue", "02-10-2026", "07-10-2026", "2026-10-07 is in the future"],
    ["no such day", "02-10-2026", "31-09-2026", 'not a date: "31-09-2026"'],
    ["NaN", "18.368800", "NaN", 'is not a rate: "NaN"'],
    [
      "an issue twice with two values",
      "02-10-2026",
      "01-10-2026",
      'two publications "2026-10-01" that differ',
    ],
  ])("refuse %s", (_, from, to, reason) => {
    expect(reasonOf(() => sidof(json().replace(from, to)))).toContain(reason);
    expect(reasonOf(() => page(html().replace(from, to)))).toContain(reason);
  });
});

describe("SIDOF", () => {
  test("passes over indicators in other units", () => {
    const list = [indicator("01-10-2026", "8.794229", 159), indicator("01-10-2026", "18.069200")];
    const mixed = JSON.stringify({ messageCode: 200, response: "OK", ListaIndicadores: list });
    expect(textsOf(sidof(mixed))).toEqual(EXPECTED.slice(0, 1));
    const without = JSON.stringify({ messageCode: 200, response: "OK", ListaIndicadores: list.slice(0, 1) });
    expect(sidof(without).outcome).toBe("empty");
  });

  test("reports faults in a body with status 200", () => {
    expect(faultOf(() => sidof('{"messageCode":400,"response":"BAD_REQUEST"}')).kind).toBe("status");
    expect(faultOf(() => sidof('{"messageCode":404,"response":"NOT_FOUND"}')).kind).toBe("not_found");
  });

  test.each([
    ["cut off", json().slice(0, -20), "SIDOF:"],
    ["its page of a 404 as text", "404 page not found", "SIDOF: not JSON"],
    [
      "fewer indicators than it says",
      json().replace('Indicadores":2', 'Indicadores":3'),
      '2 indicators of "3"',
    ],
    ["no list", '{"messageCode":200,"response":"OK"}', "ListaIndicadores"],
    ["a value that is not text", json().replace('"18.069200"', "18.0692"), "is not a rate"],
  ])("refuses %s", (_, text, reason) => expect(reasonOf(() => sidof(text))).toContain(reason));
});

describe("the page", () => {
  test("may hold bytes that are no UTF-8", () => {
    const latin = new Uint8Array(Buffer.from(html().replace("Indicadores", "Información"), "latin1"));
    expect(textsOf(page(latin))).toEqual(EXPECTED);
  });

  test.each([
    ["cut off within the table", html().slice(0, html().indexOf("18.3688")), "cut off"],
    ["of another unit", html(ISSUES, "UDIS"), "not the page of the dollar"],
    ["of an error", "<html><body>Servicio no disponible</body></html>", "not the page of the dollar"],
    ["with a row of another form", html().replace('<td class="txt">18.069200</td>', ""), "1 of 2 rows"],
  ])("is refused %s", (_, text, reason) => expect(reasonOf(() => page(text))).toContain(reason));
});

test("a long window is requested a year at a time, days first", () => {
  const routes = MEX_DOF.routes(windowOf("history", "2024-01-01", "2026-10-06"));
  expect(routes.map(({ name, requests }) => [name, requests.length])).toEqual([
    ["SIDOF", 3],
    ["page", 3],
  ]);
  expect(routes.map(({ requests }) => requests[0]?.url)).toEqual([
    "https://sidof.segob.gob.mx/dof/sidof/indicadores/158/01-01-2024/31-12-2024",
    "https://www.dof.gob.mx/indicadores_detalle.php?cod_tipo_indicador=158&dfecha=01%2F01%2F2024&hfecha=31%2F12%2F2024",
  ]);
});

describe("real documents", () => {
  const PAGE = "dof/indicadores_detalle_158.real-fragment.html";
  const SIDOF = "dof/sidof_indicadores_158_range.shape.json";
  const real = (path: string) => new Uint8Array(readFileSync(sharedDocument(path) as string));

  testOn(PAGE)("the page of October 2026: four issues, none at the weekend", () => {
    expect(textsOf(page(real(PAGE)))).toEqual([
      ...EXPECTED,
      "2026-10-05 2026-10-05.. USD/MXN 18.190300 for 1",
      "2026-10-06 2026-10-06.. USD/MXN 18.134300 for 1",
    ]);
  });

  testOn(PAGE, SIDOF)("SIDOF has of two of them the same as the page", () => {
    expect(publicationsOf(sidof(real(SIDOF)))).toEqual(publicationsOf(page(real(PAGE))).slice(2));
  });

  for (const name of ["sidof_indicadores_single_day.real.json", "sidof_no_publication.real-shape.json"])
    testOn(`dof/${name}`)(`${name}, with the UDI alone or with nothing, is an empty window`, () => {
      expect(sidof(real(`dof/${name}`)).outcome).toBe("empty");
    });
});
