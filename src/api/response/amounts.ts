/** Conversions of a pair differ only by their amount: a ready body is printed for any amount, without routing and without a copy of its own. */

import { RawJson } from "#domain/net/message.ts";
import { type Encoded, partsOf } from "./json.ts";

/** Returns the digits of a body's members that depend on the amount, in the order of the body, all before `timestamp`. */
export type MembersFor = (
  body: object,
) => (amount: string) => { readonly amount: string; readonly converted: string };

const AMOUNT =
  /^([^?]*\/v1\/convert\/[A-Za-z]{3}\/[A-Za-z]{3}(?:\/|\?(?:.*&)?amount=))(\d{1,15}(?:\.\d{1,10})?)((?:[?&].*)?)$/;

const LONGEST_URL = 512;

/**
 * Splits a URL with a plain amount, which cannot be refused; null for other URLs. `key` is the URL without it: it begins unlike a URL,
 * because a request can leave out the amount.
 */
export function amountIn(url: string): { readonly amount: string; readonly key: string } | null {
  const [, before = "", amount, after = ""] = (url.length <= LONGEST_URL && AMOUNT.exec(url)) || [];
  return amount === undefined ? null : { amount, key: `any ${before}${after}` };
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** Returns a function that prints the body for another amount. */
export function printerOf(body: object, membersFor: MembersFor): (amount: string) => Encoded {
  const digitsFor = membersFor(body);
  const hole = new RawJson([]);
  const { parts, stampAt } = partsOf({ ...body, amount: hole, converted: hole });
  const texts = parts.flatMap((part) => (part instanceof RawJson ? [] : [DECODER.decode(part)]));
  return (text) => {
    const { amount, converted } = digitsFor(text);
    const bytes = ENCODER.encode(texts[0] + amount + texts[1] + converted + texts[2]);
    return { bytes, stampAt: stampAt + amount.length + converted.length };
  };
}
