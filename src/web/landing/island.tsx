/** The landing page in the browser: updates the table, changes its base, and opens the provenance of a number. */
/* @jsxImportSource preact */

import { hydrate, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Asked,
  renewable,
  renewProvenance,
  showProvenance,
  watchProvenance,
} from "#web/provenance/load.ts";
import type { AwayProps } from "#web/shared/away.tsx";
import { dataOf, follow, loadPage } from "#web/shared/follow.ts";
import { Snippets } from "#web/shared/snippets.tsx";
import { Board, type BoardData, type BoardStart, latestSnippets } from "./board.tsx";

/** Longer than the animation that marks a change. */
const MOVED_MILLISECONDS = 1700;
const NONE: ReadonlySet<string> = new Set();
const CURRENT: AwayProps = { reason: null, age: null };

/** The address of a base's table, with the provenance of one of its numbers. */
function addressOf(base: string, explained: Asked | null): string {
  const to = explained?.from === base ? `&to=${explained.to}` : "";
  return base === "USD" && to === "" ? "/" : `/?base=${base}${to}`;
}

function Landing(start: BoardStart) {
  const [data, setData] = useState(start.data);
  const [moved, setMoved] = useState(NONE);
  const [away, setAway] = useState(CURRENT);
  const [amount, setAmount] = useState(start.amount);
  const [search, setSearch] = useState(start.search);
  const [selected, select] = useState<string | null>(start.selected);
  const shown = useRef(data);
  /** The base to load. The table does not change until the page with it arrives. */
  const chosen = useRef(start.data.base);
  const look = useRef(async () => {});
  const { base } = data;
  const show = (board: BoardData) => {
    shown.current = board;
    setData(board);
  };

  useEffect(() => {
    const { selected: first } = start;
    watchProvenance(first === null ? null : explainedBy(start.data.base, first));
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A change of any rate changes rates on every base.
    look.current = follow("/site/stream", {
      load: async () => {
        const explained = renewable();
        const page = await loadPage(addressOf(chosen.current, explained));
        if (typeof page === "string") return page;
        const board = dataOf<BoardStart>(page, "board-data")?.data;
        if (board === undefined) return "There are no current rates";
        return () => {
          const { base: baseBefore, rows } = shown.current;
          const before = new Map(rows.map(({ code, rate }) => [code, rate]));
          const changed = board.rows.flatMap(({ code, rate }) => (before.get(code) === rate ? [] : code));
          if (board.base === baseBefore) setMoved(new Set(changed));
          else history.replaceState(null, "", addressOf(board.base, null));
          clearTimeout(timer);
          timer = setTimeout(() => setMoved(NONE), MOVED_MILLISECONDS);
          show(board);
          if (explained?.from === board.base) renewProvenance(explained, page);
        };
      },
      markOld: (reason, age) => {
        setAway({ reason, age });
        if (reason === null) return;
        // Draws again, too: the list of currencies must return to the base of the figures.
        chosen.current = shown.current.base;
        show({ ...shown.current });
      },
    });
  }, []);

  const on = {
    setAmount,
    setSearch,
    setBase: (code: string) => {
      chosen.current = code;
      void look.current();
    },
    select: (code: string) => {
      select(code);
      void showProvenance(explainedBy(base, code));
    },
  };

  useEffect(() => {
    const place = document.getElementById("snippets");
    if (place !== null) render(<Snippets snippets={latestSnippets(location.origin, base)} />, place);
  }, [base]);

  return <Board {...{ data, amount, search, selected, moved, away, on }} />;
}

function explainedBy(base: string, code: string): Asked {
  return { from: base, to: code, date: null };
}

const place = document.getElementById("board");
const start = dataOf<BoardStart>(document, "board-data");
if (place !== null && start !== null) hydrate(<Landing {...start} />, place);
