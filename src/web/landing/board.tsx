/** The table of all currencies with its controls, and the calls that return it. The server renders it, and its script updates it. */
/* @jsxImportSource preact */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { namesOf } from "#web/search/names.ts";
import { Away, type AwayProps } from "#web/shared/away.tsx";
import { converted, groupedAmount, readAmount } from "#web/shared/convert.ts";
import {
  dayOf,
  Figure,
  fractionDigits,
  type Origin,
  Others,
  percentText,
  rounded,
  SourceMark,
  timeOf,
} from "#web/shared/figure.tsx";
import { Options, Submit } from "#web/shared/forms.tsx";
import { type Snippet, snippetsOf } from "#web/shared/snippets.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { SESSION_WORDS } from "#web/shared/words.ts";

export interface BoardData {
  readonly base: string;
  readonly session: string;
  /** When the market's state changes next, and to what. */
  readonly nextTurn: { readonly at: string; readonly session: string };
  /** The most traded currencies first; the base is not among them. */
  readonly rows: readonly BoardRow[];
}

interface BoardRow extends Origin {
  readonly code: string;
  readonly name: string;
  /** Digits as the API prints them. */
  readonly rate: string;
  /** Daily reference rates of the last 30 days, oldest first; may be empty. */
  readonly month: readonly number[];
  /** Days of the first and the last rate of `month`, which may end before today. Empty without rates. */
  readonly monthEnds: readonly string[];
  /** The newest daily reference rate from before the day of `rate`: the change is measured against it. */
  readonly before: { readonly date: string; readonly rate: number } | null;
}

/** What the server renders the table from, sent with the page. */
export interface BoardStart {
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  /** Code of the row with the open provenance. */
  readonly selected: string | null;
}

interface BoardProps extends BoardStart {
  /** Codes of the rows with a new rate. Set only in the browser, like `away` and `on`. */
  readonly moved?: ReadonlySet<string>;
  readonly away?: AwayProps;
  readonly on?: BoardActions;
}

interface BoardActions {
  setBase(code: string): void;
  setAmount(text: string): void;
  setSearch(text: string): void;
  select(code: string): void;
}

