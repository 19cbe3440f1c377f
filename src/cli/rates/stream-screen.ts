/** The table of `crossrate stream` on a terminal: redrawn in place, with an arrow at each rate that has moved. */

import type { Read } from "#api/body.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import type { Terminal } from "#cli/command.ts";
import { coloured, printable } from "#cli/show/style.ts";
import { type Cell, tableLines } from "#cli/show/table.ts";
import { shownInstant } from "#cli/show/times.ts";
import type { Digits } from "#domain/net/message.ts";
import { noticeLines } from "./rate-table.ts";

type State = Read<typeof LatestResponse>;

const COLUMNS = [
  { head: "currency" },
  { head: "rate", align: "point" },
  { head: "" },
  { head: "source" },
  { head: "observed (UTC)", optional: true },
  { head: "" },
] as const;

const TOO_MANY = "… the window has no room for more: name fewer currencies, or make it higher";
/** As wide as an arrow, so that the table does not shift. */
const UNMOVED = "·";
const ERASE_LINE = "\x1b[K";
const ERASE_BELOW = "\x1b[J";

/** `draw` shows a state, or null with the reason why there is none; it resolves with false once the reader is gone. */
export function drawing(terminal: Terminal, url: string) {
  let drawn = 0;
  let before: Readonly<Record<string, Digits>> = {};
  return {
    async draw(state: State | null, reason: string | null): Promise<boolean> {
      const { screen } = terminal;
      const all =
        state === null
          ? [coloured(screen, "yellow", printable(reason ?? ""))]
          : [
              `${coloured(screen, "bold", `1 ${state.base}`)}, ${shownInstant(state.timestamp)} UTC, market ${state.market_session}, ${url}`,
              "",
              ...tableLines(screen, COLUMNS, rowsOf(state, before)),
              "",
              ...noticeLines(screen, state.notice),
            ];
      before = state?.rates ?? {};
      // The cursor cannot go back to lines that have left the window.
      const lines = all.length < screen.lines ? all : [...all.slice(0, screen.lines - 2), TOO_MANY];
      const up = drawn === 0 ? "" : `\x1b[${drawn}A`;
      drawn = lines.length;
      return await terminal.write(
        `${up}${lines.map((line) => `${line}${ERASE_LINE}\n`).join("")}${ERASE_BELOW}`,
      );
    },
  };
}

function rowsOf(
  state: State,
  before: Readonly<Record<string, Digits>>,
): readonly (readonly (string | Cell)[])[] {
  return Object.entries(state.rates).map(([code, { text }]): readonly (string | Cell)[] => {
    const moved = Number(text) - Number(before[code]?.text ?? text);
    const colour = moved > 0 ? "green" : "red";
    const marks = [
      ...((state.derived_symbols as readonly string[]).includes(code) ? ["derived"] : []),
      ...(state.stale[code] === true ? ["stale"] : []),
    ];
    return [
      { text: code, colour: "bold" },
      moved === 0 ? text : { text, colour },
      moved === 0 ? UNMOVED : { text: moved > 0 ? "▲" : "▼", colour },
      state.sources[code] ?? "",
      shownInstant(state.effective_at[code] ?? ""),
      { text: marks.join(", "), colour: state.stale[code] === true ? "yellow" : "dim" },
    ];
  });
}
