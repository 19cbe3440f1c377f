/** The currency behind each country and money name of the US Treasury: its report has no codes. */

/**
 * One currency a line: its code, then what the report calls it, as spelled in the reports since the end of 2022. Countries
 * that share a currency each have a line in the report. The names outlive redenominations there (`Turkey-Lira` and
 * `Ghana-Cedi` have meant two currencies each), so a name is listed for the years that are read only.
 */
const NAMES = `
AED United Arab Emirates-Dirham
AFN Afghanistan-Afghani
ALL Albania-Lek
AMD Armenia-Dram
ANG Netherlands Antilles-Guilder
AOA Angola-Kwanza
ARS Argentina-Peso
AUD Australia-Dollar
AZN Azerbaijan-Manat
BAM Bosnia-Marka
BBD Barbados-Dollar
BDT Bangladesh-Taka
BGN Bulgaria-Lev New
BHD Bahrain-Dinar
BIF Burundi-Franc
BMD Bermuda-Dollar
BND Brunei-Dollar
BOB Bolivia-Boliviano
BRL Brazil-Real
BSD Bahamas-Dollar
BWP Botswana-Pula
BYN Belarus-New Ruble
BZD Belize-Dollar
CAD Canada-Dollar
CDF Dem. Rep. of Congo-Congolese Franc | Democratic Republic of Congo-Congolese Franc | Democratic Republic of Congo-Franc
CHF Switzerland-Franc
CLP Chile-Peso
CNY China-Renminbi
COP Colombia-Peso
CRC Costa Rica-Colon
CUC Cuba-Chavito
CUP Cuba-Peso
CVE Cape Verde-Escudo
CZK Czech Republic-Koruna | Czechia-Koruna
DJF Djibouti-Franc
DKK Denmark-Krone
DOP Dominican Republic-Peso
DZD Algeria-Dinar
EGP Egypt-Pound
ERN Eritrea-Nakfa
ETB Ethiopia-Birr
EUR Euro Zone-Euro
FJD Fiji-Dollar
GBP United Kingdom-Pound
GEL Georgia-Lari
GHS Ghana-Cedi
GMD Gambia-Dalasi
GNF Guinea-Franc
GTQ Guatemala-Quentzal | Guatemala-Quetzal
GYD Guyana-Dollar
HKD Hong Kong-Dollar
HNL Honduras-Lempira
HTG Haiti-Gourde
HUF Hungary-Forint
IDR Indonesia-Rupiah
ILS Israel-Shekel
INR India-Rupee
IQD Iraq-Dinar
IRR Iran-Rial
ISK Iceland-Krona
JMD Jamaica-Dollar
JOD Jordan-Dinar
JPY Japan-Yen
KES Kenya-Shilling
KGS Kyrgyzstan-Som
KHR Cambodia-Riel
KMF Comoros-Franc
KRW Korea-Won
KWD Kuwait-Dinar
KYD Cayman Islands-Dollar
KZT Kazakhstan-Tenge
LAK Laos-Kip
LBP Lebanon-Pound
LKR Sri Lanka-Rupee
LRD Liberia-Dollar
LSL Lesotho-Maloti
LYD Libya-Dinar
MAD Morocco-Dirham
MDL Moldova-Leu
MGA Madagascar-Ariary
MKD Rep. of N. Macedonia-Denar | Republic of North Macedonia-Denar
MMK Myanmar-Kyat | Burma-Kyat
MNT Mongolia-Tugrik
MOP Macao-Mop
MRU Mauritania-Ouguiya
MUR Mauritius-Rupee
MVR Maldives-Rufiyaa
MWK Malawi-Kwacha
MXN Mexico-Peso
MYR Malaysia-Ringgit
MZN Mozambique-Metical
NAD Nambia-Dollar | Namibia-Dollar
NGN Nigeria-Naira
NIO Nicaragua-Cordoba
NOK Norway-Krone
NPR Nepal-Rupee
NZD New Zealand-Dollar
OMR Oman-Rial
PAB Panama-Balboa
PEN Peru-Sol
PGK Papua New Guinea-Kina
PHP Philippines-Peso
PKR Pakistan-Rupee
PLN Poland-Zloty
PYG Paraguay-Guarani
QAR Qatar-Riyal
RON Romania-New Leu
RSD Serbia-Dinar
RUB Russia-Ruble
RWF Rwanda-Franc
SAR Saudi Arabia-Riyal
SBD Solomon Islands-Dollar
SCR Seychelles-Rupee
SDG Sudan-Pound | Sudan-Sudanese Pound
SEK Sweden-Krona
SGD Singapore-Dollar
SLE Sierra Leone-Leone
SOS Somali-Shilling
SRD Suriname-Dollar
SSP South Sudan-Sudanese Pound
STN Sao Tome & Principe-New Dobras
SYP Syria-Pound
SZL Eswatini-Lilangeni
THB Thailand-Baht
TJS Tajikistan-Somoni
TMT Turkmenistan-New Manat
TND Tunisia-Dinar
TOP Tonga-Pa'anga
TRY Turkey-New Lira
TTD Trinidad & Tobago-Dollar
TWD Taiwan-Dollar
TZS Tanzania-Shilling
UAH Ukraine-Hryvnia
UGX Uganda-Shilling
UYU Uruguay-Peso
UZS Uzbekistan-Som
VES Venezuela-Bolivar Soberano
VND Vietnam-Dong
VUV Vanuatu-Vatu
WST Western Samoa-Tala
XAF Cameroon-CFA Franc | Central African Rep.-CFA Franc | Central African Republic-CFA Franc | Chad-CFA Franc
XAF Congo-CFA Franc | Equatorial Guinea-CFA Franc | Gabon-CFA Franc
XCD Antigua & Barbuda-E. Caribbean Dollar | Antigua & Barbuda-East Caribbean Dollar
XCD Grenada-E.Caribbean Dollar | Grenada-East Caribbean Dollar
XCD St. Lucia-E. Caribbean Dollar | St. Lucia-East Caribbean Dollar
XCG Curacao-Caribbean Guilder
XOF Benin-CFA Franc | Burkina Faso-CFA Franc | Cote D'ivoire-CFA Franc | Guinea Bissau-CFA Franc
XOF Mali-CFA Franc | Niger-CFA Franc | Senegal-CFA Franc | Togo-CFA Franc
YER Yemen-Rial
ZAR South Africa-Rand
ZMW Zambia-New Kwacha
ZWG Zimbabwe-Gold
ZWL Zimbabwe-RTGS
`;