export function Board({ data, amount, search, selected, moved, away, on }: BoardProps) {
  const { reason, age } = away ?? { reason: null, age: null };
  const { base, rows } = data;
  const read = readAmount(amount);
  const fault = "fault" in read ? read.fault : null;
  const typed = "fault" in read ? "–" : groupedAmount(read.digits);
  const shown = rows.filter((row) => matches(row, search));
  const figureOf = (rate: string) => (amount === "1" ? rounded(rate) : (converted(rate, amount) ?? "–"));
  const figures = new Map(shown.map(({ code, rate }) => [code, figureOf(rate)]));
  const fraction = Math.max(0, ...[...figures.values()].map(fractionDigits));
  return (
    <section class={age === null ? "board" : "board is-old"} aria-label="Rates of all currencies">
      <Away reason={reason} age={age} />
      <form class="row board-controls small" action="/" method="get">
        <Session data={data} />
        <label class="field">
          <span class="visually-hidden">Amount</span>
          <input
            name="amount"
            inputMode="decimal"
            autocomplete="off"
            value={amount}
            size={8}
            aria-invalid={fault === null ? undefined : "true"}
            onInput={(event) => on?.setAmount(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="visually-hidden">Base currency</span>
          <select name="base" value={base} onChange={(event) => on?.setBase(event.currentTarget.value)}>
            <Options values={[base, ...rows.map(({ code }) => code)].sort()} chosen={base} />
          </select>
        </label>
        <label class="field grows">
          <span class="visually-hidden">Search a currency</span>
          <input
            name="search"
            type="search"
            placeholder="Search currency"
            autocomplete="off"
            value={search}
            onInput={(event) => on?.setSearch(event.currentTarget.value)}
          />
        </label>
        <noscript>
          <Submit kind="">Show</Submit>
        </noscript>
      </form>
      {fault !== null && amount !== "" && <p class="board-fault small">{fault}.</p>}
      <Table
        class="board-table"
        caption={
          <span class="visually-hidden">
            {typed} {base} in every other currency
          </span>
        }
        columns={[
          "Currency",
          { head: `${typed} ${base} buys`, class: "number rate" },
          { head: "Change since", class: "number wide dim small change" },
          { head: "30 days", class: "spark wide" },
          numbers("Source, UTC"),
        ]}
        keys={shown.map(({ code }) => code)}
        selected={shown.findIndex(({ code }) => code === selected)}
        rows={shown.map((row) => [
          <a href={`/${base}-${row.code}`.toLowerCase()}>
            <b>{row.code}</b> <span class="dim">{row.name}</span>
          </a>,
          <a
            href={`/?base=${base}&to=${row.code}#provenance`}
            class={moved?.has(row.code) === true ? "explained moved" : "explained"}
            title="Where this number comes from"
            aria-current={row.code === selected ? "true" : undefined}
            onClick={(event) => {
              if (on === undefined) return;
              event.preventDefault();
              on.select(row.code);
            }}
          >
            <Figure text={figures.get(row.code) ?? "–"} fraction={fraction} />
          </a>,
          <Change {...row} />,
          <Sparkline values={row.month} label={sparkText(row)} />,
          <SourceMark {...row} />,
        ])}
      />
      {shown.length === 0 && (
        <p class="board-empty dim">
          No currency matches “<Others>{search}</Others>”. Try a code such as EUR, a name such as peso, or a
          country.
        </p>
      )}
    </section>
  );
}

/** The change since the previous daily reference rate, and its day. */
function Change({ rate, before }: BoardRow) {
  if (before === null) return <>–</>;
  const text = percentText((Number(rate) / before.rate - 1) * 100);
  return (
    <>
      <span class={text.startsWith("−") ? "down" : undefined}>{text}</span>{" "}
      <time dateTime={before.date}>{dayOf(before.date)}</time>
    </>
  );
}

function Session({ data: { session, nextTurn } }: { readonly data: BoardData }) {
  const verb = nextTurn.session === "open" ? "opens" : session === "open" ? "closes" : "changes";
  return (
    <p class="row session">
      <span class={session === "open" ? "source live" : "source"}>{SESSION_WORDS[session] ?? session}</span>{" "}
      <span class="dim">
        {verb} {dayOf(nextTurn.at)}, {timeOf(nextTurn.at).slice(0, 5)} UTC
      </span>
    </p>
  );
}

/** Matches a code or name, and also countries, symbols and old names. */
function matches({ code, name }: BoardRow, search: string): boolean {
  const text = search.trim().toLowerCase();
  if (code.toLowerCase().includes(text) || name.toLowerCase().includes(text)) return true;
  return namesOf(code as CurrencyCode).some((other) => other.startsWith(text));
}

function sparkText({ month, monthEnds, code }: BoardRow): string {
  const [first, last] = [month[0], month.at(-1)];
  if (first === undefined || last === undefined) return "";
  return `${code}, ${monthEnds.map(dayOf).join(" to ")}: ${percentText((last / first - 1) * 100)}`;
}

export function latestSnippets(origin: string, base: string): readonly Snippet[] {
  const ts = `const { rates } = await crossrate.latest({ base: "${base}" });`;
  const python = `rates = crossrate.latest(base="${base}").rates`;
  return snippetsOf({ origin }, `/v1/latest?base=${base}`, ts, python);
}

const MARGIN = 2;
const WIDTH = 112;
const HEIGHT = 26;

/** A line of values without axes, oldest first, small enough for a cell. It has a text for readers who do not see it. */
function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low;
  const points = values.map((value, index) => {
    const x = MARGIN + (index / (values.length - 1)) * (WIDTH - 2 * MARGIN);
    const share = span === 0 ? 0.5 : (value - low) / span;
    return `${x.toFixed(1)},${(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)).toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline dim"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        stroke-width="1.25"
        stroke-linejoin="round"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
