/**
 * The live stream: its readers, the states from which clients may resume, and the events. An event is the difference between two
 * answers, computed and encoded once for all readers of a query.
 */

import { type CurrencyIndex, currencyCode, currencyIndex } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { withDecimals } from "#domain/number/decimal.ts";
import { shortDigest, spotDigest } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";
import { type LatestQuery, type LatestRates, latestOf } from "#rates/latest.ts";
import type { Spot } from "#rates/spot.ts";
import type { Emit } from "#telemetry.ts";

/** How soon changes that the book does not announce (commits, staleness, sessions) are noticed. */
const CHECK_MILLISECONDS = 1_000;
/** Proxies wait 30 or 60 seconds on a silent connection. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** How often a reader's permission is checked again. */
const ADMISSION_MILLISECONDS = 5_000;
/** A reader that reads nothing for this time is disconnected. */
const LONGEST_BLOCKED_MILLISECONDS = 60_000;

export interface StreamDeps {
  readonly spot: Spot;
  readonly clock: Clock;
  readonly hotBook: Pick<HotBook, "subscribe">;
  readonly emit: Emit;
  readonly streamSubscribers: number;
  readonly every: (milliseconds: number, run: () => void) => () => void;
  readonly frames: Frames;
}

export interface Subscription {
  /** To be called when the outlet accepts bytes again. */
  drained(): void;
  /** To be called when the reader is gone. Further calls do nothing. */
  leave(): void;
}

/** The bound that refused a reader: of all streams, of one caller, of one network, of all callers without a key. */
export type StreamRefusal = "full" | "caller" | "network" | "keyless";

export type Stream = ReturnType<typeof openStream>;

export function openStream(deps: StreamDeps) {
  const { clock, frames, streamSubscribers } = deps;
  const groups = new Map<string, Group>();
  const statesOfDelay = new Map<number | undefined, States>();
  const statesOf = ({ delayMinutes }: LatestQuery): States => {
    const states = statesOfDelay.get(delayMinutes) ?? newStates();
    statesOfDelay.set(delayMinutes, states);
    return states;
  };
  const totals = {
    /** Events written, without heartbeats. */
    events: 0,
    /** Events that a reader did not read in time; one later event has their content. */
    coalesced: 0,
    /** Readers who began with a snapshot, and readers who resumed from a remembered state. */
    begun: 0,
    resumed: 0,
    /** Readers who did not read for too long. */
    dropped: 0,
  };
  const refused: Record<StreamRefusal, number> = { full: 0, caller: 0, network: 0, keyless: 0 };
  let subscribers = 0;
  let closed = false;
  let stopChecking: (() => void) | null = null;

  const write = (group: Group, member: Member, bytes: Uint8Array, now: Instant) => {
    // Set before the write: an outlet may drain while it takes the bytes.
    member.sent = group.content();
    member.wroteAt = now;
    totals.events += 1;
    member.outlet.write(bytes);
  };
  const catchUp = (group: Group, member: Member) => {
    const now = clock.now();
    const event = group.since(member.sent);
    if (event === null) member.sent = group.content();
    else write(group, member, frames.event(event, now), now);
  };
  const sendToAll = (group: Group, event: StreamEvent, before: Member["sent"], now: Instant) => {
    let bytes: Uint8Array | null = null;
    for (const member of group.members) {
      if (!member.outlet.ready()) {
        member.blockedSince ??= now;
        totals.coalesced += 1;
      } else if (member.sent !== before) catchUp(group, member);
      else {
        bytes ??= frames.event(event, now);
        write(group, member, bytes, now);
      }
    }
  };
  const refresh = () => {
    if (subscribers === 0) return;
    const now = clock.now();
    for (const group of groups.values()) {
      const before = group.content();
      const event = group.turn(statesOf(group.query).of(deps.spot(group.query.delayMinutes)));
      if (event !== null) sendToAll(group, event, before, now);
    }
  };
  /** Sends heartbeats to silent readers, and disconnects those that do not read, or may not go on. */
  const attend = () => {
    const now = clock.now();
    let heartbeat: Uint8Array | null = null;
    for (const group of groups.values()) {
      for (const member of group.members) {
        const { blockedSince } = member;
        if (Math.abs(now - member.admittedAt) >= ADMISSION_MILLISECONDS) {
          member.admittedAt = now;
          member.outlet.admit();
        }
        // The clock may have been set back, here and below.
        if (blockedSince !== null && Math.abs(now - blockedSince) > LONGEST_BLOCKED_MILLISECONDS) {
          totals.dropped += 1;
          forget(group, member);
          member.outlet.end();
        } else if (Math.abs(now - member.wroteAt) < HEARTBEAT_MILLISECONDS) continue;
        else if (!member.outlet.ready()) member.blockedSince ??= now;
        else {
          heartbeat ??= frames.heartbeat(now);
          member.outlet.write(heartbeat);
          member.wroteAt = now;
        }
      }
    }
  };
  const tick = () => {
    try {
      refresh();
      attend();
    } catch (fault) {
      deps.emit({ kind: "job_failed", job: "stream", error: String(fault) });
    }
  };
  const forget = (group: Group, member: Member) => {
    if (!group.members.delete(member)) return;
    subscribers -= 1;
    if (group.members.size === 0) groups.delete(group.key);
    if (subscribers === 0) {
      stopChecking?.();
      stopChecking = null;
    }
  };
  const unsubscribe = deps.hotBook.subscribe(refresh);

  return {
    /**
     * Writes the first bytes before it returns: a snapshot, or the changes since a remembered state. Failures: those of
     * /v1/latest, and `service_unavailable` when all places are taken.
     */
    subscribe: (query: LatestQuery, lastEventId: string | null, outlet: Outlet): Subscription => {
      if (closed)
        throw new Failure("service_unavailable", { reason: "the server is stopping; connect again" });
      if (subscribers >= streamSubscribers) {
        refused.full += 1;
        throw new Failure("service_unavailable", {
          reason: `all ${streamSubscribers} places of the stream are taken; connect again later, or poll /v1/latest`,
          retryAfterSeconds: 30,
        });
      }
      const table = deps.spot(query.delayMinutes);
      // Refused as /v1/latest refuses, before anything is sent.
      latestOf(table, query);
      // Before the reader joins: all members of a group have the same content.
      refresh();
      const states = statesOf(query);
      const group = groups.get(groupKey(query)) ?? newGroup(query, states, states.of(table));
      groups.set(group.key, group);
      const now = clock.now();
      const lastSent = lastEventId === null ? null : group.heldBy(lastEventId);
      const times = { wroteAt: now, admittedAt: now, blockedSince: null };
      const member: Member = { outlet, sent: lastSent ?? group.content(), ...times };
      group.members.add(member);
      subscribers += 1;
      totals[lastSent === null ? "begun" : "resumed"] += 1;
      stopChecking ??= deps.every(CHECK_MILLISECONDS, tick);
      const event = group.since(lastSent);
      if (event !== null) write(group, member, frames.event(event, now), now);
      else {
        member.sent = group.content();
        outlet.write(frames.heartbeat(now));
      }
      return {
        drained: () => {
          member.blockedSince = null;
          if (member.sent !== group.content() && group.members.has(member)) catchUp(group, member);
        },
        leave: () => forget(group, member),
      };
    },
    subscribers: () => subscribers,
    totals: () => ({ ...totals, refused: { ...refused } }),
    /** Counts a reader that another bound refused. */
    refused: (reason: Exclude<StreamRefusal, "full">): void => {
      refused[reason] += 1;
    },
    /** Ends every stream; new readers are refused. */
    close: () => {
      closed = true;
      unsubscribe();
      for (const group of [...groups.values()]) {
        for (const member of [...group.members]) {
          forget(group, member);
          member.outlet.end();
        }
      }
    },
  };
}

