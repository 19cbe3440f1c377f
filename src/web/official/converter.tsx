/** The converter of an official table: a form for amount, currencies and day, and the answer with a line to cite. It needs no script. */
/* @jsxImportSource preact */

import type { Query } from "#api/parameters.ts";
import { Failure } from "#domain/faults/errors.ts";
import { parseDecimal } from "#domain/number/decimal.ts";
import {
  OFFICIAL_KINDS,
  type OfficialKind,
  type OfficialRow,
  type OfficialTable,
} from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import { officialConvert } from "#official/convert.ts";
import type { OfferedTable, OfficialDeps } from "#official/deps.ts";
import { asSentence } from "#web/dashboard/words.ts";
import { groupedAmount, readAmount } from "#web/shared/convert.ts";
import { CopyButton, Options, Submit } from "#web/shared/forms.tsx";
import { KIND_WORDS, tablePath } from "./words.tsx";

export type OfficialConverter = Awaited<ReturnType<typeof openConverter>>;

/** `rows` are those of the shown publication: their currencies are offered. */
export async function openConverter(
  official: OfficialDeps,
  offered: OfferedTable,
  rows: readonly OfficialRow[],
  form: Query,
) {
  const { zone } = offered.table;
  const own = rows.find(({ base }) => base === "EUR" || base === "USD") ?? rows[0];
  const kinds = OFFICIAL_KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  const asked = {
    amount: form("amount") ?? "100",
    from: form("from") ?? own?.base ?? "",
    to: form("to") ?? own?.quote ?? "",
    on: form("on") ?? formatDay(dayInZone(zone, official.clock.now())),
    kind: OFFICIAL_KINDS.find((kind) => kind === form("kind")) ?? kinds[0] ?? "mid",
  };
  const codes = [...new Set(rows.flatMap(({ base, quote }) => [quote, base]))];
  const outcome = form("amount") === undefined ? null : await outcomeOf(official, offered, asked);
  return { ...asked, codes, kinds, outcome };
}

interface Asked extends Readonly<Record<"amount" | "from" | "to" | "on", string>> {
  readonly kind: OfficialKind;
}

async function outcomeOf(
  official: OfficialDeps,
  offered: OfferedTable,
  { amount, on, ...asked }: Asked,
): Promise<string | { readonly text: string; readonly citation: string }> {
  const typed = readAmount(amount);
  if ("fault" in typed) return asSentence(typed.fault);
  const digits = parseDecimal(typed.digits);
  const day = parseDay(on);
  if (digits === null || day === null) return `Write the day as ${formatDay(0)}.`;
  try {
    const { converted, rounded, citation } = await officialConvert(official, {
      ...{ ...asked, offered, type: offered.table.types[0] ?? "", amount: digits, on: day },
      ...{ rule: "in_force", asOf: null },
    });
    const text = `${groupedAmount(typed.digits)} ${asked.from} = ${groupedAmount(rounded ?? converted)} ${asked.to}`;
    return { text, citation };
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "service_unavailable") throw thrown;
    return asSentence(thrown.message);
  }
}

export function Converter(props: OfficialConverter & { readonly table: OfficialTable }) {
  const { table, amount, from, to, on, kind, codes, kinds, outcome } = props;
  const list = (name: string, label: string, chosen: string) => (
    <label>
      <span class="dim">{label}</span>
      <select name={name}>
        <Options values={[...(codes.includes(chosen) ? [] : [chosen]), ...codes]} chosen={chosen} />
      </select>
    </label>
  );
  return (
    <section aria-labelledby="convert">
      <h2 id="convert">Convert</h2>
      <form
        class="row official-converter"
        action={`${tablePath(table)}#convert`}
        method="get"
        autocomplete="off"
      >
        <label>
          <span class="dim">Amount</span>
          <input name="amount" inputMode="decimal" size={12} value={amount} />
        </label>
        {list("from", "From", from)}
        {list("to", "To", to)}
        <label>
          <span class="dim">Day</span>
          <input name="on" type="date" value={on} />
        </label>
        {kinds.length > 1 && (
          <label>
            <span class="dim">Rate</span>
            <select name="kind">
              <Options values={kinds} chosen={kind} textOf={(name) => KIND_WORDS[name as OfficialKind]} />
            </select>
          </label>
        )}
        <Submit kind="">Convert</Submit>
      </form>
      {typeof outcome === "string" && <p role="status">{outcome}</p>}
      {outcome !== null && typeof outcome === "object" && (
        <div role="status">
          <p class="big official-converted">{outcome.text}</p>
          <p class="small">
            <code class="breaks">{outcome.citation}</code>{" "}
            <CopyButton text={outcome.citation} class="button" />
          </p>
        </div>
      )}
    </section>
  );
}
