/** The notice that a page's figures cannot be updated: why, and how old they are. */
/* @jsxImportSource preact */

import { durationText } from "./words.ts";

export interface AwayProps {
  /** Why; null while the figures are up to date. */
  readonly reason: string | null;
  /** How old the figures are, in milliseconds; null while they are current. */
  readonly age: number | null;
}

export const NO_SERVER = "The server cannot be reached";

/** Always rendered: screen readers announce only a text that changes. The age is outside the announced text: it changes with each attempt. */
export function Away({ reason, age }: AwayProps) {
  return (
    <div class={reason === null ? "away" : "away is-shown"}>
      <span role="status">
        {reason !== null && `${reason}${age === null ? "." : ": these figures are out of date."}`}
      </span>
      {age !== null && (
        <span class="away-age">
          {" "}
          They are {durationText(age)} old. The page updates when the server answers again.
        </span>
      )}
    </div>
  );
}
