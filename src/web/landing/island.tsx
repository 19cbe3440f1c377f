/** The landing page in the browser: the table moves with the stream, changes its base, and opens the provenance of a number. */
/* @jsxImportSource preact */

import { hydrate, render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { showProvenance } from "#web/provenance/load.ts";
import { Snippets } from "#web/shared/snippets.tsx";
import { Board } from "./board.tsx";
import { applyEvent, type BoardData, readBoardEvent } from "./board-data.ts";
import { latestSnippets } from "./snippets.ts";

interface Start {
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  readonly selected: string | null;
}

/** Longer than the animation that marks a change. */
const MOVED_MILLISECONDS = 1700;

function LiveBoard(start: Start) {
  const [data, setData] = useState(start.data);
  const [amount, setAmount] = useState(start.amount);
  const [search, setSearch] = useState(start.search);
  const [selected, select] = useState<string | null>(start.selected);
  const [moved, setMoved] = useState<ReadonlySet<string>>(new Set());
  const { base } = data;

  useEffect(() => {
    const stream = new EventSource(`/site/stream?base=${base}`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = ({ data: text }: MessageEvent<string>) => {
      const event = readBoardEvent(text);
      setData((board) => (board.base === base ? applyEvent(board, event) : board));
      if (event.digits === undefined) return;
      setMoved(new Set(Object.keys(event.digits)));
      clearTimeout(timer);
      timer = setTimeout(() => setMoved(new Set()), MOVED_MILLISECONDS);
    };
    const first = ({ data: text }: MessageEvent<string>) =>
      setData((board) => (board.base === base ? applyEvent(board, readBoardEvent(text)) : board));
    stream.addEventListener("snapshot", first);
    stream.addEventListener("rates", take);
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  }, [base]);

  const on = useMemo(
    () => ({
      setAmount,
      setSearch,
      select: (code: string) => {
        select(code);
        void showProvenance({ from: base, to: code, date: null }).then(reveal);
      },
      setBase: async (code: string) => {
        const answer = await fetch(`/site/board?base=${code}`);
        if (!answer.ok) return;
        setData(await answer.json());
        history.replaceState(null, "", code === "USD" ? "/" : `/?base=${code}`);
      },
    }),
    [base],
  );

  useEffect(() => {
    const place = document.getElementById("snippets");
    if (place !== null) render(<Snippets snippets={latestSnippets(location.origin, base)} isLive />, place);
  }, [base]);

  return <Board data={data} amount={amount} search={search} selected={selected} moved={moved} on={on} />;
}

/** On a narrow screen the provenance is below the table: out of sight. */
function reveal() {
  const place = document.getElementById("provenance");
  if (place !== null && place.getBoundingClientRect().top > innerHeight) place.scrollIntoView();
}

const place = document.getElementById("board");
const start = document.getElementById("board-data")?.textContent;
if (place !== null && typeof start === "string")
  hydrate(<LiveBoard {...(JSON.parse(start) as Start)} />, place);
