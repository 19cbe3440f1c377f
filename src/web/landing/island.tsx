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
import { Board, type BoardData, latestSnippets } from "./board.tsx";

interface Start {
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  readonly selected: string | null;
}

/** Longer than the animation that marks a change. */
const MOVED_MILLISECONDS = 1700;
const NONE: ReadonlySet<string> = new Set();
const CURRENT: AwayProps = { reason: null, age: null };

/** The address of a base's table, with the provenance of one of its numbers. */
function addressOf(base: string, explained: Asked | null): string {
  const to = explained === null ? "" : `&to=${explained.to}`;
  return base === "USD" && to === "" ? "/" : `/?base=${base}${to}`;
}

function Landing(start: Start) {
  const [data, setData] = useState(start.data);
  const [moved, setMoved] = useState(NONE);
  const [away, setAway] = useState(CURRENT);
  const [amount, setAmount] = useState(start.amount);
  const [search, setSearch] = useState(start.search);
  const [selected, select] = useState<string | null>(start.selected);
  const shown = useRef(data);
  const chosen = useRef(start.data.base);
  const { base } = data;
  const show = (board: BoardData) => {
    shown.current = board;
    setData(board);
  };

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = follow(`/site/stream?base=${base}`, {
      load: async () => {
        const explained = renewable();
        const page = await loadPage(addressOf(base, explained));
        if (typeof page === "string") return page;
        const board = dataOf<Start>(page, "board-data")?.data;
        if (board === undefined) return "There are no current rates";
        return () => {
          // The page shows another base by now, and this stream is about to end.
          if (shown.current.base !== base) return;
          const before = new Map(shown.current.rows.map(({ code, rate }) => [code, rate]));
          setMoved(new Set(board.rows.flatMap(({ code, rate }) => (before.get(code) === rate ? [] : code))));
          clearTimeout(timer);
          timer = setTimeout(() => setMoved(NONE), MOVED_MILLISECONDS);
          show(board);
          if (explained !== null) renewProvenance(explained, page);
        };
      },
      markOld: (reason, age) => setAway({ reason, age }),
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [base]);
  useEffect(() => {
    const { selected: first } = start;
    watchProvenance(first === null ? null : explainedBy(start.data.base, first));
  }, []);

  /** The table does not change until the answer arrives. */
  const setBase = async (code: string) => {
    chosen.current = code;
    const page = await loadPage(addressOf(code, null));
    if (chosen.current !== code) return;
    const board = typeof page === "string" ? undefined : dataOf<Start>(page, "board-data")?.data;
    if (board === undefined) {
      // Draws again, too: the list of currencies must return to the base of the figures.
      setAway((before) => ({ ...before, reason: `The rates in ${code} could not be loaded` }));
      show({ ...shown.current });
      return;
    }
    setAway(CURRENT);
    show(board);
    history.replaceState(null, "", addressOf(code, null));
  };
  const on = {
    setAmount,
    setSearch,
    setBase,
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
const start = dataOf<Start>(document, "board-data");
if (place !== null && start !== null) hydrate(<Landing {...start} />, place);