export interface Outlet {
  /** False until earlier bytes are taken; `drained` is called then. */
  ready(): boolean;
  write(bytes: Uint8Array): void;
  /** Ends, soon, where the reader may not go on. */
  admit(): void;
  /** Bytes already written are still delivered. */
  end(): void;
}

/** A reader. While it reads it gets each event at once; after a pause, one event has everything that it missed. */
interface Member {
  readonly outlet: Outlet;
  sent: Content;
  wroteAt: Instant;
  admittedAt: Instant;
  /** Null while the reader reads. */
  blockedSince: Instant | null;
}

type Group = ReturnType<typeof newGroup>;

function groupKey({ base, symbols, dp, delayMinutes }: LatestQuery): string {
  const name = `${base} ${symbols?.join(",") ?? "*"} ${dp ?? "-"}`;
  return delayMinutes === undefined || delayMinutes === 0 ? name : `${name} ${delayMinutes}`;
}

/** The readers of one query. */
function newGroup(query: LatestQuery, states: States, first: State) {
  const key = groupKey(query);
  const tag = shortDigest(key, 8);
  let state = first;
  let content = contentOf(first.table, query);

  /** The event that brings a client from `before` to the present content; null when nothing differs. */
  const since = (before: Content | null): StreamEvent | null => {
    const id = `${state.digest}-${tag}`;
    if ("refusal" in content) {
      const { refusal } = content;
      const hasIt = before !== null && "refusal" in before && before.refusal.message === refusal.message;
      return hasIt ? null : { name: "unavailable", id, refusal };
    }
    const { rates } = content;
    if (before === null || "refusal" in before) return { name: "snapshot", id, rates };
    const changed = changesBetween(before.rates, rates);
    if (changed === "all") return { name: "snapshot", id, rates };
    if (changed.length === 0) return null;
    const isWhole = changed.length === rates.rates.length;
    const part = isWhole ? rates : partOf(rates, state.table, { ...query, symbols: changed });
    // Missing currencies came with the snapshot.
    return { name: "rates", id, rates: { ...part, missing: [] } };
  };

  return {
    key,
    query,
    members: new Set<Member>(),
    content: () => content,
    since,
    /** The content of a client with this event id; null for an unknown id or another query's. */
    heldBy: (id: string): Content | null => {
      const [digest = "", ofQuery, more] = id.split("-", 3);
      const table = ofQuery === tag && more === undefined ? states.find(digest) : undefined;
      return table === undefined ? null : contentOf(table, query);
    },
    /** Moves to another state. Returns the event for members that were up to date, or null. */
    turn: (next: State): StreamEvent | null => {
      if (next.digest === state.digest) return null;
      const before = content;
      state = next;
      content = contentOf(next.table, query);
      const event = since(before);
      // Nothing differs: readers with the old content stay up to date.
      if (event === null) content = before;
      return event;
    },
  };
}

