/** Which currencies the National Bank of Poland lists in its tables, under which names, with how many digits. */

import type { Line } from "./table.ts";

export interface NamedLine extends Line {
  readonly name: string;
}

export const NBP_A_LINES: readonly NamedLine[] = linesOf(`
THB 4 bat (Tajlandia)
USD 4 dolar amerykański
AUD 4 dolar australijski
HKD 4 dolar Hongkongu
CAD 4 dolar kanadyjski
NZD 4 dolar nowozelandzki
SGD 4 dolar singapurski
EUR 4 euro
HUF 6 forint (Węgry)
CHF 4 frank szwajcarski
GBP 4 funt szterling
JPY 6 jen (Japonia)
CZK 4 korona czeska
DKK 4 korona duńska
ISK 6 korona islandzka
NOK 4 korona norweska
SEK 4 korona szwedzka
RON 4 lej rumuński
TRY 4 lira turecka
ILS 4 nowy izraelski szekel
PHP 4 peso filipińskie
MXN 4 peso meksykańskie
ZAR 4 rand (Republika Południowej Afryki)
BRL 4 real (Brazylia)
MYR 4 ringgit (Malezja)
IDR 8 rupia indonezyjska
INR 6 rupia indyjska
KRW 6 won południowokoreański
CNY 4 yuan renminbi (Chiny)
XDR 4 SDR (MFW)
`);

export const NBP_B_LINES: readonly NamedLine[] = linesOf(`
PAB 4 balboa (Panama)
XCD 4 dolar wschodniokaraibski
BSD 4 dolar bahamski
BBD 4 dolar barbadoski
BZD 4 dolar belizeński
BND 4 dolar Brunei
NAD 4 dolar namibijski
MKD 6 denar (Macedonia Północna)
BHD 4 dinar (Bahrajn)
JOD 4 dinar (Jordania)
AED 4 dirham ZEA (Zjednoczone Emiraty Arabskie)
STN 4 dobra (Wyspy Świętego Tomasza i Książęca)
CVE 4 escudo (Wyspy Zielonego Przylądka)
AWG 4 florin arubański
DJF 6 frank Dżibuti
XOF 6 frank CFA BCEAO
XAF 6 frank CFA BEAC
SZL 4 lilangeni (Eswatini)
MOP 4 pataca (Makau)
OMR 4 rial (Oman)
QAR 4 rial katarski
SAR 4 rial saudyjski
TWD 4 nowy dolar tajwański
BAM 4 wymienialna marka (Bośnia i Hercegowina)
`);

/** Table C has these of table A. */
export const NBP_C_CODES: ReadonlySet<string> = new Set(
  "USD AUD CAD EUR HUF CHF GBP JPY CZK DKK NOK SEK XDR".split(" "),
);

/** `code digits name` a line, each for one unit. */
function linesOf(table: string): readonly NamedLine[] {
  return table
    .trim()
    .split("\n")
    .map((line) => ({ code: line.slice(0, 3), unit: 1, decimals: Number(line[4]), name: line.slice(6) }));
}
