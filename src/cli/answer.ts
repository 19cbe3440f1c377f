/** Prints the answer of one call: the server's JSON or CSV as it came, or what a command makes of it. */

import { type Answer, clientOf, type Query, type Question } from "./client.ts";
import type { CommandContext, Terminal } from "./command.ts";
import type { Outputs } from "./words.ts";

interface Call extends Pick<Question, "method" | "as"> {
  readonly path: string;
  readonly query?: Query;
}

/** Throws Refusal or Unreachable. Lines of CSV end as lines of a terminal do. */
export async function printAnswer<Body>(
  context: CommandContext,
  { csv, url, ...outputs }: Outputs,
  { path, ...question }: Call,
  print: Print<Body>,
): Promise<void> {
  const { terminal } = context;
  const client = await clientOf(context, url);
  if (csv) {
    const query = { ...question.query, format: "csv" };
    const { text } = await client.read(path, { ...question, query, headers: { accept: "text/csv" } });
    await terminal.write(text.replaceAll("\r\n", "\n"));
    return;
  }
  await printBody(context, outputs, await client.ask<Body>(path, question), print);
}

export type Print<Body> = (terminal: Terminal, body: Body) => void;

export async function printBody<Body>(
  { terminal }: CommandContext,
  { json }: Outputs,
  { text, content }: Answer<Body>,
  print: Print<Body>,
): Promise<void> {
  if (json) await terminal.write(`${text}\n`);
  else print(terminal, content);
}
