/** The countries of HMRC's monthly file, each with its currency; several share one, and then its rate is repeated. */

export interface HmrcRow {
  readonly country: string;
  readonly countryCode: string;
  readonly currency: string;
  readonly code: string;
}

const TABLE = `
Abu Dhabi|DH|Dirham|AED
Australia|AU|Dollar|AUD
Bahrain|BH|Dinar|BHD
Barbados|BB|Dollar|BBD
Belize|BZ|Dollar|BZD
Benin|BJ|CFA Franc|XOF
Brazil|BR|Real|BRL
Brunei|BN|Dollar|BND
Cameroon|CM|CFA Franc|XAF
Canada|CA|Dollar|CAD
Chad|TD|CFA Franc|XAF
China|CN|Yuan|CNY
Czech Republic|CZ|Koruna|CZK
Denmark|DK|Krone|DKK
Dubai|DU|Dirham|AED
Ecuador|EC|Dollar|USD
El Salvador|SV|Dollar|USD
Eurozone|EU|Euro|EUR
Hong Kong|HK|Dollar|HKD
Hungary|HU|Forint|HUF
Iceland|IS|Krona|ISK
India|IN|Rupee|INR
Indonesia|ID|Rupiah|IDR
Israel|IL|Shekel|ILS
Japan|JP|Yen|JPY
Jordan|JO|Dinar|JOD
Liechtenstein|LI|Franc|CHF
Malaysia|MY|Ringgit|MYR
Mexico|MX|Mexican Peso|MXN
New Zealand|NZ|Dollar|NZD
Norway|NO|Krone|NOK
Oman|OM|Rial|OMR
Philippines|PH|Peso|PHP
Poland|PL|Zloty|PLN
Qatar|QA|Riyal|QAR
Romania|RO|New Leu|RON
Saudi Arabia|SA|Riyal|SAR
Senegal|SN|CFA Franc|XOF
Singapore|SG|Dollar|SGD
South Africa|ZA|Rand|ZAR
South Korea|KR|Won|KRW
Sweden|SE|Krona|SEK
Switzerland|CH|Franc|CHF
Taiwan|TW|Dollar|TWD
Thailand|TH|Baht|THB
Turkey|TR|Lira|TRY
USA|US|Dollar|USD
`;

export const HMRC_ROWS: readonly HmrcRow[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [country = "", countryCode = "", currency = "", code = ""] = line.split("|");
    return { country, countryCode, currency, code };
  });
