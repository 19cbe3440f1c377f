/** What `crossrate doctor` finds. */

export interface Finding {
  /** What was looked at. */
  readonly what: string;
  /** broken: something does not work. note: worth knowing; nothing is broken. */
  readonly state: "ok" | "note" | "broken";
  /** What was found. */
  readonly found: string;
  /** What to do; absent where there is nothing to do. */
  readonly advice?: string;
}

export function ok(what: string, found: string): Finding {
  return { what, state: "ok", found };
}

export function note(what: string, found: string, advice?: string): Finding {
  return { what, state: "note", found, ...(advice === undefined ? {} : { advice }) };
}

export function broken(what: string, found: string, advice: string): Finding {
  return { what, state: "broken", found, advice };
}
