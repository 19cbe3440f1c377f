/** The table in the browser: updated by the stream, reloaded where an event is not enough, and marked as old while the server is away. */

import { useEffect, useRef, useState } from "preact/hooks";
import { NO_SERVER } from "#web/shared/away.tsx";
import { openStream, type RateEvent, readRateEvent, readRefusal } from "#web/shared/stream.ts";
import { applyEvent, type BoardData, needsReload } from "./board-data.ts";

/** Longer than the animation that marks a change. */
const MOVED_MILLISECONDS = 1700;
const AGAIN_MILLISECONDS = 5000;
const NONE: ReadonlySet<string> = new Set();

/** Null where the server does not answer with one. */
async function boardOf(base: string): Promise<BoardData | null> {
  const answer = await fetch(`/site/board?base=${base}`).catch(() => null);
  return answer?.ok === true ? ((await answer.json().catch(() => null)) as BoardData | null) : null;
}

/** `since`: until when the figures were current; null where they still are. */
export function useLiveBoard(first: BoardData) {
  const [data, setData] = useState(first);
  const [moved, setMoved] = useState(NONE);
  const [reason, setReason] = useState<string | null>(null);
  const [since, setSince] = useState<number | null>(null);
  /** What is shown or about to be. */
  const current = useRef(first);
  const wanted = useRef(0);
  const { base } = data;
  const show = (board: BoardData) => {
    current.current = board;
    setData(board);
  };

  useEffect(() => {
    let isOver = false;
    let isOld = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    /** What has come since the board was asked for; null while it is not. Put over the answer, which may be older than them. */
    let queued: RateEvent[] | null = null;

    const markOld = (why: string, heardAt: number) => {
      isOld = true;
      setReason(why);
      setSince((before) => before ?? heardAt);
    };
    const reload = async () => {
      if (queued !== null) return;
      clearTimeout(again);
      const askedAt = Date.now();
      queued = [];
      const board = await boardOf(base);
      const events: readonly RateEvent[] = queued;
      queued = null;
      if (isOver || current.current.base !== base) return;
      if (board === null) {
        if (!isOld) markOld("The rates could not be loaded", askedAt);
        again = setTimeout(reload, AGAIN_MILLISECONDS);
        return;
      }
      show(events.reduce(applyEvent, board));
      if (!isOld) return;
      isOld = false;
      setReason(null);
      setSince(null);
    };
    const take = (event: RateEvent, isWhole: boolean) => {
      // Another base is there already, and this stream about to end.
      if (current.current.base !== base) return;
      if (queued !== null) queued.push(event);
      const needsMore = isOld || needsReload(current.current, event, isWhole);
      show(applyEvent(current.current, event));
      if (needsMore) void reload();
      if (isWhole) return;
      setMoved(new Set(Object.keys(event.digits)));
      clearTimeout(timer);
      timer = setTimeout(() => setMoved(NONE), MOVED_MILLISECONDS);
    };
    const close = openStream(`/site/stream?base=${base}`, {
      event: (name, text) => {
        if (name === "unavailable") markOld(readRefusal(text), Date.now());
        else take(readRateEvent(text), name === "snapshot");
      },
      lost: (heardAt) => markOld(NO_SERVER, heardAt),
      back: () => void reload(),
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(again);
      close();
    };
  }, [base]);

  /** The board stays as it is until the answer is there. */
  const setBase = async (code: string) => {
    wanted.current += 1;
    const mine = wanted.current;
    const board = await boardOf(code);
    if (mine !== wanted.current) return;
    if (board === null) {
      // Drawn again, too: the list of currencies goes back to the base that the figures are of.
      setReason(`The rates in ${code} could not be loaded`);
      setData({ ...current.current });
      return;
    }
    setReason(null);
    setSince(null);
    show(board);
    history.replaceState(null, "", code === "USD" ? "/" : `/?base=${code}`);
  };
  return { data, moved, reason, since, setBase };
}
