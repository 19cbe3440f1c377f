/** What every step of a run has: the world, the model, seeded randomness, and demands that name what they compared. */

import type { Person, Plans } from "./model.ts";
import type { Windows } from "./windows.ts";
import type { Answer, World } from "./world.ts";

export interface RunContext {
  readonly world: World;
  readonly now: number;
  readonly random: () => number;
  readonly plans: Plans;
  /** Whether limits are counted by the run's own clock; where replicas share them they never refuse, and are not looked at. */
  readonly isExact: boolean;
  /** Begins every address and e-mail address: what replicas share remembers earlier runs. */
  readonly tag: number;
  readonly people: Person[];
  readonly addresses: readonly string[];
  readonly strangers: Map<string, Windows>;
  /** Ids of notices that were answered with 200. */
  readonly dealtWith: Set<string>;
  /** Everything that must not be found in the ledger's file. */
  readonly secrets: Set<string>;
  /** How often each limited attempt was made, and when. */
  readonly attempts: Map<string, number[]>;
  /** What the audit log must have in the end: action and subject, or the action alone. */
  readonly audit: Map<string, number>;
}

export class Disagreement extends Error {
  override name = "Disagreement";
}

/** The product must say what the model says. */
export function demand(what: string, found: unknown, wanted: unknown): void {
  if (Bun.deepEquals(found, wanted, true)) return;
  throw new Disagreement(`${what}: found ${Bun.inspect(found)}, the model has ${Bun.inspect(wanted)}`);
}

const CODES_WITH_RETRY = /^(429|503)$/;

export function refused({ status, headers, body, text }: Answer, wanted: number, code: string): void {
  const found = `${status} ${body?.code}`;
  if (found !== `${wanted} ${code}`)
    throw new Disagreement(`found ${found} (${text.slice(0, 300)}), the model has ${wanted} ${code}`);
  demand("result", body.result, "error");
  demand("message", typeof body.message === "string" && body.message.length > 0, true);
  demand("Cache-Control of a refusal", headers.get("cache-control"), "no-store");
  demand("X-Request-Id", headers.has("x-request-id"), true);
  demand("Retry-After", headers.has("retry-after"), CODES_WITH_RETRY.test(String(status)));
}

/** 200 of an endpoint of accounts, exactly this body, and it may not be cached. */
export function expectBody({ status, headers, body, text }: Answer, wanted: object): void {
  if (status !== 200) throw new Disagreement(`found ${status} ${text.slice(0, 300)}, the model has 200`);
  demand("body", body, { result: "success", ...wanted });
  demand("Cache-Control", headers.get("cache-control"), "no-store");
  demand("X-Request-Id", headers.has("x-request-id"), true);
}

export function pick<T>(context: Pick<RunContext, "random">, from: readonly T[]): T {
  const one = from[Math.floor(context.random() * from.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

export function audited(context: RunContext, entry: string, times = 1): void {
  context.audit.set(entry, (context.audit.get(entry) ?? 0) + times);
}

/** False where one more could meet the limit of attempts, which is not what the run tests. */
export function mayTry(context: RunContext, what: string, limit: number, milliseconds: number): boolean {
  // Two windows: the sliding one may still see the whole of the one before. What replicas share has a clock of its own.
  const since = context.isExact ? context.now - 2 * milliseconds : 0;
  const recent = (context.attempts.get(what) ?? []).filter((at) => at > since);
  if (recent.length >= limit - 1) return false;
  context.attempts.set(what, [...recent, context.now]);
  return true;
}
