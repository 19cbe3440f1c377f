/** `crossrate doctor`: finds faults of a server from outside, or of the installation on this machine. */

import { existsSync } from "node:fs";
import { clientOf } from "#cli/client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "#cli/command.ts";
import { coloured, printable } from "#cli/show.ts";
import type { Finding } from "./finding.ts";
import { serverFindings } from "./server-checks.ts";

interface Options {
  readonly server?: true;
  readonly local?: true;
  readonly json?: true;
  readonly url?: string;
}

export async function doctor(context: CommandContext, options: Options): Promise<number> {
  const { server, local, json } = options;
  const { print, screen } = context.terminal;
  if (server && local) throw new UsageFault("--server and --local: leave both out for both");
  const findings: Finding[] = [];
  for await (const finding of allFindings(context, options)) {
    findings.push(finding);
    if (!json) printFinding(context.terminal, finding);
  }
  const broken = findings.filter(({ state }) => state === "broken").length;
  const verdict = broken === 0 ? "nothing is broken" : `${broken} of ${findings.length} checks found a fault`;
  if (json) print(JSON.stringify(findings, null, 2));
  else print(`\n${coloured(screen, broken === 0 ? "green" : "red", verdict)}`);
  return broken === 0 ? EXIT.done : EXIT.failed;
}

async function* allFindings(
  context: CommandContext,
  { server, local, url }: Options,
): AsyncGenerator<Finding> {
  const client = await clientOf(context, url);
  if (!local) yield* serverFindings(context, client);
  if (server) return;
  const isElsewhere = client.server.chosenBy !== "default";
  const hasData = existsSync(context.environment["DATA_DIR"] || "data/live");
  if (!local && isElsewhere && !hasData) return;
  // Loaded late: it is the whole product.
  const { localFindings } = await import("./local-checks.ts");
  yield* localFindings(context);
}

const MARKS = {
  ok: { mark: "ok", colour: "green" },
  note: { mark: "note", colour: "yellow" },
  broken: { mark: "broken", colour: "red" },
} as const;

const WIDTH = 16;

function printFinding({ print, screen }: Terminal, { what, state, found, advice }: Finding): void {
  const { mark, colour } = MARKS[state];
  print(`${coloured(screen, colour, mark.padEnd(6))}  ${what.padEnd(WIDTH)}  ${printable(found)}`);
  if (advice !== undefined) print(`${" ".repeat(8)}${" ".repeat(WIDTH)}  → ${printable(advice)}`);
}
