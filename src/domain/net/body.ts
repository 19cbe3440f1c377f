/** Values of response bodies that JSON.stringify would spoil: exact digits, and the one place of the serving time. */

/** A JSON number given by its digits, so that "0.85670" and 17-digit values print as they are. */
export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Stands where `timestamp` goes; the transport fills in the second in which it answers. */
export const SERVED_AT = Symbol("served at");
