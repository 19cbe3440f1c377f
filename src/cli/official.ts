/** `crossrate official`: the tables of authorities, their publications, and their changes. */

import type { Read } from "#api/body.ts";
import type { OfficialChangesResponse } from "#api/official/changes.ts";
import type {
  OfficialPublicationResponse,
  OfficialPublicationsResponse,
  OfficialTablesResponse,
} from "#api/official/publications.ts";
import { clientOf, type Query } from "./client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "./command.ts";
import { noticeLines } from "./rates.ts";
import { coloured, printable, shownInstant, wrapped } from "./show.ts";
import { tableLines } from "./table.ts";

interface Options {
  readonly on?: string;
  readonly version?: string;
  readonly list?: true;
  readonly since?: string;
  readonly cursor?: string;
  readonly json?: true;
  readonly url?: string;
}

export async function official(context: CommandContext, options: Options, words: readonly string[]) {
  const client = await clientOf(context, options.url);
  const { terminal } = context;
  const [path, query, print] = viewOf(options, words);
  const { text, content } = await client.ask(path, { query });
  if (options.json) await terminal.write(`${text}\n`);
  else print(terminal, content);
  return EXIT.done;
}

type View = readonly [path: string, query: Query, print: (terminal: Terminal, content: unknown) => void];

/** Reads `mex fix`, or `mex/fix` in one word. */
function viewOf(
  { on, version, list, since, cursor }: Options,
  [first = "", ...rest]: readonly string[],
): View {
  if (first === "") return ["/v1/official", {}, printTables];
  if (first === "changes") return ["/v1/official/changes", { since, cursor }, printChanges];
  const [country = "", type, publication] = [...first.split("/"), ...rest];
  if (type === undefined)
    throw new UsageFault("name the type, too, as in mex fix; crossrate official lists the tables");
  const table = `/v1/official/${encodeURIComponent(country)}/${encodeURIComponent(type)}/publications`;
  if (list) return [table, {}, printPublications];
  if (publication === undefined || publication === "latest")
    return [`${table}/latest`, { valid_on: on }, printPublication];
  return [`${table}/${encodeURIComponent(publication)}`, { version }, printPublication];
}

function printTables(terminal: Terminal, content: unknown): void {
  const { tables, notice } = content as Read<typeof OfficialTablesResponse>;
  const { screen } = terminal;
  const columns = [
    { head: "country" },
    { head: "type" },
    { head: "newest" },
    { head: "valid from" },
    { head: "every", optional: true },
    { head: "authority", optional: true },
    { head: "title", optional: true },
  ] as const;
  const rows = tables.map(({ country, types, collected, newest, cadence, authority, title }) => [
    { text: country.toLowerCase(), colour: "bold" } as const,
    { text: types[0] ?? "", colour: "bold" } as const,
    newest?.publication ?? (collected ? "nothing yet" : "not collected"),
    newest?.valid_from ?? "",
    cadence,
    authority,
    title,
  ]);
  for (const line of tableLines(screen, columns, rows)) terminal.print(line);
  for (const line of ["", ...noticeLines(screen, notice)]) terminal.print(line);
}

function printPublications(terminal: Terminal, content: unknown): void {
  const { publications, notice, has_more } = content as Read<typeof OfficialPublicationsResponse>;
  const heads = ["publication", "version", "valid from", "valid to", "retrieved (UTC)"];
  const rows = publications.map((one) => [
    one.publication,
    one.version.rawJSON,
    one.valid_from,
    one.valid_to ?? "the next one",
    shownInstant(one.retrieved_at),
  ]);
  for (const line of tableLines(
    terminal.screen,
    heads.map((head) => ({ head })),
    rows,
  ))
    terminal.print(line);
  if (has_more) terminal.print("… older ones: name one, or --on a day");
  for (const line of ["", ...noticeLines(terminal.screen, notice)]) terminal.print(line);
}

function printPublication(terminal: Terminal, content: unknown): void {
  const body = content as Read<typeof OfficialPublicationResponse>;
  const { screen } = terminal;
  const name = `${body.country.toLowerCase()} ${body.type} ${body.publication}`;
  const until = body.valid_to === null ? "until the next publication" : `to ${body.valid_to}`;
  terminal.print(
    `${coloured(screen, "bold", name)}, version ${body.version.rawJSON} of ${body.versions.length}`,
  );
  terminal.print(`${printable(body.authority)}, valid from ${body.valid_from} ${until}`);
  terminal.print(`retrieved ${shownInstant(body.retrieved_at)} UTC from ${printable(body.source_url)}\n`);
  const columns = [
    { head: "units", align: "right" },
    { head: "of" },
    { head: "are", align: "point" },
    { head: "" },
    { head: "kind" },
  ] as const;
  const rows = body.rows.map(({ unit, base, rate, quote, kind }) => [
    unit.rawJSON,
    base,
    rate.rawJSON,
    quote,
    kind,
  ]);
  for (const line of tableLines(screen, columns, rows)) terminal.print(line);
  terminal.print("");
  for (const line of wrapped(printable(body.terms), Math.min(screen.columns, 110)))
    terminal.print(coloured(screen, "dim", line));
  for (const line of noticeLines(screen, body.notice)) terminal.print(line);
}

function printChanges(terminal: Terminal, content: unknown): void {
  const { changes, has_more, resume_cursor } = content as Read<typeof OfficialChangesResponse>;
  const heads = ["created (UTC)", "what", "table", "publication", "version", "valid from"];
  const rows = changes.map(({ created_at, type, data }) => [
    shownInstant(created_at),
    type.replace("official.", ""),
    `${data.country.toLowerCase()} ${data.types[0] ?? ""}`,
    data.publication,
    data.version.rawJSON,
    data.valid_from,
  ]);
  for (const line of tableLines(
    terminal.screen,
    heads.map((head) => ({ head })),
    rows,
  ))
    terminal.print(line);
  if (changes.length === 0) terminal.print("nothing has changed");
  if (has_more) terminal.print(`… more: the same with --cursor ${resume_cursor}`);
}
