/** GET /compat/oxr/currencies.json. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { answer, NO_ORIGIN } from "#api/compat/answer.ts";
import * as compat from "#api/compat/compat.ts";
import * as field from "#api/model.ts";
import { openExchangeRates as dialect } from "#api/response/dialect.ts";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { currencies as catalog } from "#rates/currencies.ts";
import * as oxr from "./model.ts";

const OxrCurrencies = Type.Unsafe<Record<string, string>>({
  $id: "OxrCurrencies",
  type: "object",
  propertyNames: field.CurrencyCodeModel,
  additionalProperties: { type: "string" },
  description: "English names from ISO 4217 by currency code.",
});

const { show_alternative, prettyprint } = oxr.PARAMETERS;

/** Without an App ID there, too. */
export const currencies = (deps: oxr.OxrDeps) =>
  new Elysia().use(compat.compatible(deps)).get(
    "/currencies.json",
    async ({ request, query: { sent } }) => {
      // Refused as /v1/currencies is.
      catalog(deps);
      const text = oxr.print(sent, Object.fromEntries(CURRENCIES.map(({ code, name }) => [code, name])));
      return answer(deps, request, { text, origin: NO_ORIGIN, maxAgeSeconds: compat.CATALOG_SECONDS });
    },
    {
      compatible: true,
      wire: { dialect },
      query: compat.asSent({
        show_alternative,
        show_inactive: compat.aside("Accepted; there are none.", "1"),
        prettyprint,
      }),
      detail: deps.says({
        security: [],
        foreign: oxr.refusals(),
        id: "oxrCurrencies",
        summary: "Open Exchange Rates: currencies",
        description: "Names of all currencies by code.",
        ok: compat.foreignOk("The names.", OxrCurrencies, { EUR: "Euro", USD: "US Dollar" }),
      }),
    },
  );
