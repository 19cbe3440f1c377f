/** GET /search: the one search of the site; GET /site/search: its results as a fragment of HTML, for the dialog that any page opens. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { renderToString } from "preact-render-to-string";
import { type Operation, type ReferenceDeps, referenceOperations } from "#api/openapi/operations.ts";
import { formOf } from "#api/request/query.ts";
import { CURRENCIES, type CurrencyCode } from "#domain/currency/currency.ts";
import { countryName, type OfficialTable } from "#domain/official/publication.ts";
import { type Guides, openGuides } from "#guides/pages.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { tablePath } from "#web/official/words.tsx";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { Others } from "#web/shared/figure.tsx";
import { Submit } from "#web/shared/forms.tsx";
import { narrowPage } from "#web/shared/page.tsx";
import { namesOf } from "./names.ts";

interface SearchPageDeps extends PageParts, ReferenceDeps {
  /** Null where official tables are switched off. */
  readonly official: Pick<OfficialDeps, "tables"> | null;
}

export const searchPages = ({ frame, admit, official, ...deps }: SearchPageDeps) => {
  const tables = (official?.tables ?? []).map(({ table }) => table);
  const operations = () => referenceOperations(deps);
  const find = async (query: string) => await searchSite({ guides: openGuides(), tables, operations }, query);
  return new Elysia({ name: "search" })
    .get("/search", async ({ request }) => {
      const query = formOf(request)("q")?.trim() ?? "";
      if (query !== "") admit(request);
      const groups = await find(query);
      const site = await frame.site(request);
      const html = narrowPage({
        site,
        title: "Search",
        description: "Search pairs, official tables, guides and operations.",
        path: "/search",
        children: (
          <>
            <form action="/search" method="get" class="row">
              <label class="grows">
                <span class="visually-hidden">Search</span>
                <input type="search" name="q" value={query} placeholder={PLACEHOLDER} />
              </label>
              <Submit kind="">Search</Submit>
            </form>
            {query !== "" && <Results groups={groups} query={query} />}
          </>
        ),
      });
      return frame.page(request, html);
    })
    .get(
      "/site/search",
      async ({ request }) => {
        admit(request);
        const query = formOf(request)("q")?.trim() ?? "";
        const groups = await find(query);
        return frame.page(request, renderToString(<Results groups={groups} query={query} />));
      },
      OWN_PAGES,
    );
};

const PLACEHOLDER = "Currency, country, table or guide";

