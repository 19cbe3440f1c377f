/** The thread that looks a large ledger through while it is served: one path in, one answer out. */

import { damageIn } from "./integrity.ts";

/** What the thread is asked, and what it says. */
export interface IntegrityAsked {
  readonly path: string;
}
export type IntegrityAnswer =
  | { readonly kind: "whole" }
  | { readonly kind: "damaged"; readonly message: string }
  | { readonly kind: "failed"; readonly reason: string };

addEventListener("message", ({ data }: MessageEvent<IntegrityAsked>) => {
  postMessage(answerTo(data));
});

function answerTo({ path }: IntegrityAsked): IntegrityAnswer {
  try {
    const damage = damageIn(path);
    return damage === null ? { kind: "whole" } : { kind: "damaged", message: damage.message };
  } catch (fault) {
    return { kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) };
  }
}
