/** GET /v1/official/{country}/{type}/convert/{from}/{to}[/{amount}]: an amount by an official table, with a citation. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { amountParameter, choice, optional, type Parameter, queryAmount } from "#api/parameters.ts";
import { print, printedOrNull } from "#api/print.ts";
import { officialNotice } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { exactNumber } from "#domain/net/message.ts";
import { DAY_RULES } from "#domain/official/conversion.ts";
import { OFFICIAL_KINDS } from "#domain/official/publication.ts";
import { type ConvertedOfficially, type OfficialConvertQuery, officialConvert } from "#official/convert.ts";
import * as official from "./model.ts";

const RULES =
  "`in_force`: the publication valid on the day. `previous_business_day`: the one valid on the day before, for laws that take the last table before the event. `published_on`: the one that the authority published on the very day, by its instant of publication where stated, else by its first day of validity.";

const KIND =
  "Which of several rates of a currency. Without it `mid`, or the only kind; where a table has only `buy` and `sell`, it is required.";

const leg = (base: string, quote: string, rate: number): Static<typeof official.OfficialRate> => ({
  ...{ base, quote, rate, unit: 1, kind: "mid" },
});

export const OfficialConvertResponse = field.answer(
  "OfficialConvertResponse",
  "Amount by an official table.",
  {
    ...official.tableFields,
    from: form.anyCurrency("Currency of `amount`; also outside the catalog.", "USD"),
    to: form.anyCurrency("Currency of `converted`; also outside the catalog.", "MXN"),
    amount: field.amount,
    rate: form.meaning(
      official.OfficialRate.properties.rate,
      "Units of `to` per one `from`: as printed where the table states it so, else to 10 significant digits.",
    ),
    converted: form.digits("The amount by the unrounded rate, half-even to 15 significant digits.", 4337.125),
    rounded: printedOrNull(
      form.nullable<number>("number", {
        description:
          "The exact amount in minor units of `to`, half-even; null outside the catalog. From 10,000,000,000,000 on it has more than 15 digits, which only a decimal holds.",
        examples: [4337.12],
      }),
      exactNumber,
    ),
    derived: form.flag("True when two rates of the table are crossed.", false),
    legs: form.list(official.OfficialRate, "The one or two rates of the table behind it, as printed.", [
      leg("USD", "MXN", 17.3485),
    ]),
    ...official.versionFields,
    on: form.day("The day that `rule` was applied to, on the calendar of the table's zone.", "2026-04-13"),
    rule: form.oneOf(DAY_RULES, RULES, "in_force"),
    authority: official.authority,
    source_url: official.sourceUrl,
    document_sha256: official.documentSha256,
    citation: official.citation,
    terms: official.terms,
    notice: official.notice,
  },
);

const convertBody = ({ offered, type, publication, rows, simulated, ...made }: ConvertedOfficially) =>
  print(OfficialConvertResponse, {
    ...official.tableFacts(offered.table, type),
    ...publication,
    ...made,
    legs: rows,
    derived: rows.length > 1,
    notice: officialNotice(simulated),
  });

const CODE = /^[A-Za-z]{3}$/;

function currencyOf(description: string, example: string): Parameter<string> {
  return {
    ...{ schema: Type.String({ pattern: CODE.source }), description, example },
    refusals: ["invalid_request"],
    parse: (text = "", _, name) => {
      if (CODE.test(text)) return text.toUpperCase();
      throw new Failure("invalid_request", { reason: `${name} must be a code of three letters such as USD` });
    },
  };
}

const pair = {
  from_ccy: currencyOf("Currency of the amount, any case; any of the table.", "USD"),
  to_ccy: currencyOf("Currency wanted, any case; any of the table.", "MXN"),
};

export const rule = choice(DAY_RULES, RULES);
export const kind = optional(choice(OFFICIAL_KINDS, KIND, form.oneOf(OFFICIAL_KINDS, KIND)));
const shared = { on: official.on, rule, kind, as_of: official.asOf };

const PATH = "/convert/:from_ccy/:to_ccy";

export const convert = (deps: official.OfficialRouteDeps) => {
  const read = (query: OfficialConvertQuery) => async () =>
    convertBody(await officialConvert(deps.tables(), query));
  const plain = official.tableRoute(
    deps,
    PATH,
    ({ offered, type }, { as_of: asOf, ...query }, { from_ccy: from, to_ccy: to }) =>
      read({ offered, type, from, to, asOf, ...query }),
    {
      path: pair,
      query: { amount: queryAmount, ...shared },
      id: "convertOfficially",
      summary: "Convert by an official table",
      description:
        "Converts by the publication of a day, for tax, customs and contracts: directly, or across the one currency that two rates of the table share. The answer has the rates as printed and a line to cite. The example is of the FIX.",
      ok: OfficialConvertResponse,
    },
  );
  const ofAmount = official.tableRoute(
    deps,
    `${PATH}/:amount`,
    ({ offered, type }, { as_of: asOf, ...query }, { from_ccy: from, to_ccy: to, amount }) =>
      read({ offered, type, from, to, amount, asOf, ...query }),
    {
      path: { ...pair, amount: amountParameter },
      query: shared,
      id: "convertAmountOfficially",
      summary: "Convert the amount in the path by an official table",
      description: "The same as without `{amount}`, with the amount in the path.",
      ok: OfficialConvertResponse,
    },
  );
  return new Elysia().use(plain).use(ofAmount);
};
