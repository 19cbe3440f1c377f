/** Live rates as they change: who listens, what they hold, and the one moment at which all of them are told. */

import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, HotBook } from "#ports.ts";
import { latestOf } from "#rates/latest.ts";
import type { Spot } from "#rates/spot.ts";
import type { Tell } from "#telemetry.ts";
import type { Frames, StreamEvent } from "./event.ts";
import { type Group, groupKey, newGroup, type StreamQuery } from "./group.ts";
import type { Member, Outlet } from "./member.ts";
import { newStates, type States } from "./states.ts";

/** What is not told by the book (commits, staleness, sessions) is noticed this soon. */
const LOOK_MILLISECONDS = 1_000;
/** Shorter than what proxies and servers wait on a silent connection, often 30 or 60 seconds. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** A reader that takes nothing for longer is let go. */
const LONGEST_BLOCKED_MILLISECONDS = 60_000;

export interface StreamDeps {
  readonly spot: Spot;
  readonly clock: Clock;
  readonly hotBook: Pick<HotBook, "subscribe">;
  readonly tell: Tell;
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
  /** Events written, heartbeats apart. */
  readonly events: number;
  /** Events that a reader was not sent because it did not read; it gets what they said in one later. */
  readonly coalesced: number;
  /** Readers who began with everything, and those who went on from a state that was still known. */
  readonly begun: number;
  readonly resumed: number;
  /** Readers let go because they did not read for too long. */
  readonly dropped: number;
  /** Readers for whom there was no place, by the bound that refused them. */
  readonly refused: Readonly<Record<StreamRefusal, number>>;
}

/** All places are taken; or those of one caller, of one network, of all callers without a key. */
export type StreamRefusal = "full" | "caller" | "network" | "keyless";

export interface Stream {
  /**
   * Writes the first bytes before it returns: a snapshot, or for the id of a known state what has changed since.
   * Failures: those of /v1/latest, and `service_unavailable` when all places are taken.
   */
  subscribe(query: StreamQuery, lastEventId: string | null, outlet: Outlet): Subscription;
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
  const statesOf = ({ delayMinutes }: StreamQuery): States => {
    const states = statesOfDelay.get(delayMinutes) ?? newStates();
    statesOfDelay.set(delayMinutes, states);
    return states;
  };
  const totals = { events: 0, coalesced: 0, begun: 0, resumed: 0, dropped: 0 };
  const refused = { full: 0, caller: 0, network: 0, keyless: 0 };
  let subscribers = 0;
  let closed = false;
  let stopLooking: (() => void) | null = null;

  const write = (group: Group, member: Member, bytes: Uint8Array, now: Instant) => {
    // Before the bytes: an outlet may say that it has drained while it takes them.
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
  const tellAll = (group: Group, event: StreamEvent, before: Member["held"], now: Instant) => {
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
  const look = () => {
    if (subscribers === 0) return;
    const now = clock.now();
    for (const group of groups.values()) {
      const before = group.content();
      const event = group.turn(statesOf(group.query).of(deps.spot(group.query.delayMinutes)));
      if (event !== null) tellAll(group, event, before, now);
    }
  };
  /** Says that the line is alive where nothing else did, and lets go of those who do not listen. */
  const attend = () => {
    const now = clock.now();
    let beat: Uint8Array | null = null;
    for (const group of groups.values()) {
      for (const member of group.members) {
        if (member.blockedSince !== null && now - member.blockedSince > LONGEST_BLOCKED_MILLISECONDS) {
          totals.dropped += 1;
          forget(group, member);
          member.outlet.end();
        } else if (now - member.wroteAt < HEARTBEAT_MILLISECONDS) continue;
        else if (!member.outlet.ready()) member.blockedSince ??= now;
        else {
          beat ??= frames.heartbeat(now);
          member.outlet.write(beat);
          member.wroteAt = now;
        }
      }
    }
  };
  const tick = () => {
    try {
      look();
      attend();
    } catch (fault) {
      deps.tell({ kind: "job_failed", job: "stream", error: String(fault) });
    }
  };
  const forget = (group: Group, member: Member) => {
    if (!group.members.delete(member)) return;
    subscribers -= 1;
    if (group.members.size === 0) groups.delete(group.key);
    if (subscribers === 0) {
      stopLooking?.();
      stopLooking = null;
    }
  };
  const stopHearing = deps.hotBook.subscribe(look);

  return {
    subscribe: (query, lastEventId, outlet) => {
      const isFull = subscribers >= deps.streamSubscribers;
      if (isFull && !closed) refused.full += 1;
      refuseWhenFull(closed, isFull, deps.streamSubscribers);
      const table = deps.spot(query.delayMinutes);
      // Refused as /v1/latest refuses, before anything is sent.
      latestOf(table, query);
      // The others are told first, so that all of a group hold the same.
      look();
      const states = statesOf(query);
      const group = groups.get(groupKey(query)) ?? newGroup(query, states, states.of(table));
      groups.set(group.key, group);
      const now = clock.now();
      const held = lastEventId === null ? null : group.heldBy(lastEventId);
      const member: Member = { outlet, held: held ?? group.content(), wroteAt: now, blockedSince: null };
      group.members.add(member);
      subscribers += 1;
      totals[held === null ? "begun" : "resumed"] += 1;
      stopLooking ??= deps.every(LOOK_MILLISECONDS, tick);
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
      stopHearing();
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
