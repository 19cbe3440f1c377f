/** A watched port behaves as before, and each of its calls is counted once, under the program's own labels. */

import { describe, expect, test } from "bun:test";
import { BILLING_FAULTS, BillingFault } from "#domain/billing/notice.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Refused } from "#domain/limits/quota-status.ts";
import type { AttemptFault } from "#domain/webhook/endpoint.ts";
import { createMetrics } from "#metrics/metrics.ts";
import {
  ATTEMPT_OUTCOMES,
  BILLING_CALLS,
  KEY_CHECKS,
  MAIL_OUTCOMES,
  REFUSAL_REASONS,
} from "#metrics/watch.ts";
import type { Billing } from "#ports/billing.ts";
import { parseExposition } from "./exposition.ts";
import {
  billingThat,
  countersThat,
  eventsThat,
  grantedTo,
  KEYED,
  mailThat,
  outboxThat,
  STRANGER,
  watchAll,
} from "./ports.ts";
import { NOON, UNBOUNDED } from "./sample-events.ts";

function fresh() {
  const metrics = createMetrics({ now: () => NOON }, "0.0.0");
  /** Series of a metric that are not 0, as `label value label value`. */
  const moved = async (name: string): Promise<Record<string, number>> => {
    const samples = parseExposition(await metrics.text()).get(name)?.samples ?? [];
    const lit = samples.filter(({ value }) => value !== 0);
    return Object.fromEntries(lit.map(({ labels, value }) => [Object.values(labels).join(" "), value]));
  };
  return { metrics, watch: metrics.watch, moved };
}

const refusal = (window: Refused["quota"]["window"]): Refused => ({
  ...({ outcome: "refused", cost: 1, retryAfterSeconds: 5 } as const),
  quota: { window, limit: 12, remaining: 0, resetAt: NOON / 1000 },
});

describe("limits", () => {
  test("grants by what they cost and by how they were paid for: this process, a lease, or asking the store", async () => {
    const { watch, moved } = fresh();
    const later = Promise.resolve(grantedTo(12, "shared"));
    const apart = Promise.resolve(grantedTo(2, "process"));
    const answers = [grantedTo(1, "process"), grantedTo(5, "shared"), later, apart];
    const { counters } = countersThat([...answers]);
    const watched = watch.limits(counters);
    for (const [nth, answer] of answers.entries()) {
      const taken = watched.take(nth === 0 ? STRANGER : KEYED, 1);
      // A caller that looks before waiting must still find the answer there.
      expect(taken instanceof Promise).toBe(answer instanceof Promise);
      expect(await taken).toBe(await answer);
    }
    expect(await moved("crossrate_limit_granted_calls_total")).toEqual({
      "address process": 1,
      "key lease": 5,
      "key store": 12,
      "key process": 2,
    });
  });

  test("refusals by caller and reason", async () => {
    const { watch, moved } = fresh();
    const never = { outcome: "never", window: "minute", limit: 12, cost: 13 } as const;
    const unavailable = { outcome: "unavailable", reason: UNBOUNDED, retryAfterSeconds: 5 } as const;
    const outcomes = [refusal("minute"), refusal("hour"), refusal("month"), never, unavailable];
    const watched = watch.limits(countersThat([...outcomes, Promise.resolve(refusal("month"))]).counters);
    for (const outcome of outcomes) expect(watched.take(STRANGER, 1)).toBe(outcome);
    await watched.take(KEYED, 1);
    expect(await moved("crossrate_limit_refusals_total")).toEqual({
      ...Object.fromEntries(REFUSAL_REASONS.map((reason) => [`address ${reason}`, 1])),
      "key month": 1,
    });
    expect(await moved("crossrate_limit_granted_calls_total")).toEqual({});
  });

  test("a query of the state alone is not counted", async () => {
    const { watch, moved } = fresh();
    const closed = { outcome: "unavailable", reason: "closed", retryAfterSeconds: 5 } as const;
    const watched = watch.limits(countersThat([grantedTo(0, "process"), closed]).counters);
    watched.take(KEYED, 0);
    watched.take(KEYED, 0);
    expect(await moved("crossrate_limit_granted_calls_total")).toEqual({});
    expect(await moved("crossrate_limit_refusals_total")).toEqual({});
  });

  test("a store that throws throws on, and the rest of the port is as it was", async () => {
    const { watch } = fresh();
    const { counters } = countersThat([]);
    const broken = async () => {
      throw new Error("a bug");
    };
    const watched = watch.limits({ ...counters, take: broken });
    expect(async () => await watched.take(KEYED, 1)).toThrow("a bug");
    expect([watched.state(), await watched.close()]).toEqual([counters.state(), undefined]);
  });
});

describe("keys", () => {
  test("found at once, found after a look, refused either way, and not to be checked", async () => {
    const { watch, moved } = fresh();
    const invalid = new Failure("invalid_api_key");
    const away = new Failure("auth_unavailable");
    const answers: Record<string, () => string | Promise<string>> = {
      known: () => "holder",
      pending: async () => "holder",
      malformed: () => {
        throw invalid;
      },
      ended: async () => {
        throw invalid;
      },
      away: async () => {
        throw away;
      },
      bug: async () => {
        throw new Error(UNBOUNDED);
      },
    };
    let forgotten: readonly string[] = [];
    const watched = watch.keys({
      find: (key: string) => (answers[key] as () => string | Promise<string>)(),
      forget: (ids: readonly string[]) => {
        forgotten = ids;
      },
    });
    expect([watched.find("known"), watched.find("known")]).toEqual(["holder", "holder"]);
    const pending = watched.find("pending");
    expect([pending instanceof Promise, await pending]).toEqual([true, "holder"]);
    expect(() => watched.find("malformed")).toThrow(invalid);
    expect(async () => await watched.find("ended")).toThrow(invalid);
    expect(async () => await watched.find("away")).toThrow(away);
    expect(async () => await watched.find("bug")).toThrow(UNBOUNDED);
    watched.forget(["key_1"]);
    expect(forgotten).toEqual(["key_1"]);
    expect(await moved("crossrate_key_checks_total")).toEqual({
      remembered: 2,
      looked_up: 1,
      refused: 2,
      unavailable: 2,
    });
  });
});

