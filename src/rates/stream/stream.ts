/** The live stream: its readers, the state of each, and the broadcast when the spot table changes. */

import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";
import { type LatestQuery, latestOf } from "#rates/latest.ts";
import type { Spot } from "#rates/spot.ts";
import type { Emit } from "#telemetry.ts";
import type { Frames, StreamEvent } from "./event.ts";
import { type Group, groupKey, type Member, newGroup, newStates, type Outlet, type States } from "./group.ts";

/** Changes that the book does not announce (commits, staleness, sessions) is noticed this soon. */
const CHECK_MILLISECONDS = 1_000;
/** Shorter than what proxies and servers wait on a silent connection, often 30 or 60 seconds. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** A reader that takes nothing for longer is disconnected. */
const LONGEST_BLOCKED_MILLISECONDS = 60_000;

export interface StreamDeps {
  readonly spot: Spot;
  readonly clock: Clock;
  readonly hotBook: Pick<HotBook, "subscribe">;
  readonly emit: Emit;
  /** Most readers at once. */
  readonly streamSubscribers: number;
  /** Calls again and again until the returned function ends it. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
  readonly frames: Frames;
}

export interface Subscription {
  /** To be called when the outlet takes more again. */
  drained(): void;
  /** To be called when the reader is gone, as often as one likes. */
  leave(): void;
}

/** Since the start. */
export interface StreamTotals {
  /** Events written, without heartbeats. */
  readonly events: number;
  /** Events that a reader was not sent because it did not read; later it gets their content in one. */
  readonly coalesced: number;
  /** Readers who began with everything, and those who went on from a state that was still known. */
  readonly begun: number;
  readonly resumed: number;
  /** Readers disconnected because they did not read for too long. */
  readonly dropped: number;
  /** Readers refused because all slots were taken, by the bound that refused them. */
  readonly refused: Readonly<Record<StreamRefusal, number>>;
}

/** All slots are taken; or those of one caller, of one network, of all callers without a key. */
export type StreamRefusal = "full" | "caller" | "network" | "keyless";

export interface Stream {
  /**
   * Writes the first bytes before it returns: a snapshot, or for the id of a known state what has changed since.
   * Failures: those of /v1/latest, and `service_unavailable` when all slots are taken.
   */
  subscribe(query: LatestQuery, lastEventId: string | null, outlet: Outlet): Subscription;
  subscribers(): number;
  totals(): StreamTotals;
  /** Counts a reader who was refused before it came here. */
  refused(reason: Exclude<StreamRefusal, "full">): void;
  /** Ends every stream, so that the server can stop; new readers are refused. */
  close(): void;
}

export function openStream(deps: StreamDeps): Stream {
  const { clock, frames } = deps;
  const groups = new Map<string, Group>();
  const statesOfDelay = new Map<number | undefined, States>();
  const statesOf = ({ delayMinutes }: LatestQuery): States => {
    const states = statesOfDelay.get(delayMinutes) ?? newStates();
    statesOfDelay.set(delayMinutes, states);
    return states;
  };
  const totals = { events: 0, coalesced: 0, begun: 0, resumed: 0, dropped: 0 };
  const refused = { full: 0, caller: 0, network: 0, keyless: 0 };
  let subscribers = 0;
  let closed = false;
  let stopChecking: (() => void) | null = null;

  const write = (group: Group, member: Member, bytes: Uint8Array, now: Instant) => {
    // Before the bytes: an outlet may drain while it takes them.
    member.held = group.content();
    member.wroteAt = now;
    totals.events += 1;
    member.outlet.write(bytes);
  };
  /** Everything that the reader has missed, in one event. */
  const catchUp = (group: Group, member: Member) => {
    const now = clock.now();
    const event = group.since(member.held);
    if (event === null) member.held = group.content();
    else write(group, member, frames.event(event, now), now);
  };
  const sendToAll = (group: Group, event: StreamEvent, before: Member["held"], now: Instant) => {
    let bytes: Uint8Array | null = null;
    for (const member of group.members) {
      if (!member.outlet.ready()) {
        member.blockedSince ??= now;
        totals.coalesced += 1;
      } else if (member.held !== before) catchUp(group, member);
      else {
        bytes ??= frames.event(event, now);
        write(group, member, bytes, now);
      }
    }
  };
  /** Brings all groups to the present state. */
  const refresh = () => {
    if (subscribers === 0) return;
    const now = clock.now();
    for (const group of groups.values()) {
      const before = group.content();
      const event = group.turn(statesOf(group.query).of(deps.spot(group.query.delayMinutes)));
      if (event !== null) sendToAll(group, event, before, now);
    }
  };
  /** Sends heartbeats to silent readers, and disconnects those that do not read. */
  const attend = () => {
    const now = clock.now();
    let heartbeat: Uint8Array | null = null;
    for (const group of groups.values()) {
      for (const member of group.members) {
        if (member.blockedSince !== null && now - member.blockedSince > LONGEST_BLOCKED_MILLISECONDS) {
          totals.dropped += 1;
          forget(group, member);
          member.outlet.end();
        } else if (now - member.wroteAt < HEARTBEAT_MILLISECONDS) continue;
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
    subscribe: (query, lastEventId, outlet) => {
      const isFull = subscribers >= deps.streamSubscribers;
      if (isFull && !closed) refused.full += 1;
      refuseWhenFull(closed, isFull, deps.streamSubscribers);
      const table = deps.spot(query.delayMinutes);
      // Refused as /v1/latest refuses, before anything is sent.
      latestOf(table, query);
      // The others come first, so that all of a group hold the same.
      refresh();
      const states = statesOf(query);
      const group = groups.get(groupKey(query)) ?? newGroup(query, states, states.of(table));
      groups.set(group.key, group);
      const now = clock.now();
      const held = lastEventId === null ? null : group.heldBy(lastEventId);
      const member: Member = { outlet, held: held ?? group.content(), wroteAt: now, blockedSince: null };
      group.members.add(member);
      subscribers += 1;
      totals[held === null ? "begun" : "resumed"] += 1;
      stopChecking ??= deps.every(CHECK_MILLISECONDS, tick);
      const event = group.since(held);
      if (event !== null) write(group, member, frames.event(event, now), now);
      else {
        member.held = group.content();
        outlet.write(frames.heartbeat(now));
      }
      return {
        drained: () => {
          member.blockedSince = null;
          if (member.held !== group.content() && group.members.has(member)) catchUp(group, member);
        },
        leave: () => forget(group, member),
      };
    },
    subscribers: () => subscribers,
    totals: () => ({ ...totals, refused: { ...refused } }),
    refused: (reason) => {
      refused[reason] += 1;
    },
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

function refuseWhenFull(closed: boolean, isFull: boolean, most: number): void {
  if (closed) throw new Failure("service_unavailable", { reason: "the server is stopping; connect again" });
  if (!isFull) return;
  throw new Failure("service_unavailable", {
    reason: `all ${most} places of the stream are taken; connect again later, or poll /v1/latest`,
    retryAfterSeconds: 30,
  });
}
