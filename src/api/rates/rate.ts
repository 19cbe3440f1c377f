/** GET /v1/rate/{slug}: the latest rate of one pair, or an official Mexican value. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { OfTables } from "#api/official/official.ts";
import { dp, type Parameter, path, query } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import { cacheFor } from "#api/response/headers.ts";
import { respondTagged, type TurnDeps } from "#api/response/json.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import { isOfficial, parseSlug } from "#domain/currency/currency.ts";
import { noticeText, officialNotice, type PairRate } from "#domain/dataset/dataset.ts";
import { officialQuote } from "#official/quote.ts";
import { quote } from "#rates/convert.ts";
import type { RatesDeps } from "#rates/query.ts";
import { LATEST } from "./latest.ts";

const SLUG_PATTERN =
  "^([A-Za-z]{3}-[A-Za-z]{3}|[Uu][Ss][Dd]-[Mm][Xx][Nn]-([Bb][Aa][Nn][Xx][Ii][Cc][Oo]|[Dd][Oo][Ff]))$";

export const RateResponse = field.answer("RateResponse", "The latest rate of one pair.", {
  pair: form.text("The slug, lower case.", "usd-jpy", { pattern: "^[a-z]{3}-[a-z]{3}(-[a-z]+)?$" }),
  base: form.meaning(field.CurrencyCodeModel, "Currency that the rate is for 1 unit of.", "USD"),
  quote: form.meaning(field.CurrencyCodeModel, "Currency that the rate is in units of.", "JPY"),
  rate: field.rate,
  ...field.originFields,
  sources: field.pairSources,
  effective_at: field.pairEffectiveAt,
  stale: field.stale,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
  notice: field.notice,
});

/** `slug` is the pair as requested, in lower case. */
const rateBody = (slug: string, pair: PairRate, notice = noticeText(pair.simulated, pair.isReference)) =>
  print(RateResponse, {
    ...pair,
    ...{ pair: slug, marketSession: pair.session, derivationBpsMax: pair.boundBps, notice },
  });

/** The same lifetime as for the other slugs. */
const CACHED = cacheFor(LATEST.maxAgeSeconds);

const slug: Parameter<ReturnType<typeof parseSlug>> = {
  schema: Type.String({ pattern: SLUG_PATTERN }),
  description: "`<base>-<quote>`; a currency against itself is no pair.",
  example: "usd-jpy",
  refusals: ["invalid_pair"],
  parse: (text = "") => parseSlug(text),
};

export const rate = ({ house, ...deps }: Pick<RatesDeps, "spot"> & TurnDeps & OfTables) =>
  new Elysia({ name: "rate" }).use(house).get(
    "/v1/rate/:slug",
    async ({ request, params: { slug }, query: { dp }, caller: { delayMinutes } }) => {
      if (!isOfficial(slug)) return rateBody(slug.text, quote(deps, { ...slug, dp, delayMinutes }));
      const official = await officialQuote(deps.official, { ...slug, dp });
      return respondTagged(
        request,
        deps,
        CACHED,
        rateBody(slug.text, official, officialNotice(official.simulated.isDemo)),
      );
    },
    operation({
      metered: true,
      reply: LATEST,
      params: path({ slug }),
      query: query({ dp }),
      id: "getRate",
      tag: "Rates",
      summary: "Latest rate of one pair",
      description:
        "One pair by its slug `<base>-<quote>`, in any case; only `GBp`, `ZAc` and `ILa`, pence and cents in market data, are refused. `usd-mxn-banxico` (the FIX) and `usd-mxn-dof` (the Diario Oficial) are the official Mexican values as published, where the server collects them; no other source is ever in them.",
      ok: RateResponse,
      errors: [...NO_LATEST_RATE, "not_found", "source_unavailable", "service_unavailable"],
    }),
  );
