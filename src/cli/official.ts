/** `crossrate official`: the tables of authorities, their publications, and their changes. */

import type { Read } from "#api/forms.ts";
import type { OfficialChangesResponse } from "#api/official/changes.ts";
import type { OfficialConvertResponse } from "#api/official/convert.ts";
import type {
  OfficialPublicationResponse,
  OfficialPublicationsResponse,
  OfficialTablesResponse,
} from "#api/official/publications.ts";
import { countryName } from "#domain/official/publication.ts";
import { type Answer, type Client, clientOf, type Print, printBody, type Query } from "./client.ts";
import { type CommandContext, type Terminal, UsageFault } from "./command.ts";
import { coloured, noticeLines, printNotice, printTable, shownInstant, wrapped } from "./show.ts";
import { type Outputs, parametersOf } from "./words.ts";

interface Options extends Outputs {
  readonly on?: string;
  readonly version?: string;
  readonly list?: true;
  readonly since?: string;
  readonly cursor?: string;
}

/** Reads `mex fix` or `mex/fix`, and otherwise looks for the table by the names of its country and authority. */
export async function official(context: CommandContext, options: Options, words: readonly string[]) {
  const client = await clientOf(context, options.url);
  const show = async <Body>(print: Print<Body>, path: string, query: Query = {}) =>
    await printBody(context, options, await client.ask<Body>(path, { query }), print);
  const { on, version, list, since, cursor } = options;
  let [country = "", type, publication] = words.flatMap((word, at) => (at === 0 ? word.split("/") : [word]));
  if (country === "") return await show(printTables, LIST);
  if (country === "changes") {
    if (since !== undefined || cursor !== undefined)
      return await show(printChanges, CHANGES, { since, cursor });
    return await printBody(context, options, await newestChanges(client), printChanges);
  }
  if (countryName(country.toUpperCase()) === country.toUpperCase() || type === undefined) {
    const answer = await client.ask<Tables>(LIST);
    const { matches, left } = search(answer.content.tables, words);
    const [table] = matches;
    const asked = words.join(" ");
    if (table === undefined) throw unknownTable(asked);
    if (matches.length > 1) {
      if (left.length > 0 || list || on !== undefined) throw severalTables(asked, matches);
      return await printBody(context, options, answer, (terminal, { notice }) =>
        printTables(terminal, { tables: matches, notice }),
      );
    }
    [country, type, publication] = [table.country, table.types[0] ?? "", left[0]];
  }
  const path = `${LIST}/${encodeURIComponent(country)}/${encodeURIComponent(type)}/publications`;
  if (list) return await show(printPublications, path);
  if (publication === undefined || publication === "latest")
    return await show(printPublication, `${path}/latest`, { valid_on: on });
  return await show(printPublication, `${path}/${encodeURIComponent(publication)}`, { version });
}

type ConvertOptions = Outputs & Readonly<Partial<Record<"country" | "authority" | "type", string>>>;

export async function officialConvert(
  context: CommandContext,
  { country, authority, type, ...options }: ConvertOptions,
  words: readonly string[],
) {
  const { amount, from, to } = amountIn(words);
  const names = [country, authority, type].flatMap((name) => name?.trim().split(/\s+/) ?? []);
  if (names.length === 0)
    throw new UsageFault("name the table by --country or --authority; crossrate official lists the tables");
  const client = await clientOf(context, options.url);
  const { matches, left } = search((await client.ask<Tables>(LIST)).content.tables, names);
  const [table] = matches;
  const asked = names.join(" ");
  if (table === undefined || left.length > 0) throw unknownTable(asked);
  if (matches.length > 1) throw severalTables(`${asked}: add --type`, matches);
  const answer = await client.ask<Read<typeof OfficialConvertResponse>>(
    `${LIST}/${table.country}/${table.types[0]}/convert/${from}/${to}`,
    { query: { amount, ...parametersOf(options) } },
  );
  await printBody(context, options, answer, (terminal, content) => {
    const rounded = (content.rounded ?? content.converted).rawJSON;
    const sum = `${content.amount.rawJSON} ${content.from} = ${rounded} ${content.to}`;
    const exact = content.converted.rawJSON;
    terminal.print(`${coloured(terminal.screen, "bold", sum)}, to 15 digits ${exact}, for ${content.on}`);
    terminal.print(content.citation);
    printTerms(terminal, content);
  });
}

/** Reads `250 USD MXN`, `250 usd/mxn` or `USDMXN`; currencies of a table may be outside the catalog. The amount is 1 without one. */
function amountIn(words: readonly string[]) {
  const isAmount = (word: string) => /^[-+]?[\d.]/.test(word);
  const [amount = "1", ...more] = words.filter(isAmount);
  const codes = words
    .filter((word) => !isAmount(word) && !["to", "in"].includes(word.toLowerCase()))
    .flatMap((word) => (/^[a-z]{6}$/i.test(word) ? [word.slice(0, 3), word.slice(3)] : word.split(/[/-]/)))
    .map((code) => code.toUpperCase());
  const [from = "", to = "", ...others] = codes;
  if (more.length + others.length > 0 || ![from, to].every((code) => /^[A-Z]{3}$/.test(code)))
    throw new UsageFault("name an amount, the currency it is in, and what to convert it to: 250 USD MXN");
  return { amount, from, to };
}

type Tables = Read<typeof OfficialTablesResponse>;
type Table = Tables["tables"][number];

function unknownTable(asked: string): UsageFault {
  return new UsageFault(`Unknown official table ${asked}; crossrate official lists the tables`);
}

function severalTables(asked: string, tables: readonly Table[]): UsageFault {
  const names = tables.map(({ country, types }) => `${country.toLowerCase()} ${types[0]}`);
  return new UsageFault(`${asked}: name one of ${names.join(", ")}`);
}

