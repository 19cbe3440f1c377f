/** The landing page in the browser: updates the table, changes its base, and opens the provenance of a number. */
/* @jsxImportSource preact */

import { hydrate, render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { renewProvenance, showProvenance } from "#web/provenance/load.ts";
import { Snippets } from "#web/shared/snippets.tsx";
import { Board } from "./board.tsx";
import type { BoardData } from "./board-data.ts";
import { useLiveBoard } from "./live-board.ts";
import { latestSnippets } from "./snippets.ts";

interface Start {
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  readonly selected: string | null;
}

function Landing(start: Start) {
  const { data, moved, reason, since, setBase } = useLiveBoard(start.data, () =>
    renewProvenance(
      start.selected === null ? null : { from: start.data.base, to: start.selected, date: null },
    ),
  );
  const [amount, setAmount] = useState(start.amount);
  const [search, setSearch] = useState(start.search);
  const [selected, select] = useState<string | null>(start.selected);
  const { base } = data;

  const on = useMemo(
    () => ({
      setAmount,
      setSearch,
      setBase,
      select: (code: string) => {
        select(code);
        void showProvenance({ from: base, to: code, date: null });
      },
    }),
    [base],
  );

  useEffect(() => {
    const place = document.getElementById("snippets");
    if (place !== null) render(<Snippets snippets={latestSnippets(location.origin, base)} isLive />, place);
  }, [base]);

  return <Board {...{ data, amount, search, selected, moved, reason, since, on }} />;
}

const place = document.getElementById("board");
const start = document.getElementById("board-data")?.textContent;
if (place !== null && typeof start === "string")
  hydrate(<Landing {...(JSON.parse(start) as Start)} />, place);
