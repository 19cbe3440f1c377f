/** What a fault means for the person at the keyboard: lines to print, and the exit code. */

import { Refusal, Unreachable } from "./ask/faults.ts";
import { EXIT, UsageFault } from "./command.ts";
import { printable } from "./show/style.ts";
import { shownSeconds } from "./show/times.ts";

export function exitCodeOf(fault: unknown): number {
  if (fault instanceof UsageFault) return EXIT.usage;
  if (fault instanceof Unreachable) return EXIT.unreachable;
  if (!(fault instanceof Refusal)) return EXIT.failed;
  if (fault.status === 429) return EXIT.limited;
  return fault.status >= 500 ? EXIT.unreachable : EXIT.refused;
}

/** What to do about a code of the server, where the message alone does not say it to a user of the command line. */
const ADVICE: Readonly<Record<string, string>> = {
  unsupported_base: "crossrate currencies lists the currencies",
  invalid_pair: "crossrate currencies lists the currencies",
  invalid_api_key:
    "the key is that of CROSSRATE_API_KEY, else the one that crossrate login stored; sign in again to get the current one",
  session_required: "crossrate login signs in",
  ip_rate_limited: "with a key the limits are larger: crossrate login gets one",
  quota_exceeded: "crossrate usage shows the calls of the month",
  data_unavailable: "crossrate doctor says what the server lacks",
  live_unavailable: "crossrate doctor says what the server lacks",
  internal_error: "report it to the operator of the server with the request id",
};

/** `now` is in milliseconds. Lines after the first are indented. */
export function linesOf(fault: unknown, now: number): readonly string[] {
  if (fault instanceof Unreachable)
    return [
      `${fault.url}: ${printable(fault.message)}`,
      "  crossrate doctor looks into it; crossrate serve or crossrate demo starts a server here",
    ];
  if (!(fault instanceof Refusal)) return [fault instanceof Error ? fault.message : String(fault)];
  const { message, code, status, issues, retryAfterSeconds, requestId } = fault;
  return [
    `${printable(message)} (${printable(code)}, HTTP ${status})`,
    ...issues.map((issue) => `  ${printable(issue)}`),
    ...(retryAfterSeconds === null ? [] : [`  ${againAt(retryAfterSeconds, now)}`]),
    ...(ADVICE[code] === undefined ? [] : [`  ${ADVICE[code]}`]),
    ...(requestId === null ? [] : [`  request ${printable(requestId)}`]),
  ];
}

function againAt(seconds: number, now: number): string {
  const at = new Date(now + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
  return `the server takes it again in ${shownSeconds(seconds)}, at ${at} UTC`;
}
