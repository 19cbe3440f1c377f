/** Ledgers to test with: the same suite on SQLite in a fresh directory and on a real Postgres with an empty database. */

import { afterEach, beforeEach, describe } from "bun:test";
import { join } from "node:path";
import type { Identity, NewSession } from "#domain/account/identity.ts";
import type { NewKey } from "#domain/account/key.ts";
import type { By } from "#domain/account/ledger.ts";
import type { UsageIncrement } from "#domain/account/organization.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { NewId } from "#store/ledger/engine/engine.ts";
import { type LedgerOptions, type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { optionalPostgres } from "./engine/postgres.ts";
import { cleanDatabase } from "./engine/shared-postgres.ts";

export const NOON = Date.UTC(2026, 10, 20, 12);
export const HOUR = 3_600_000;

let lastId = 0;
/** Ids in order of making, so that a failure reads well. */
export const newId: NewId = (prefix) => {
  lastId += 1;
  return `${prefix}${String(lastId).padStart(6, "0")}`;
};

export const by = (at: number = NOON): By => ({ at, actor: "system" });

export function madeKey(name: string): NewKey {
  return {
    id: `key_${name}`,
    prefix: `fxk_${name}`,
    lookup: `hmac-${name}`,
    envelope: `{"ct":"sealed ${name}"}`,
  };
}

export type Bench = ReturnType<typeof track>["bench"];

export const postgresPrograms = optionalPostgres("the ledger on Postgres");

/** Describes promises that do not depend on the database: each test has a ledger of its own, on SQLite. */
export function onSqlite(name: string, promises: (bench: Bench) => void): void {
  describe(`${name}, on SQLite`, () => {
    let directory = "";
    const opened = track(() => ({ directory }));
    beforeEach(async () => {
      directory = temporaryDirectory();
      await opened.open();
    });
    afterEach(opened.close);
    promises(opened.bench);
  });
}

/** Describes the same promises twice, each test on a ledger of its own; `database` is where that one's tables come to lie. */
export function onBothLedgers(
  name: string,
  promises: (bench: Bench) => void,
  database: (programs: string) => Promise<string> = cleanDatabase,
): void {
  onSqlite(name, promises);

  describe.skipIf(postgresPrograms === null)(`${name}, on Postgres`, () => {
    let url = "";
    const opened = track(() => ({ url }));
    beforeEach(async () => {
      url = await database(postgresPrograms ?? "");
      await opened.open();
    }, 30_000);
    afterEach(() => opened.close());
    promises(opened.bench);
  });
}

function track(place: () => LedgerPlace) {
  let all: Ledger[] = [];
  let emitted: string[] = [];
  const another = async (options: Partial<LedgerOptions> = {}): Promise<Ledger> => {
    const ledger = await openLedger(place(), { ...optionsOf((line) => emitted.push(line)), ...options });
    all.push(ledger);
    return ledger;
  };
  const bench = {
    get place() {
      return place();
    },
    /** The one of this test; closed after it. */
    ledger: () => all[0] as Ledger,
    /** Another on the same database, as another replica or process would. */
    another,
    /** So many calls at once, in turns on this ledger and on another. */
    raced: async <T>(count: number, call: (ledger: Ledger, nth: number) => Promise<T>): Promise<T[]> => {
      const both = [all[0], await another()] as [Ledger, Ledger];
      return await Promise.all(Array.from({ length: count }, (_, nth) => call(both[nth % 2] as Ledger, nth)));
    },
    /** The events that the ledger emitted, as JSON lines. */
    emitted: (): readonly string[] => emitted,
    /** Statements of the test's own. */
    sql: (text: string) => statement(place(), text),
  };
  return {
    bench,
    open: async () => {
      emitted = [];
      await another();
    },
    close: async () => {
      await Promise.all(all.map((ledger) => ledger.close()));
      all = [];
    },
  };
}

export function optionsOf(emitLine: (line: string) => void = () => {}): LedgerOptions {
  return {
    emit: (event) => emitLine(JSON.stringify(event)),
    newId,
    clock: { now: () => NOON },
  };
}

export const connectionTo = (place: LedgerPlace) =>
  "url" in place
    ? new Bun.SQL({ adapter: "postgres", url: place.url, max: 1 })
    : new Bun.SQL({ adapter: "sqlite", filename: join(place.directory, "ledger.sqlite") });

/** One statement on a connection of its own. */
export async function statement(
  place: LedgerPlace,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const sql = connectionTo(place);
  try {
    return [...(await sql.unsafe(text))];
  } finally {
    await sql.close();
  }
}

export async function person(ledger: Ledger, email: string | null = null): Promise<Identity> {
  const wanted = { email, passwordHash: null, emailVerifiedAt: null, role: "user" } as const;
  const made = await ledger.identities.create(wanted, by());
  if (made === "email_taken") throw new Error(`${email} is taken`);
  return made;
}

/** `hash of <id>` is kept of its secret. */
export function newSession(id: string, identityId: string, expiresAt = NOON + HOUR): NewSession {
  const secretHash = `hash of ${id}`;
  return { id, identityId, secretHash, expiresAt, userAgent: "Firefox on Linux", address: "192.0.2.0/24" };
}

export interface Account {
  readonly owner: Identity;
  readonly organizationId: string;
}

/** A person with an organization and the key `name`. */
export async function account(ledger: Ledger, name: string, at: number = NOON): Promise<Account> {
  return await provisioned(ledger, await person(ledger, `${name}@example.org`), name, at);
}

/** For a person who has none. */
export async function provisioned(
  ledger: Ledger,
  owner: Identity,
  name: string,
  at = NOON,
): Promise<Account> {
  const wanted = { ownerId: owner.id, attribution: null, marketingConsent: false };
  const made = await ledger.organizations.provision(
    { ...wanted, makeKey: async () => madeKey(name) },
    by(at),
  );
  if (made === null) throw new Error("not provisioned");
  return { owner, organizationId: made.organization.id };
}

/** What a batch of usage adds for it: unless said otherwise one call of NOON's day, which was served. */
export function counted(
  { owner, organizationId }: Pick<Account, "organizationId"> & { readonly owner: Pick<Identity, "id"> },
  more: Partial<UsageIncrement> = {},
): UsageIncrement {
  const counts = { served: 1, rateLimited: 0, quotaExceeded: 0, calls: 1, ...more };
  return { organizationId, ownerId: owner.id, day: dayAt(NOON), ...counts };
}

/** Actions of the audit log about a subject, oldest first. */
export async function audited(ledger: Ledger, subject: string): Promise<readonly string[]> {
  const entries = await ledger.audit.list({ subject }, 100);
  return entries.map(({ action }) => action).reverse();
}