const LIST = "/v1/official";
const CHANGES = "/v1/official/changes";

const OTHER_NAMES: Readonly<Record<string, string>> = {
  uk: "gbr",
  us: "usa",
  eu: "eue",
  turkey: "tur",
};

/** Finds tables by country, authority, type or title. `left` has the words from the first that finds nothing more: a publication. */
function search(tables: readonly Table[], words: readonly string[]) {
  let matches = tables;
  const left = words.flatMap((word, at) => (at === 0 ? word.split(/[\s/]+/) : [word]));
  while (left.length > 0) {
    const written = folded(left[0] ?? "");
    const word = OTHER_NAMES[written] ?? written;
    const exact = matches.filter(({ types, country }) => [...types, folded(country)].includes(word));
    const named = matches.filter((table) => namesOf(table).some((name) => name.startsWith(word)));
    const next = exact.length > 0 ? exact : named;
    if (next.length === 0 && matches !== tables) break;
    matches = next;
    left.shift();
  }
  return { matches, left };
}

/** The words of a table's names, and the initials of its authority: Narodowy Bank Polski is nbp. */
function namesOf({ id, country, authority, title, homepage }: Table): readonly string[] {
  const texts = [id, country, countryName(country), authority, title, new URL(homepage).host];
  const initials = folded(
    authority
      .split(" ")
      .map(([first = ""]) => first)
      .join(""),
  );
  return [...texts.flatMap((text) => folded(text).split(/[^a-z0-9]+/)), initials];
}

function folded(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l");
}

type Changes = Read<typeof OfficialChangesResponse>;
const SHOWN_CHANGES = 50;

async function newestChanges(client: Client): Promise<Answer<Changes>> {
  let cursor: string | undefined;
  let changes: Changes["changes"] = [];
  for (;;) {
    const page = await client.ask<Changes>(CHANGES, { query: { limit: "500", cursor } });
    changes = [...changes, ...page.content.changes].slice(-SHOWN_CHANGES);
    cursor = page.content.next_cursor ?? undefined;
    if (cursor === undefined) return { ...page, content: { ...page.content, changes } };
  }
}

function printTables(terminal: Terminal, { tables, notice }: Pick<Tables, "tables" | "notice">): void {
  const begin = ({ newest }: Table) => newest?.valid_from ?? "";
  const sorted = tables.toSorted((a, b) => begin(b).localeCompare(begin(a)));
  const columns = [
    ...["country", "type", "newest", "valid from"],
    { head: "every", optional: true },
    { head: "authority", optional: true },
    { head: "title", optional: true },
  ] as const;
  const rows = sorted.map(({ country, types, collected, newest, cadence, authority, title }) => [
    { text: country.toLowerCase(), colour: "bold" } as const,
    { text: types[0] ?? "", colour: "bold" } as const,
    newest?.publication ?? (collected ? "nothing yet" : "not collected"),
    newest?.valid_from ?? "",
    cadence,
    authority,
    title,
  ]);
  printTable(terminal, columns, rows);
  printNotice(terminal, notice);
}

function printPublications(terminal: Terminal, content: Read<typeof OfficialPublicationsResponse>): void {
  const { publications, notice, has_more } = content;
  const heads = ["publication", "version", "valid from", "valid to", "retrieved (UTC)"];
  const rows = publications.map((one) => [
    one.publication,
    one.version.rawJSON,
    one.valid_from,
    one.valid_to ?? "the next one",
    shownInstant(one.retrieved_at),
  ]);
  printTable(terminal, heads, rows);
  if (has_more) terminal.print("… older ones: name one, or --on a day");
  printNotice(terminal, notice);
}

function printPublication(terminal: Terminal, body: Read<typeof OfficialPublicationResponse>): void {
  const { screen } = terminal;
  const name = `${body.country.toLowerCase()} ${body.type} ${body.publication}`;
  const until = body.valid_to === null ? "until the next publication" : `to ${body.valid_to}`;
  terminal.print(
    `${coloured(screen, "bold", name)}, version ${body.version.rawJSON} of ${body.versions.length}`,
  );
  terminal.print(`${body.authority}, valid from ${body.valid_from} ${until}`);
  terminal.print(`retrieved ${shownInstant(body.retrieved_at)} UTC from ${body.source_url}\n`);
  const columns = [
    { head: "units", align: "right" },
    "of",
    { head: "are", align: "point" },
    "",
    "kind",
  ] as const;
  const rows = body.rows.map(({ unit, base, rate, quote, kind }) => [
    unit.rawJSON,
    base,
    rate.rawJSON,
    quote,
    kind,
  ]);
  printTable(terminal, columns, rows);
  printTerms(terminal, body);
}

function printTerms(
  { screen, print }: Terminal,
  { terms, notice }: { readonly terms: string; readonly notice: string },
): void {
  print("");
  for (const line of wrapped(terms, Math.min(screen.columns, 110))) print(coloured(screen, "dim", line));
  for (const line of noticeLines(screen, notice)) print(line);
}

/** The newest first; the cursor leads to later ones. */
function printChanges(terminal: Terminal, { changes, has_more, resume_cursor }: Changes): void {
  const heads = ["created (UTC)", "what", "table", "publication", "version", "valid from"];
  const rows = changes
    .toReversed()
    .map(({ created_at, type, data }) => [
      shownInstant(created_at),
      type.replace("official.", ""),
      `${data.country.toLowerCase()} ${data.types[0] ?? ""}`,
      data.publication,
      data.version.rawJSON,
      data.valid_from,
    ]);
  printTable(terminal, heads, rows);
  if (changes.length === 0) terminal.print("nothing has changed");
  if (has_more) terminal.print(`… later ones: the same with --cursor ${resume_cursor}`);
}
