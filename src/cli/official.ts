/** `crossrate official`: the tables of authorities, their publications, and their changes. */

import type { Read } from "#api/forms.ts";
import type { OfficialChangesResponse } from "#api/official/changes.ts";
import type { OfficialConvertResponse } from "#api/official/convert.ts";
import type {
  OfficialPublicationResponse,
  OfficialPublicationsResponse,
  OfficialTablesResponse,
} from "#api/official/publications.ts";
import { type Print, printBody } from "./answer.ts";
import { type Answer, type Client, clientOf, type Query } from "./client.ts";
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

/** `official mex fix` and `official mex/fix` name one table; a country alone lists its tables. */
export async function official(context: CommandContext, options: Options, words: readonly string[]) {
  const client = await clientOf(context, options.url);
  const show = async <Body>(print: Print<Body>, path: string, query: Query = {}) =>
    await printBody(context, options, await client.ask<Body>(path, { query }), print);
  const { on, version, list, since, cursor } = options;
  const [country, type, publication] = words.flatMap((word, at) => (at === 0 ? word.split("/") : [word]));
  if (country === undefined) return await show(printTables, LIST);
  if (country === "changes") {
    if (since !== undefined || cursor !== undefined)
      return await show(printChanges, CHANGES, { since, cursor });
    return await printBody(context, options, await newestChanges(client), printChanges);
  }
  if (type === undefined) {
    const print = (terminal: Terminal, { tables, notice }: Tables) =>
      printTables(terminal, {
        tables: tables.filter((table) => table.country === country.toUpperCase()),
        notice,
      });
    return await show(print, LIST);
  }
  const path = `${pathOf(country, type)}/publications`;
  if (list) return await show(printPublications, path);
  if (publication === undefined || publication === "latest")
    return await show(printPublication, `${path}/latest`, { valid_on: on });
  return await show(printPublication, `${path}/${encodeURIComponent(publication)}`, { version });
}

function pathOf(country: string, type: string): string {
  return `${LIST}/${encodeURIComponent(country)}/${encodeURIComponent(type)}`;
}

interface ConvertOptions extends Outputs {
  readonly country: string;
  readonly type: string;
}

export async function officialConvert(
  context: CommandContext,
  { country, type, ...options }: ConvertOptions,
  words: readonly string[],
) {
  const { amount, from, to } = amountIn(words);
  const client = await clientOf(context, options.url);
  const answer = await client.ask<Read<typeof OfficialConvertResponse>>(
    `${pathOf(country, type)}/convert/${from}/${to}`,
    { query: { amount, ...parametersOf(options) } },
  );
  await printBody(context, options, answer, (terminal, content) => {
    const rounded = (content.rounded ?? content.converted).rawJSON;
    const sum = `${content.amount.rawJSON} ${content.from} = ${rounded} ${content.to}`;
    const exact = content.converted.rawJSON;
    terminal.print(`${coloured(terminal.screen, "bold", sum)}, unrounded ${exact}, for ${content.on}`);
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

const LIST = "/v1/official";
const CHANGES = "/v1/official/changes";

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
