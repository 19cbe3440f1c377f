/** The US Treasury's reporting rates through Fiscal Data: a report a quarter, amendments in between, filtered, sorted and paged. */

import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import { type TreasuryEntry, treasuryEntries } from "./treasury-entries.ts";

const PATH = "/services/api/fiscal_service/v1/accounting/od/rates_of_exchange";
const FIELDS = [
  "record_date",
  "country",
  "currency",
  "country_currency_desc",
  "exchange_rate",
  "effective_date",
] as const;
type Field = (typeof FIELDS)[number];
const FILTER = /^(record_date|effective_date):(lte|lt|gte|gt|eq):(\d{4}-\d{2}-\d{2})$/;
const DEFAULT_SIZE = 100;
const LARGEST_SIZE = 10_000;

/** All values are texts; `filter` on the two dates, `fields`, `sort` and `page[number]`, `page[size]` as the real service has them. */
export function treasury(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== PATH) return notFound();
  const of = (name: string, fallback: string) => searchParams.get(name) ?? fallback;
  const filters = of("filter", "")
    .split(",")
    .filter((text) => text !== "");
  const wrong = filters.find((text) => !FILTER.test(text) || parseDay(text.slice(-10)) === null);
  if (wrong !== undefined) return refusal("Invalid Query Param", `Filter '${wrong}' is not valid`);
  const fields = of("fields", FIELDS.join(",")).split(",");
  const unknown = fields.find((name) => !isField(name));
  if (unknown !== undefined) return refusal("Invalid Query Param", `Field '${unknown}' does not exist`);
  const [page, size] = [Number(of("page[number]", "1")), Number(of("page[size]", `${DEFAULT_SIZE}`))];
  if (!(page >= 1 && size >= 1 && size <= LARGEST_SIZE))
    return refusal("Invalid Query Param", "page is out of range");

  const wanted = treasuryEntries(request, (recorded) => passes({ record_date: formatDay(recorded) }, filters))
    .map(textsOf)
    .filter((texts) => passes(texts, filters));
  sort(wanted, of("sort", "-record_date").split(","));
  const listed = wanted.slice((page - 1) * size, page * size);
  const pages = Math.ceil(wanted.length / size);
  const link = (number: number) => `&page%5Bnumber%5D=${number}&page%5Bsize%5D=${size}`;
  const answer = {
    data: listed.map((texts) => Object.fromEntries(fields.map((name) => [name, texts[name as Field]]))),
    meta: {
      count: listed.length,
      labels: { country_currency_desc: "Country - Currency Description", exchange_rate: "Exchange Rate" },
      dataTypes: { exchange_rate: "NUMBER", record_date: "DATE" },
      dataFormats: { exchange_rate: "10.2", record_date: "YYYY-MM-DD" },
      "total-count": wanted.length,
      "total-pages": pages,
    },
    links: {
      self: link(page),
      first: link(1),
      prev: page > 1 ? link(page - 1) : null,
      next: page < pages ? link(page + 1) : null,
      last: link(Math.max(pages, 1)),
    },
  };
  return { contentType: "application/json", body: () => JSON.stringify(answer) };
}

type Texts = Readonly<Record<Field, string>>;

function textsOf({ recorded, effective, country, currency, rate }: TreasuryEntry): Texts {
  return {
    record_date: formatDay(recorded),
    country,
    currency,
    country_currency_desc: `${country}-${currency}`,
    exchange_rate: rate,
    effective_date: formatDay(effective),
  };
}

/** Filters on what is not there are left for later. */
function passes(texts: Partial<Texts>, filters: readonly string[]): boolean {
  return filters.every((filter) => {
    const [, field, relation = "", date = ""] = FILTER.exec(filter) ?? [];
    const value = texts[field as Field];
    if (value === undefined) return true;
    if (value === date) return relation.endsWith("e") || relation === "eq";
    return relation.startsWith(value < date ? "l" : "g");
  });
}

function sort(rows: Texts[], keys: readonly string[]): void {
  rows.sort((a, b) => {
    for (const key of keys) {
      const [left, right] = [a[key.replace(/^-/, "") as Field], b[key.replace(/^-/, "") as Field]];
      if (left !== right) return left < right === key.startsWith("-") ? 1 : -1;
    }
    return 0;
  });
}

function isField(name: string): name is Field {
  return (FIELDS as readonly string[]).includes(name);
}

function refusal(error: string, message: string): Answer {
  return { status: 400, contentType: "application/json", body: () => JSON.stringify({ error, message }) };
}
