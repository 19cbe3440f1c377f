/** `crossrate admin official`: the tables of authorities, and the state of each one's collection. */

import { UsageFault } from "#cli/command.ts";
import { type Command, takesNothing } from "#commands/command.ts";
import { NEW_LEDGER, NEW_LEDGER_FLAG, NEW_LEDGER_HELP, withoutNewLedger } from "#commands/flags.ts";
import { openReal } from "#commands/open-product.ts";
import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";

type Opened = Awaited<ReturnType<typeof openReal>>;

/** Rejects where official tables are switched off, or when the ledger cannot be used. */
export async function openedOfficial(crossrate: Pick<Opened, "openOfficial">) {
  const official = await crossrate.openOfficial();
  if (official === null) throw new UsageFault("official tables are switched off by OFFICIAL_TABLES=off");
  return official;
}

export const operatorOfficialCommand: Command = {
  name: "admin official",
  group: "Run a server",
  summary: "list the official tables, what was collected of each and when",
  usage: `[${NEW_LEDGER}]`,
  help: `Each table is listed with its id, for crossrate collect and OFFICIAL_TABLES, and its path below
/v1/official. The list includes collections of a running server. crossrate official asks a server what it has published.

${NEW_LEDGER_HELP}`,
  words: { flags: [NEW_LEDGER_FLAG] },
  async run(context) {
    takesNothing(withoutNewLedger(context.words));
    const crossrate = await openReal(context);
    try {
      const official = await openedOfficial(crossrate);
      const statuses = new Map((await official.tableStatus()).map((status) => [status.table, status]));
      for (const { table, missing } of official.offered) {
        const { id, country, types, title } = table;
        context.terminal.print(`${id}  ${country.toLowerCase()}/${types[0]}  ${title}`);
        const status = statuses.get(id);
        if (missing !== null || status === undefined) {
          context.terminal.print(`    not collected: ${missing}`);
          continue;
        }
        const { newest, outcome, lastSuccessAt, detail, held } = status;
        const text =
          newest === null ? "nothing yet" : `${newest.publication}, from ${formatDay(newest.validFrom)}`;
        context.terminal.print(`    newest ${text}; last read ${at(lastSuccessAt)}; last attempt ${outcome}`);
        if (detail !== null) context.terminal.print(`    ${detail}`);
        if (held.length > 0) context.terminal.print(`    held back: ${held.join(", ")}`);
      }
      return 0;
    } finally {
      await crossrate.close();
    }
  },
};

function at(instant: Instant | null): string {
  return instant === null ? "never" : formatInstant(instant);
}
