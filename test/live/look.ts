/** One request of every surface, with every number as its printed digits. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Fixture } from "./fixture.ts";

export interface Latest {
  readonly base: string;
  readonly source: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly market_session: string;
  readonly timestamp: string;
  readonly data_updated_at: string;
  readonly effective_at: Readonly<Record<string, string>>;
  readonly rates: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
}

export interface Pair {
  readonly rate: string;
  readonly converted?: string;
  readonly source: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly market_session: string;
  readonly stale: boolean;
  readonly data_updated_at: string;
}

export interface LiveData {
  readonly status: string;
  readonly source: string | null;
  readonly market_session: string;
  readonly live_currencies: string;
  readonly stale: readonly string[];
  readonly unconfirmed: readonly string[];
  readonly refused: readonly object[];
  readonly feeds: readonly {
    readonly feed: string;
    readonly speaks_for: string;
    readonly outcome: string;
    readonly detail: string | null;
    readonly paused_until: string | null;
  }[];
}

export interface Look {
  readonly dollar: Latest;
  readonly euro: Latest | null;
  readonly yen: Latest | null;
  readonly convert: Pair | null;
  readonly rate: Pair | null;
  readonly currencies: {
    readonly currencies: readonly { readonly code: CurrencyCode; readonly live: boolean }[];
  };
  readonly status: { readonly status: string; readonly checks: { readonly live_data: LiveData } };
}

/** Requests all of it; null for what is refused as live_unavailable. `documented`: every answer is checked against the OpenAPI document, too. */
export async function look(fixture: Fixture, documented = false): Promise<Look> {
  const ask = async <T>(path: string): Promise<T | null> => {
    const { app } = fixture.running();
    const response = await (documented ? app.ask(path) : app.visit(path));
    const body = withDigits(await response.text()) as { readonly code?: string };
    if (response.status === 200) return body as T;
    if (response.status === 503 && body.code === "live_unavailable") return null;
    throw new Error(`${path} ${response.status} ${JSON.stringify(body)}`);
  };
  const must = async <T>(path: string): Promise<T> => {
    const body = await ask<T>(path);
    if (body === null) throw new Error(`${path} is refused`);
    return body;
  };
  return {
    dollar: await must("/v1/latest"),
    euro: await ask("/v1/latest/EUR"),
    yen: await ask("/v1/latest?base=JPY&symbols=USD,EUR,SEK,NOK,TWD"),
    convert: await ask("/v1/convert/EUR/JPY/100"),
    rate: await ask("/v1/rate/usd-mxn"),
    currencies: await must("/v1/currencies"),
    status: await must("/status"),
  };
}

/** JSON whose numbers are texts: the digits as they were sent. */
export function withDigits(text: string): unknown {
  const digits = (_: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? context?.source : value;
  return JSON.parse(text, digits as Parameters<typeof JSON.parse>[1]);
}

export async function refusalOf(fixture: Pick<Fixture, "running">, path: string) {
  const response = await fixture.running().app.ask(path);
  const { code, message } = await response.json();
  return { status: response.status, code, message, retryAfter: Number(response.headers.get("retry-after")) };
}
