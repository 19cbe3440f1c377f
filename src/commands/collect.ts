/** `crossrate backfill` and `crossrate collect`: bring the lake up to date without serving. */

import type { Window } from "#domain/reading.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import { type Command, takesNothing, UsageFault } from "./command.ts";
import { openReal } from "./opened.ts";

const REACHES: readonly Window["reach"][] = ["latest", "recent", "history"];

export const backfillCommand: Command = {
  name: "backfill",
  summary: "collect the whole history where it is missing, then the last 90 days",
  usage: "",
  help: "Safe to repeat and to interrupt: what is already in the lake is left alone. Exit code 1 when a source failed.",
  async run(context) {
    takesNothing(context.words);
    const crossrate = await openReal(context);
    await crossrate.backfill(({ label, done, total }) => context.terminal.progress(label, done, total));
    const failed = crossrate.collector.states().filter(({ outcome }) => outcome === "failed");
    for (const { source, detail } of failed) context.terminal.complain(`${source} failed: ${detail}`);
    context.terminal.print(
      `${crossrate.dataset()?.history.observations.count ?? 0} observations in the lake`,
    );
    await crossrate.close();
    return failed.length > 0 ? 1 : 0;
  },
};

export const collectCommand: Command = {
  name: "collect",
  summary: "collect one source once",
  usage: `<${DAILY_SOURCES.join("|")}> [${REACHES.join("|")}]`,
  help: `  latest   the newest figures (the default)
  recent   the last 90 days, for corrections
  history  everything since 1999

Exit code 1 when the source failed.

  crossrate collect ecb_daily
  crossrate collect fred_daily recent`,
  async run(context) {
    if (context.words.length > 2) throw new UsageFault("name one source and one reach");
    const source = DAILY_SOURCES.find((candidate) => candidate === context.words[0]);
    if (source === undefined) throw new UsageFault(`name a source: ${DAILY_SOURCES.join(" or ")}`);
    const reach = REACHES.find((candidate) => candidate === (context.words[1] ?? "latest"));
    if (reach === undefined) throw new UsageFault(`reach must be one of ${REACHES.join(", ")}`);
    const crossrate = await openReal(context);
    const state = await crossrate.collector.collect(source, reach);
    await crossrate.close();
    context.terminal.print(`${source}: ${state.outcome}${state.detail === null ? "" : ` (${state.detail})`}`);
    return state.outcome === "failed" ? 1 : 0;
  },
};
