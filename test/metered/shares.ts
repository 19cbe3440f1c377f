/** A limit under a crowd: mixed-cost calls of one key at once, and the server's answer to each. */

import { batchOf, bearer, type Limits, limitsIn } from "./client.ts";
import type { Replica } from "./replica.ts";

export interface Outcome {
  readonly cost: number;
  readonly status: number;
  readonly limits: Limits | null;
  readonly retryAfter: number | null;
}

/** Costs from 1 to 12 in a fixed disorder: every third call is a GET, which costs 1. */
function costOf(nth: number): number {
  return nth % 3 === 0 ? 1 : 1 + ((nth * 7) % 12);
}

/** So many calls at once, dealt to the replicas in turn. */
export async function crowd(replicas: readonly Replica[], key: string, calls: number): Promise<Outcome[]> {
  const pending = Array.from({ length: calls }, async (_, nth): Promise<Outcome> => {
    const { url } = replicas[nth % replicas.length] as Replica;
    const cost = costOf(nth);
    const answer = await callOf(url, key, cost);
    await answer.arrayBuffer();
    const wait = answer.headers.get("Retry-After");
    return {
      cost,
      status: answer.status,
      limits: limitsIn(answer),
      retryAfter: wait === null ? null : Number(wait),
    };
  });
  return await Promise.all(pending);
}

function callOf(url: string, key: string, cost: number): Promise<Response> {
  const headers = bearer(key);
  if (cost === 1) return fetch(`${url}/v1/latest?symbols=USD`, { headers });
  return fetch(`${url}/v1/convert`, batchOf(cost, headers));
}

export function grantedCost(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { status, cost }) => sum + (status === 200 ? cost : 0), 0);
}

export function countOf(outcomes: readonly Outcome[], status: number): number {
  return outcomes.filter((one) => one.status === status).length;
}