function Results({ groups, query }: { readonly groups: readonly HitGroup[]; readonly query: string }) {
  if (groups.length === 0)
    return (
      <p role="status">
        No results for “<Others>{query}</Others>”. Try a code such as EUR, a country, or fewer words.
      </p>
    );
  return (
    <>
      {groups.map(({ name, hits }) => (
        <section key={name} class="hits">
          <h2>{name}</h2>
          <ul class="plain-list">
            {hits.map(({ href, title, detail }) => (
              <li key={href}>
                <a href={href}>
                  <Others>{title}</Others>
                </a>{" "}
                <p class="hint">{detail}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

interface Hit {
  readonly href: string;
  readonly title: string;
  readonly detail: string;
}

interface HitGroup {
  readonly name: string;
  readonly hits: readonly Hit[];
}

type SearchableOperation = Pick<Operation, "id" | "method" | "path" | "summary">;

interface SearchDeps {
  readonly guides: Guides;
  readonly tables: readonly OfficialTable[];
  readonly operations: () => readonly SearchableOperation[];
}

const MOST_PAIRS = 8;
const MOST_HITS = 6;
const LONGEST_QUERY = 100;

export async function searchSite(deps: SearchDeps, query: string): Promise<readonly HitGroup[]> {
  const words = wordsOf(query.slice(0, LONGEST_QUERY));
  if (words.length === 0) return [];
  const guides = await deps.guides.search(query, MOST_HITS);
  const groups = [
    { name: "Pairs", hits: pairsOf(words) },
    { name: "Official tables", hits: tablesOf(deps.tables, words) },
    {
      name: "Guides",
      hits: guides.map(({ slug, anchor, heading, title, excerpt }) => ({
        href: `/docs/${slug}#${anchor}`,
        title: heading === title ? title : `${title}: ${heading}`,
        detail: excerpt,
      })),
    },
    { name: "Operations", hits: operationsOf(deps.operations(), words) },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}

/** Lower case, without accents. Signs of currencies count as letters. */
function wordsOf(text: string): readonly string[] {
  return plain(text).match(/[\p{L}\p{N}\p{Sc}]+/gu) ?? [];
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l").replaceAll("Ł", "l").toLowerCase();
}

const NAMED = CURRENCIES.map(({ code, name }) => ({
  code,
  name,
  names: [code, name, ...namesOf(code)].map(wordsOf),
}));

/** The currencies of each name in the text, in its order: "dollar to yen" gives the dollars, then JPY. */
function currenciesIn(words: readonly string[]): readonly (readonly CurrencyCode[])[] {
  const groups: (readonly CurrencyCode[])[] = [];
  const spread = words.flatMap((word) => {
    const halves = [word.slice(0, 3), word.slice(3)];
    const isPair = halves.every((half) => NAMED.some(({ code }) => code.toLowerCase() === half));
    return isPair ? halves : [word];
  });
  for (let at = 0; at < spread.length; ) {
    const [count, codes] = longestName(spread, at);
    if (codes.length > 0) groups.push(codes);
    at += Math.max(1, count);
  }
  return groups;
}

const MOST_NAME_WORDS = 3;
const LEAST_LETTERS = 3;

/** The currencies with the longest name that begins at `at`, and its number of words. The text's last word may be incomplete. */
function longestName(words: readonly string[], at: number): readonly [number, readonly CurrencyCode[]] {
  for (let count = Math.min(MOST_NAME_WORDS, words.length - at); count > 0; count--) {
    const asked = words.slice(at, at + count);
    const isLast = at + count === words.length;
    const exact = NAMED.filter(({ names }) => names.some((name) => isWithin(name, asked, false)));
    if (exact.length > 0) return [count, exact.map(({ code }) => code)];
    const mayBegin = isLast && (asked.at(-1)?.length ?? 0) >= LEAST_LETTERS;
    const begun = mayBegin
      ? NAMED.filter(({ names }) => names.some((name) => isWithin(name, asked, true)))
      : [];
    if (begun.length > 0) return [count, begun.map(({ code }) => code)];
  }
  return [1, []];
}

/** Whether a name has these words side by side: "dollar" in "us dollar". */
function isWithin(name: readonly string[], asked: readonly string[], mayBegin: boolean): boolean {
  return name.some((_, start) =>
    asked.every((word, index) => {
      const own = name[start + index];
      return own === word || (mayBegin && index === asked.length - 1 && own?.startsWith(word) === true);
    }),
  );
}

function pairsOf(words: readonly string[]): readonly Hit[] {
  const [first = [], second] = currenciesIn(words);
  const against = (code: CurrencyCode): readonly CurrencyCode[] =>
    first.length === 1 ? ["USD", "EUR", "GBP", "JPY"] : code === "USD" ? ["EUR"] : ["USD"];
  return first
    .flatMap((from) => (second ?? against(from)).filter((to) => to !== from).map((to) => pairHit(from, to)))
    .slice(0, MOST_PAIRS);
}

function pairHit(from: CurrencyCode, to: CurrencyCode): Hit {
  const nameOf = (code: CurrencyCode) => NAMED.find((one) => one.code === code)?.name;
  return {
    href: `/${from}-${to}`.toLowerCase(),
    title: `${from}/${to}`,
    detail: `${nameOf(from)} to ${nameOf(to)}`,
  };
}

/** Words of people for any official table: "DOF rate". */
const WHAT_THEY_ARE = "official exchange rates table";

function tablesOf(tables: readonly OfficialTable[], words: readonly string[]): readonly Hit[] {
  const matches = tables.filter(({ country, authority, title, types, cadence, currency }) =>
    hasAll(
      [countryName(country), country, authority, title, cadence, currency, ...types, WHAT_THEY_ARE].join(" "),
      words,
    ),
  );
  return matches.slice(0, MOST_HITS).map((table) => ({
    href: tablePath(table),
    title: table.title,
    detail: `${countryName(table.country)}, ${table.authority}`,
  }));
}

function operationsOf(operations: readonly SearchableOperation[], words: readonly string[]): readonly Hit[] {
  const matches = operations.filter(({ id, method, path, summary }) =>
    hasAll([method, path, summary, id.replace(/[A-Z]/g, " $&")].join(" "), words),
  );
  return matches.slice(0, MOST_HITS).map(({ id, method, path, summary }) => ({
    href: `/docs/reference#${id}`,
    title: `${method.toUpperCase()} ${path}`,
    detail: summary,
  }));
}

/** Whether each word begins a word of the text. */
function hasAll(text: string, words: readonly string[]): boolean {
  const own = wordsOf(text);
  return words.every((word) => own.some((one) => one.startsWith(word)));
}
