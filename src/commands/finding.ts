/** The result of one check of `crossrate doctor`. */

export interface Finding {
  readonly what: string;
  /** broken: does not work. note: worth knowing; nothing is broken. */
  readonly state: "ok" | "note" | "broken";
  readonly found: string;
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
