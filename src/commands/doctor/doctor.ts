/** `crossrate doctor`: finds what does not work, on a server from outside or in the installation on this machine. */

import { existsSync } from "node:fs";
import { clientOf } from "#cli/ask/client.ts";
import { EXIT, UsageFault } from "#cli/command.ts";
import { type Finding, printFinding } from "#cli/doctor/finding.ts";
import { serverFindings } from "#cli/doctor/server-checks.ts";
import { coloured } from "#cli/show/style.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";
import type { Command, CommandContext } from "#commands/command.ts";

const FLAGS = [
  { name: "--server", meaning: "only the server, as a user meets it" },
  { name: "--local", meaning: "only the installation on this machine" },
  { name: "--json", meaning: "print the findings as JSON" },
  URL_FLAG,
] as const;

export const doctorCommand: Command = {
  name: "doctor",
  group: "Run a server",
  summary: "check a server, and the installation on this machine: settings, stores, clock, sources",
  usage: "[options]",
  help: `Of a server it checks whether it answers, its clock against this machine's, its stores and sources as it reports them, and
whether your key works. Of an installation on this machine it checks settings, disk, lake (every file), ledger, Redis, and
whether every source can be reached. That part is left out where --url or CROSSRATE_URL name a server and there is no
data here. Each fault comes with what to do. Exit code 1 when something is broken. Nothing is changed, except that a
ledger is opened as every command opens it: the tables of an older release are brought up to date.

${helpOf(FLAGS)}

  crossrate doctor
  crossrate doctor --server --url https://rates.example.org
  DATA_DIR=data/live crossrate doctor --local`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag, has } = readWords(context.words, FLAGS, 0);
    const [server, local, json] = [has("--server"), has("--local"), has("--json")];
    if (server && local) throw new UsageFault("--server and --local: leave both out for both");
    const findings: Finding[] = [];
    for await (const finding of allFindings(context, { server, local, url: flag("--url") })) {
      findings.push(finding);
      if (!json) printFinding(context.terminal, finding);
    }
    const broken = findings.filter(({ state }) => state === "broken").length;
    if (json) context.terminal.print(JSON.stringify(findings, null, 2));
    else {
      const { print, screen } = context.terminal;
      const said =
        broken === 0 ? "nothing is broken" : `${broken} of ${findings.length} checks found a fault`;
      print(`\n${coloured(screen, broken === 0 ? "green" : "red", said)}`);
    }
    return broken === 0 ? EXIT.done : EXIT.failed;
  },
};

interface Parts {
  readonly server: boolean;
  readonly local: boolean;
  readonly url: string | undefined;
}

async function* allFindings(context: CommandContext, { server, local, url }: Parts): AsyncGenerator<Finding> {
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