interface State {
  readonly table: SpotTable;
  readonly digest: string;
}

/** Ten minutes of a change a second, ten hours of one a minute; a table takes about 10 kB. */
const MOST_STATES = 600;

type States = ReturnType<typeof newStates>;

/** Equal digests mean equal latest rates, also across processes. */
function newStates() {
  const byDigest = new Map<string, SpotTable>();
  let last: State | null = null;
  return {
    /** Cheap for the same table as in the previous call. */
    of: (table: SpotTable): State => {
      if (last?.table === table) return last;
      const digest = spotDigest(table);
      // A new table with the same content keeps its digest.
      const state = last?.digest === digest ? { ...last, table } : { table, digest };
      byDigest.delete(digest);
      byDigest.set(digest, table);
      for (const oldest of byDigest.keys()) {
        if (byDigest.size <= MOST_STATES) break;
        byDigest.delete(oldest);
      }
      last = state;
      return state;
    },
    find: (digest: string) => byDigest.get(digest),
  };
}

export type StreamEvent =
  /** snapshot replaces all that was sent before; rates replaces member by member. */
  | { readonly name: "snapshot" | "rates"; readonly id: string; readonly rates: LatestRates }
  /** `refusal` is that of /v1/latest. */
  | { readonly name: "unavailable"; readonly id: string; readonly refusal: Failure };

export interface Frames {
  event(event: StreamEvent, now: Instant): Uint8Array;
  heartbeat(now: Instant): Uint8Array;
}

/** The content that a client holds: one object as long as it is the same. */
type Content = { readonly rates: LatestRates } | { readonly refusal: Failure };

/** The answer or refusal of /v1/latest from a table. */
function contentOf(table: SpotTable, query: LatestQuery): Content {
  try {
    return { rates: latestOf(table, query) };
  } catch (refused) {
    if (!(refused instanceof Failure)) throw refused;
    return { refusal: refused };
  }
}

/** The part for `query`. The whole where the part would date the base differently: another rate may have the base's oldest figure. */
function partOf(whole: LatestRates, table: SpotTable, query: LatestQuery): LatestRates {
  const part = latestOf(table, query);
  const base = currencyCode(whole.base);
  const ofBase = part.origin.effectiveAt[base];
  return ofBase !== undefined && ofBase !== whole.origin.effectiveAt[base] ? whole : part;
}

/**
 * The currencies of `after` to send: every one when the session or the base's own observation changes. "all" when a currency is no
 * longer listed, which a list of changes cannot express.
 */
function changesBetween(before: LatestRates, after: LatestRates): readonly CurrencyIndex[] | "all" {
  for (const code in before.origin.sources) if (after.origin.sources[code] === undefined) return "all";
  const textsBefore = textsOf(before);
  const texts = textsOf(after);
  const base = currencyCode(after.base);
  const concernsAll =
    before.session !== after.session || (!texts.has(base) && isOriginChanged(before, after, base));
  const derivedBefore = new Set<string>(before.origin.derivedSymbols);
  const derived = new Set<string>(after.origin.derivedSymbols);
  const codes = [...texts.keys()];
  const changed = codes.filter(
    (code) =>
      concernsAll ||
      textsBefore.get(code) !== texts.get(code) ||
      before.origin.stale[code] !== after.origin.stale[code] ||
      derivedBefore.has(code) !== derived.has(code) ||
      isOriginChanged(before, after, code),
  );
  if (changed.length === 0) return [];
  // A base among the symbols is sent with every change.
  return codes.filter((code) => changed.includes(code) || code === base).map(currencyIndex);
}

function textsOf({ rates, dp }: LatestRates): ReadonlyMap<string, string> {
  return new Map(rates.map(({ to, text }) => [currencyCode(to), withDecimals(text, dp)]));
}

function isOriginChanged(
  { origin: before }: LatestRates,
  { origin: after }: LatestRates,
  code: string,
): boolean {
  return before.sources[code] !== after.sources[code] || before.effectiveAt[code] !== after.effectiveAt[code];
}
