/** GET /compat/oxr/currencies.json. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { answer, NO_ORIGIN } from "#api/compat/answer.ts";
import { asSent, CALLER, CATALOG_SECONDS, compatible, foreignOk, without } from "#api/compat/compat.ts";
import { openExchangeRates as dialect } from "#api/compat/dialect.ts";
import { words } from "#api/openapi/words.ts";
import * as field from "#contract/fields.ts";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { currencies as catalog } from "#rates/currencies.ts";
import {
  foreign,
  type OxrDeps,
  prettyprint,
  print,
  SHARED,
  show_alternative,
  show_inactive,
} from "./model.ts";

const OxrCurrencies = Type.Unsafe<Record<string, string>>({
  $id: "OxrCurrencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
});

/** Without an App ID there, too. */
export const currencies = (deps: OxrDeps) =>
  new Elysia().use(compatible(deps)).get(
    "/currencies.json",
    async ({ request, query: { sent } }) => {
      // Refused as /v1/currencies is.
      catalog(deps);
      const text = print(sent, Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name])));
      return answer(deps, request, { text, origin: NO_ORIGIN, maxAgeSeconds: CATALOG_SECONDS });
    },
    {
      compatible: true,
      wire: { dialect },
      query: asSent({ show_alternative, show_inactive, prettyprint }),
      detail: words({
        ...SHARED,
        security: [],
        foreign: without(foreign, ...CALLER, 400),
        id: deps.named("oxrCurrencies"),
        summary: "Open Exchange Rates: currencies",
        description: "Names of all currencies by code.",
        ok: foreignOk("The names.", OxrCurrencies, { EUR: "Euro", USD: "US Dollar" }),
      }),
    },
  );
