/** GET /v1/convert/{from_ccy}/{to_ccy}[/{amount}] and POST /v1/convert */

import { readExactJson } from "#api/request/body.ts";
import type { Meter } from "#api/request/metering.ts";
import { earliestOf, queryOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondJson } from "#api/response/json.ts";
import type { Reply } from "#api/response/reply.ts";
import { issuesOf } from "#contract/issues.ts";
import { ConvertBatchRequest, convertBody } from "#contract/rates/convert.ts";
import { batchBody } from "#contract/rates/convert-batch.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Digits } from "#domain/net/message.ts";
import { parseAmount, parseBodyAmount } from "#domain/number/amount.ts";
import { convert, convertBatch } from "#rates/convert.ts";
import { dateOf, parseDp } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
import { LATEST } from "./latest.ts";

export interface ConvertDeps extends RatesDeps {
  /** Pairs that one batch may hold. */
  readonly batchLimit: number;
  readonly simulated: boolean;
  readonly meter: Meter;
}

function lostAmount(): Failure {
  return new Failure("invalid_request", {
    reason: "the path ends in a slash, with no amount behind it: add the amount, or leave the slash out",
  });
}

export function convertRoutes(deps: ConvertDeps, reply: Reply): Route[] {
  const single = (request: Request, params: Params) =>
    reply(request, LATEST, () => {
      // URL parsers remove dot segments: the amount "." arrives as a slash, and an amount that is lost is never taken for 1.
      if (pathOf(request.url).endsWith("/")) throw lostAmount();
      const query = queryOf(request);
      const [from, to] = parsePair(params["from_ccy"] ?? "", params["to_ccy"] ?? "");
      const date = query("date");
      const wanted = {
        from,
        to,
        amount: parseAmount(params["amount"] === undefined ? (query("amount") ?? "1") : params["amount"]),
        day: date === undefined ? null : dateOf(date),
        dp: parseDp(query("dp")),
      };
      return {
        earliest: earliestOf(wanted.day),
        answer: (delayMinutes) => convertBody(convert(deps, { ...wanted, delayMinutes })),
      };
    });
  const batch = async (request: Request) => {
    const { rough, exact } = await readExactJson(request);
    const issues = issuesOf(ConvertBatchRequest, rough);
    if (issues.length > 0) throw new Failure("validation_error", { members: { errors: issues } });
    const { from, pairs } = exact as { from: string; pairs: [string, string | Digits][] };
    if (pairs.length > deps.batchLimit) {
      throw new Failure("invalid_request", {
        reason: `a batch holds at most ${deps.batchLimit} pairs; this one has ${pairs.length}`,
      });
    }
    const parsed = pairs.map(([to, amount]) => [...parsePair(from, to), parseBodyAmount(amount)] as const);
    const base = parsed[0]?.[0] as CurrencyIndex;
    const amounts = parsed.map(([, to, amount]) => [to, amount] as const);
    // A batch counts as one call a pair.
    return deps.meter.run(request, { cost: amounts.length, earliest: null }, ({ delayMinutes }) =>
      respondJson(request, deps, batchBody(convertBatch(deps, { from: base, pairs: amounts, delayMinutes }))),
    );
  };
  return [
    { method: "GET", path: "/v1/convert/:from_ccy/:to_ccy", handle: single, isMetered: true },
    { method: "GET", path: "/v1/convert/:from_ccy/:to_ccy/:amount", handle: single, isMetered: true },
    { method: "POST", path: "/v1/convert", handle: batch, isMetered: true },
  ];
}