describe("mail", () => {
  test.each(MAIL_OUTCOMES)("%s", async (outcome) => {
    const { watch, moved } = fresh();
    const answer =
      outcome === "sent"
        ? ({ sent: true } as const)
        : ({ sent: false, fault: outcome, detail: UNBOUNDED } as const);
    const watched = watch.mail(mailThat(answer));
    const letter = { to: "ada@example.org", subject: "a letter", text: "text" };
    expect([watched.configured, await watched.send(letter)]).toEqual([true, answer]);
    expect(await moved("crossrate_mails_total")).toEqual({ [outcome]: 1 });
  });
});

describe("webhooks", () => {
  const claim = { id: "whd_1", token: "clm_1" };
  const ended = { fault: null, milliseconds: 250, address: "192.0.2.1", head: null };
  const states = { delivered: null, failed: null, pending: NOON } as const;

  test("attempts by status or fault, each once", async () => {
    const { watch, moved } = fresh();
    const watched = watch.outbox(outboxThat(true));
    for (const outcome of ATTEMPT_OUTCOMES) {
      const status = /^\dxx$/.test(outcome) ? Number(outcome[0]) * 100 + 4 : outcome === "other" ? 777 : null;
      const fault = status === null ? (outcome as AttemptFault) : null;
      const next = { state: "failed", dueAt: null } as const;
      expect(await watched.complete(claim, { ...ended, status, fault }, next, NOON)).toBe(true);
    }
    expect(await moved("crossrate_webhook_attempts_total")).toEqual(
      Object.fromEntries(ATTEMPT_OUTCOMES.map((outcome) => [outcome, 1])),
    );
  });

  test("deliveries by what is next, and those that were another's by then", async () => {
    const { watch, moved } = fresh();
    for (const isNoted of [true, false]) {
      const watched = watch.outbox(outboxThat(isNoted));
      for (const [state, dueAt] of Object.entries(states) as [keyof typeof states, number | null][])
        expect(await watched.complete(claim, { ...ended, status: 200 }, { state, dueAt }, NOON)).toBe(
          isNoted,
        );
    }
    expect(await moved("crossrate_webhook_deliveries_total")).toEqual({
      ...{ delivered: 1, failed: 1, retried: 1 },
      lost: 3,
    });
  });
});

describe("billing", () => {
  const methods = Object.keys(BILLING_CALLS) as (keyof typeof BILLING_CALLS)[];
  const call = async (billing: Billing, method: keyof typeof BILLING_CALLS) =>
    await (billing[method] as (...args: unknown[]) => Promise<unknown>)("argument");

  test("each call is counted by its outcome", async () => {
    const { watch, moved } = fresh();
    const watched = watch.billing(billingThat(null));
    for (const method of methods) await call(watched, method);
    expect(await moved("crossrate_billing_calls_total")).toEqual(
      Object.fromEntries(Object.values(BILLING_CALLS).map((name) => [`${name} ok`, 1])),
    );
  });

  test("each of its faults, which are thrown on, and one that is none of them", async () => {
    const { metrics, watch, moved } = fresh();
    const faults = [...BILLING_FAULTS.map((kind) => new BillingFault(kind, UNBOUNDED)), new Error(UNBOUNDED)];
    for (const fault of faults)
      expect(async () => await call(watch.billing(billingThat(fault)), "checkout")).toThrow(fault);
    expect(await moved("crossrate_billing_calls_total")).toEqual(
      Object.fromEntries([...BILLING_FAULTS, "other"].map((kind) => [`checkout ${kind}`, 1])),
    );
    expect(await metrics.text()).not.toContain(UNBOUNDED);
  });

  test("is not watched where nothing is sold", async () => {
    const { metrics, watch } = fresh();
    const none = { ...billingThat(null), kind: "none" } as const;
    expect(watch.billing(none)).toBe(none);
    const families = parseExposition(await metrics.text());
    expect(families.get("crossrate_billing_calls_total")?.samples).toEqual([]);
  });

  test("notices by what they turn out to be", async () => {
    const { watch, moved } = fresh();
    const notice = { id: "evt_1", type: "charge.succeeded", objectId: null };
    for (const progress of ["new", "received", "processed", "processed"] as const) {
      const watched = watch.notices(eventsThat(progress));
      expect(await watched.receive(notice, NOON)).toBe(progress);
    }
    expect(await moved("crossrate_billing_notices_total")).toEqual({ new: 1, again: 1, duplicate: 2 });
  });
});

describe("what is watched", () => {
  test("has its series as 0 from then on, and none before", async () => {
    const { metrics } = fresh();
    const ofAccounts = async () =>
      [...parseExposition(await metrics.text()).values()]
        .filter(({ name }) =>
          /^crossrate_(limit_(granted|ref)|key_|mails|billing_(calls|notices.*total))/.test(name),
        )
        .map(({ samples }) => samples.map(({ value }) => value));
    const before = await ofAccounts();
    expect(before.length).toBe(6);
    expect(before.flat()).toEqual([]);
    watchAll(metrics);
    const after = await ofAccounts();
    expect(after.filter((samples) => samples.length === 0)).toEqual([]);
    expect(new Set(after.flat())).toEqual(new Set([0]));
    expect(KEY_CHECKS.length).toBe(4);
  });
});
