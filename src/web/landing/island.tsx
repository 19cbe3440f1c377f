/** The landing page in the browser: updates the table, changes its base, and opens the provenance of a number. */
/* @jsxImportSource preact */

import { hydrate, render } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { renewProvenance, showProvenance, watchProvenance } from "#web/provenance/load.ts";
import { Snippets } from "#web/shared/snippets.tsx";
import { Board, latestSnippets } from "./board.tsx";
import type { BoardData, BoardRow } from "./board-data.ts";
import { useLiveBoard } from "./live-board.ts";

interface Start {
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  readonly selected: string | null;
}

function Landing(start: Start) {
  const { data, ...live } = useLiveBoard(start.data);
  const [amount, setAmount] = useState(start.amount);
  const [search, setSearch] = useState(start.search);
  const [selected, select] = useState<string | null>(start.selected);
  const { base } = data;
  const row = data.rows.find(({ code }) => code === selected);
  /** What the provenance beside the table is of: the pair, and its rate with everything that is said of it there. */
  const number = row === undefined ? null : numberOf(base, row);
  const explained = useRef(number);

  useEffect(() => {
    if (row === undefined || number === explained.current) return;
    explained.current = number;
    void renewProvenance({ from: base, to: row.code, date: null });
  }, [number]);
  useEffect(() => {
    const { selected: first } = start;
    watchProvenance(() => (first === null ? null : { from: start.data.base, to: first, date: null }));
  }, []);

  const on = useMemo(
    () => ({
      setAmount,
      setSearch,
      setBase: live.setBase,
      select: (code: string) => {
        select(code);
        const chosen = data.rows.find((each) => each.code === code);
        explained.current = chosen === undefined ? null : numberOf(base, chosen);
        void showProvenance({ from: base, to: code, date: null });
      },
    }),
    [data],
  );

  useEffect(() => {
    const place = document.getElementById("snippets");
    if (place !== null) render(<Snippets snippets={latestSnippets(location.origin, base)} />, place);
  }, [base]);

  return <Board {...{ data, amount, search, selected, live, on }} />;
}

function numberOf(base: string, { code, rate, source, effectiveAt, isStale }: BoardRow): string {
  return [base, code, rate, source, effectiveAt, isStale].join(" ");
}

const place = document.getElementById("board");
const start = document.getElementById("board-data")?.textContent;
if (place !== null && typeof start === "string")
  hydrate(<Landing {...(JSON.parse(start) as Start)} />, place);
