/** The thread that checks a large ledger while it is in use: one path in, one answer out. */

import { damageIn, type IntegrityAnswer, type IntegrityRequest } from "./integrity.ts";

addEventListener("message", ({ data }: MessageEvent<IntegrityRequest>) => {
  postMessage(answerTo(data));
});

function answerTo({ path }: IntegrityRequest): IntegrityAnswer {
  try {
    const damage = damageIn(path);
    return damage === null ? { kind: "whole" } : { kind: "damaged", message: damage.message };
  } catch (fault) {
    return { kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) };
  }
}
