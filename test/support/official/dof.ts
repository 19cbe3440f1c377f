/** An indicator's page of Mexico's Diario Oficial, which is read where SIDOF does not answer. */

import { issuesOf, readDay } from "#demo/mexico.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";

export function dofPage(request: DemoRequest): Answer {
  const of = (name: string) => request.url.searchParams.get(name) ?? "";
  if (request.url.pathname !== "/indicadores_detalle.php") return notFound();
  const [from, to] = [readDay(of("dfecha")), readDay(of("hfecha"))];
  const isDollar = of("cod_tipo_indicador") === "158";
  const issues = isDollar && from !== null && to !== null ? issuesOf(request, from, to) : [];
  const rows = issues.map(
    ({ date, value }) => `     <tr class="Celda 1">
     <td height="17" width="48%" align="center" class="txt" style="padding: 3px;">${date}</td>
     <td width="52%" align="center" class="txt">${value}</td>
   </tr>\n`,
  );
  const page = `<html><head><title>DOF - Diario Oficial de la Federaci\u00f3n</title></head><body>
<table width="95%" border="0" cellspacing="0" cellpadding="0" align="center">
<tr>
    <td class="txt_blanco" style="padding-left:4px" bgcolor="#737373">${isDollar ? "DOLAR" : "UDIS"}</td>
  </tr>
  <tr>
    <td>
 <table width="70%" border="0" cellspacing="0" cellpadding="0" class="Tabla_borde" align="center">
        <tr class="txt_blanco" bgcolor="#b2b2b2">
          <td height="17" width="48%" align="center" style="padding: 5px;">Fecha</td>
          <td height="17" width="52%" align="center" style="padding: 5px;">Valor</td>
        </tr>
      ${rows.join("")}        </table>
   <br />
    </td>
  </tr>
</table>
<p>Informaci\u00f3n del d\u00eda</p></body></html>
`;
  return { contentType: "text/html", body: () => new Uint8Array(Buffer.from(page, "latin1")) };
}
