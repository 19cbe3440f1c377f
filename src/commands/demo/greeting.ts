/** What the demo prints: its address and key with the first rates, and calls to copy when every source is read. */

import type { Running } from "#commands/run-server.ts";
import type { Receiver } from "#demo/receiver.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";

/** null where access is open. */
export type DemoAccount = Awaited<ReturnType<Running["demoAccount"]>>;

interface Opening {
  readonly url: string;
  readonly version: string;
  readonly account: DemoAccount;
  /** Where the clock began, when that is not now. */
  readonly movedTo: Instant | null;
}

export function opening({ url, version, account, movedTo }: Opening): string {
  const moved =
    movedTo === null
      ? ""
      : `
  The market is closed now, so the demo's clock began at ${formatInstant(movedTo)}; NOW=… sets it.
`;
  const key =
    account === null
      ? ""
      : `
    KEY=${account.key}     # on the plan pro; without a key 12 calls a minute and the last 30 days
`;
  return `
  crossrate ${version} answers on ${url}   — SIMULATED rates, nothing here is real
${moved}${key}
    curl '${url}/v1/latest?symbols=EUR,JPY'

  The other sources and the history since 1999 are being read, for some seconds.`;
}

interface Calls {
  readonly url: string;
  readonly account: DemoAccount;
  readonly receiver: Pick<Receiver, "url"> | null;
  /** Whether every source is read. */
  readonly isComplete: boolean;
}

export function calls({ url, account, receiver, isComplete }: Calls): string {
  const key = account === null ? "" : ` -H "Authorization: Bearer $KEY"`;
  const signIn =
    account === null
      ? ""
      : `
  Sign in at ${url}/dashboard as ${account.email} with the password ${account.password}
`;
  const deliveries =
    receiver === null
      ? ""
      : `    curl '${receiver.url}'     # signed webhooks about official publications, as they arrive
`;
  return `${isComplete ? "\n  Every source is read.\n" : ""}
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'${key}
    curl '${url}/v1/convert/USD/EUR/100'
    curl -N '${url}/v1/stream?symbols=EUR,JPY'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'${key}
    curl '${url}/v1/official/mex/fix/publications/latest'
${deliveries}${signIn}
    ${url}/         all rates as they move, and where each comes from
    ${url}/docs     the guides and the reference
    ${url}/status   how old the data is, and why

  Ctrl-C stops it.
`;
}
