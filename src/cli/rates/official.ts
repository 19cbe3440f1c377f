/** `crossrate official`: the tables of authorities, their publications, and what has changed. */

import type { Read } from "#api/body.ts";
import type { OfficialChangesResponse } from "#api/official/changes.ts";
import type { OfficialPublicationResponse } from "#api/official/publication.ts";
import type { OfficialPublicationsResponse } from "#api/official/publications.ts";
import type { OfficialTablesResponse } from "#api/official/tables.ts";
import { clientOf, type Query } from "#cli/ask/client.ts";
import { type Command, EXIT, type Flag, type Terminal, UsageFault } from "#cli/command.ts";
import { coloured, printable, wrapped } from "#cli/show/style.ts";
import { tableLines } from "#cli/show/table.ts";
import { shownInstant } from "#cli/show/times.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { dayFlag, instantFlag, JSON_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";
import { noticeLines } from "./rate-table.ts";

const FLAGS = [
  dayFlag("--on", "of a table: the publication that is valid on that day (the newest)"),
  {
    name: "--version",
    shown: "N",
    allowed: "a whole number from 1",
    accepts: (text) => /^[1-9]\d{0,5}$/.test(text),
    meaning: "of a publication: an earlier version of it",
  } as const satisfies Flag,
  { name: "--list", meaning: "of a table: its newest publications, without rates" } as const,
  instantFlag("--since", "of changes: from the first one of then on"),
  {
    name: "--cursor",
    shown: "TEXT",
    allowed: "the resume_cursor of an answer",
    accepts: (text) => /^[\w-]+\.[\w-]+$/.test(text),
    meaning: "of changes: what came after that answer, with the same --since",
  } as const satisfies Flag,
  JSON_FLAG,
  URL_FLAG,
] as const;

export const officialCommand: Command = {
  name: "official",
  group: "Ask a server",
  summary: "rates that central banks and customs publish, in every version",
  usage: "[COUNTRY TYPE [PUBLICATION] | changes] [options]",
  help: `Without words it lists the tables. COUNTRY and TYPE name one, as mex fix; PUBLICATION is a name out of its list. A rate
is as many units of its quote currency as the table gives for so many units of its base.

crossrate admin official shows how a server of this machine collects them.

${helpOf(FLAGS)}

  crossrate official
  crossrate official mex fix
  crossrate official pol a --list
  crossrate official gbr monthly --on 2026-04-13
  crossrate official changes --since 2026-04-13T00:00:00Z`,
  words: { subcommands: { changes: "what was published and corrected" }, flags: FLAGS },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 3);
    const client = await clientOf(context, flag("--url"));
    const { terminal } = context;
    const [country, type, publication] = operands.flatMap((word, at) =>
      at === 0 ? word.split("/") : [word],
    );
    const [path, query, print]: View =
      country === undefined
        ? ["/v1/official", {}, printTables]
        : country === "changes"
          ? ["/v1/official/changes", { since: flag("--since"), cursor: flag("--cursor") }, printChanges]
          : viewOf(country, type, publication, {
              on: flag("--on"),
              version: flag("--version"),
              list: has("--list"),
            });
    const { text, content } = await client.ask(path, { query });
    if (has("--json")) await terminal.write(`${text}\n`);
    else print(terminal, content);
    return EXIT.done;
  },
};

type View = readonly [path: string, query: Query, print: (terminal: Terminal, content: unknown) => void];

interface Choice {
  readonly on: string | undefined;
  readonly version: string | undefined;
  readonly list: boolean;
}

function viewOf(
  country: string,
  type: string | undefined,
  publication: string | undefined,
  choice: Choice,
): View {
  if (type === undefined)
    throw new UsageFault("name the type, too, as in mex fix; crossrate official lists the tables");
  const table = `/v1/official/${encodeURIComponent(country)}/${encodeURIComponent(type)}/publications`;
  if (choice.list) return [table, {}, printPublications];
  if (publication === undefined || publication === "latest")
    return [`${table}/latest`, { valid_on: choice.on }, printPublication];
  return [`${table}/${encodeURIComponent(publication)}`, { version: choice.version }, printPublication];
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
    one.version.text,
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
    `${coloured(screen, "bold", name)}, version ${body.version.text} of ${body.versions.length}`,
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
    unit.text,
    base,
    rate.text,
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
    data.version.text,
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