/** Countries that use the dollar itself: their line of the report is not a rate of exchange. */
const DOLLAR_COUNTRIES = `
Ecuador-Dolares | El Salvador-Dollar | Marshall Islands-U.S. Dollar | Micronesia-U.S. Dollar | Palau-Dollar
Panama-Dolares | Timor-Leste-Dili
`;

const CODES = new Map<string, string>(
  NAMES.trim()
    .split("\n")
    .flatMap((line) => namesIn(line.slice(4)).map((name) => [name, line.slice(0, 3)] as const)),
);
const DOLLARS = new Set(DOLLAR_COUNTRIES.trim().split("\n").flatMap(namesIn));
/** The zone has its own line; countries of it that are listed beside it, now and then with an older rate, add nothing. */
const EURO_COUNTRY = /-euro$/;

/**
 * The ISO 4217 code of a `country_currency_desc`, upper and lower case alike; "none" where its line is no rate of its
 * own; null for a name that is not in the list.
 */
export function treasuryCurrency(description: string): string | "none" | null {
  const name = description.trim().toLowerCase();
  const code = CODES.get(name);
  if (code !== undefined) return code;
  return DOLLARS.has(name) || EURO_COUNTRY.test(name) ? "none" : null;
}

function namesIn(line: string): readonly string[] {
  return line.split("|").map((name) => name.trim().toLowerCase());
}
