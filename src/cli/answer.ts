/** Prints the answer of one call: the server's JSON or CSV as it came, or what a command makes of it. */

import { clientOf, type Query, type Question } from "./client.ts";
import type { CommandContext, Terminal } from "./command.ts";
import type { Outputs } from "./words.ts";

interface Call extends Pick<Question, "method" | "as"> {
  readonly path: string;
  readonly query?: Query;
}

/** Throws Refusal or Unreachable. Lines of CSV end as lines of a terminal do. */
export async function printAnswer<Body>(
  context: CommandContext,
  { json, csv, url }: Outputs,
  { path, ...question }: Call,
  print: (terminal: Terminal, body: Body) => void,
): Promise<void> {
  const { terminal } = context;
  const client = await clientOf(context, url);
  if (csv) {
    const query = { ...question.query, format: "csv" };
    const { text } = await client.read(path, { ...question, query, headers: { accept: "text/csv" } });
    await terminal.write(text.replaceAll("\r\n", "\n"));
    return;
  }
  const { text, content } = await client.ask<Body>(path, question);
  if (json) await terminal.write(`${text}\n`);
  else print(terminal, content);
}
