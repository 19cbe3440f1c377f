/** Shared by the tables of a window of days (means, changes): members, words, and the answer as JSON, CSV or a workbook. */

import type { Static, TObject, TProperties } from "@sinclair/typebox";
import { csvType } from "#api/file-types.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { base, symbols } from "#api/parameters.ts";
import { asOfFields, asOfHeader, asOfMembers } from "#api/point-in-time.ts";
import { type Printable, printer } from "#api/print.ts";
import { modeOf } from "#api/response/headers.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import type { DatedRate } from "#domain/history/series.ts";
import { COVERAGE_START, type Day, formatDay, yearOf } from "#domain/time/day.ts";
import type { WindowRates } from "#rates/window.ts";
import { inForm, prefersJson, type TableDeps, type TableForm, tableCsv, tableWords } from "./tables.ts";

export const windowReply = { maxAgeSeconds: 300, turnsWith: "session", isJson: prefersJson } as const;

export const windowSubject = {
  base: { ...base, example: "EUR" },
  symbols: { ...symbols, example: "USD,GBP" },
};

/** Names a rate and its day as a model does. */
export const dated = <Name extends string>(name: Name, { text, day }: DatedRate) =>
  ({ [name]: text, [`${name}Date`]: day }) as Record<Name, string> & Record<`${Name}Date`, Day>;

/** `Model` describes one currency's members, which `factsOf` prints; `Own` the members that only this table has. */
export function windowTable<
  Model extends TObject,
  Rate extends { readonly to: number },
  Own extends TProperties,
>(name: string, Model: Model, factsOf: (rate: Rate) => Printable<Model>, Own: Own) {
  const print: (facts: Printable<Model>) => object = printer(Model);
  const columns = ["base", "symbol", ...Object.keys(Model.properties), "source", ...Object.keys(Own)];
  const isNumber = (column: string) => Model.properties[column]?.type === "number";
  return {
    fields: {
      ...Own,
      ...asOfFields,
      ...field.originFields,
      sources: form.meaning(
        field.originFields.sources,
        "Source of each currency's first figure; `notice` says where another takes over.",
      ),
      effective_at: form.meaning(
        field.originFields.effective_at,
        "Observation time of each currency's last figure, UTC.",
      ),
      rates: field.byCurrency(Model, "By currency.", {
        USD: form.exampleOf(Model, "answer") as Static<Model>,
      }),
      missing_symbols: field.missingSymbols,
      derived_symbols: field.derivedSymbols,
      notice: field.notice,
    },
    words: tableWords(csvType(columns)),
    /** `own` are the members of `Own`, in its order. */
    answer: (
      deps: TableDeps,
      request: Request,
      form: TableForm | null,
      {
        window,
        own,
      }: {
        readonly window: WindowRates<Rate>;
        readonly own: { readonly [Name in keyof Own]: Static<Own[Name]> };
      },
    ) => {
      const { base, start, end, rates, missing, origin, lastSources, bases, session, asOf } = window;
      // Another source is another authority at another time of the day: the series has a step there.
      const changed = Object.entries(origin.sources).flatMap(([code, first]) => {
        const last = lastSources[code] ?? first;
        return last === first ? [] : ` ${code}: figures of ${first}, later of ${last}.`;
      });
      const coverage = formatDay(COVERAGE_START);
      // 1999 has no day of publication before it.
      const uncovered =
        yearOf(start) < yearOf(COVERAGE_START)
          ? [` No figures before ${coverage}, where coverage starts.`]
          : [];
      // A gap, or a figure of another source, may be that of either currency of the pair.
      const open = bases.flatMap(({ code, between, gaps }) => {
        const pair = ` ${currencyCode(base)} to ${code}:`;
        return [
          ...between.map((source) => `${pair} on days between also figures of ${source}.`),
          ...gaps.map(([from, to]) => `${pair} no figures from ${formatDay(from)} to ${formatDay(to)}.`),
        ];
      });
      const body = {
        result: "success" as const,
        base: currencyCode(base),
        start_date: formatDay(start),
        end_date: formatDay(end),
        ...own,
        ...asOfMembers(asOf),
        ...field.originMembers(origin, session),
        rates: Object.fromEntries(rates.map((rate) => [currencyCode(rate.to), print(factsOf(rate))])),
        ...field.missingMember(missing),
        derived_symbols: origin.derivedSymbols,
        notice: noticeText(origin.simulated) + [...uncovered, ...changed, ...open].join(""),
      };
      return inForm(deps, request, form, {
        name: `${currencyCode(base)}_${name}_${formatDay(start)}_${formatDay(end)}`,
        body,
        csv: () => {
          const rows = Object.entries(body.rates).map(([code, cells], at) => [
            ...[body.base, code],
            ...Object.values(cells),
            bases[at]?.sources.join(" ") ?? "",
            ...Object.values<Static<Own[keyof Own]>>(own),
          ]);
          return tableCsv(columns, rows, (name) => "simulated" in body && isNumber(name));
        },
        headers: { ...asOfHeader(asOf), ...modeOf(origin.simulated) },
      });
    },
  };
}
