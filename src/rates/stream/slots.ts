/** Slots for open streams: bounds of one caller, of one network, and of all callers without a key. */

import { Failure } from "#domain/faults/errors.ts";
import type { Caller } from "#domain/limits/counts.ts";
import { networksOf } from "#domain/net/address.ts";
import type { StreamRefusal, Subscription } from "./stream.ts";

export interface StreamBounds {
  /** Streams that one organization, or without a key one address (IPv6: one /64), may have open. */
  readonly perCaller: number;
  /** The bound of all addresses of one /24 (IPv6: one /56) together. */
  readonly perNetwork: number;
  /** The bound of all callers without a key together; null reserves nothing for keys. */
  readonly keyless: number | null;
}

type SlotRefusal = Exclude<StreamRefusal, "full">;

const TRY_AGAIN_SECONDS = 30;
/** Counts all callers without a key together. No name of an organization or a network equals it. */
const KEYLESS = "without a key";

interface Bound {
  readonly name: string;
  readonly most: number;
  readonly refusal: SlotRefusal;
  readonly reason: string;
}

/** Calls `refused` for every stream without a slot. */
export function newSlots(bounds: StreamBounds, refused: (reason: SlotRefusal) => void) {
  const open = new Map<string, number>();
  const move = (name: string, by: 1 | -1) => {
    const count = (open.get(name) ?? 0) + by;
    if (count === 0) open.delete(name);
    else open.set(name, count);
  };
  return {
    /**
     * Subscribes, and keeps a slot until the subscription ends. `caller` is null when only addresses distinguish callers.
     * Fails with `rate_limited` when the caller or its network has its share, `service_unavailable` when all callers
     * without a key have theirs.
     */
    held: (caller: Caller | null, address: () => string, subscribe: () => Subscription): Subscription => {
      const counted = boundsOf(bounds, caller, address);
      const full = counted.find(({ name, most }) => (open.get(name) ?? 0) >= most);
      if (full !== undefined) {
        refused(full.refusal);
        const code = full.refusal === "keyless" ? "service_unavailable" : "rate_limited";
        throw new Failure(code, { reason: full.reason, retryAfterSeconds: TRY_AGAIN_SECONDS });
      }
      const subscription = subscribe();
      for (const { name } of counted) move(name, 1);
      let isLeft = false;
      return {
        drained: subscription.drained,
        leave: () => {
          subscription.leave();
          if (isLeft) return;
          isLeft = true;
          for (const { name } of counted) move(name, -1);
        },
      };
    },
  };
}

/** Returns the bounds, the narrowest first: a refusal then names the streams that the caller can close. */
function boundsOf(bounds: StreamBounds, caller: Caller | null, address: () => string): readonly Bound[] {
  const { perCaller, perNetwork, keyless } = bounds;
  const own = (name: string): Bound => ({
    ...{ name, most: perCaller, refusal: "caller" },
    reason: `${perCaller} streams of yours are open, and no more may be at once: close one, or have one with all the symbols`,
  });
  if (caller?.kind === "org") return [own(`org ${caller.id}`)];
  const { narrow, wide } = networksOf(caller?.id ?? address());
  const network: Bound = {
    ...{ name: `wide ${wide}`, most: perNetwork, refusal: "network" },
    reason: `${perNetwork} streams of your network ${wide} are open, and no more may be at once: have one with all the symbols${caller === null ? "" : ", or use an API key"}`,
  };
  if (caller === null || keyless === null) return [own(`narrow ${narrow}`), network];
  const all: Bound = {
    ...{ name: KEYLESS, most: keyless, refusal: "keyless" },
    reason: `all ${keyless} places that callers without an API key may have are taken; connect again later, use a key, or poll /v1/latest`,
  };
  return [own(`narrow ${narrow}`), network, all];
}
