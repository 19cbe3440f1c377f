/** The notice that a page's figures cannot be updated: why, and how old they are. */
/* @jsxImportSource preact */

import { useEffect, useState } from "preact/hooks";
import { durationText } from "./words.ts";

export interface AwayProps {
  /** Why; null while the figures are up to date. */
  readonly reason: string | null;
  /** When the figures were last current, in milliseconds of this browser's clock; null while they are. */
  readonly since: number | null;
}

export const NO_SERVER = "The server cannot be reached";

const SECOND = 1000;

/** Always rendered: screen readers announce only a text that changes. The age is outside the announced text: it changes every second. */
export function Away({ reason, since }: AwayProps) {
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (since === null) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <div class={reason === null ? "away" : "away is-shown"}>
      <span role="status">
        {reason !== null && `${reason}${since === null ? "." : ": these figures are out of date."}`}
      </span>
      {since !== null && (
        <span class="away-age">
          {" "}
          They are {durationText(Math.max(0, now - since))} old. The page updates when the server answers
          again.
        </span>
      )}
    </div>
  );
}
