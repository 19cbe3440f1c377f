/** `crossrate official`: the tables of authorities, and how the collection of each stands. */

import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { type Command, takesNothing, UsageFault } from "./command.ts";
import { NEW_LEDGER, NEW_LEDGER_HELP, withoutNewLedger } from "./new-ledger.ts";
import { openReal } from "./opened.ts";

type Opened = Awaited<ReturnType<typeof openReal>>;

/** Rejects where official tables are switched off, or when the ledger cannot be used. */
export async function openedOfficial(crossrate: Pick<Opened, "openOfficial">) {
  const official = await crossrate.openOfficial();
  if (official === null) throw new UsageFault("official tables are switched off by OFFICIAL_TABLES=off");
  return official;
}

export const officialCommand: Command = {
  name: "official",
  summary: "list the official tables, what was collected of each and when",
  usage: `[${NEW_LEDGER}]`,
  help: `A table's first words are the id that crossrate collect and OFFICIAL_TABLES take, and its place below
/v1/official. Collections of a running server are seen here, too.

${NEW_LEDGER_HELP}`,
  async run(context) {
    takesNothing(withoutNewLedger(context.words));
    const crossrate = await openReal(context);
    try {
      const official = await openedOfficial(crossrate);
      const standings = new Map((await official.standings()).map((standing) => [standing.table, standing]));
      for (const { table, missing } of official.offered) {
        const { id, country, types, title } = table;
        context.terminal.print(`${id}  ${country.toLowerCase()}/${types[0]}  ${title}`);
        const standing = standings.get(id);
        if (missing !== null || standing === undefined) {
          context.terminal.print(`    not collected: ${missing}`);
          continue;
        }
        const { newest, outcome, lastSuccessAt, detail, held } = standing;
        const shown =
          newest === null ? "nothing yet" : `${newest.publication}, from ${formatDay(newest.validFrom)}`;
        context.terminal.print(
          `    newest ${shown}; last read ${at(lastSuccessAt)}; last attempt ${outcome}`,
        );
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
