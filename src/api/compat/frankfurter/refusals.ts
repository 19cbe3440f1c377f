/** Refusals of both of Frankfurter's versions, for the document. */

const MESSAGES: Readonly<Record<number, string>> = {
  401: "the API key is not valid; check it for typing errors",
  403: "without a key the last 30 days are shown, from 2026-03-15 on",
  404: "not found",
  422: "invalid date",
  429: "12 calls a minute from one address are allowed; wait 20 s, or use an API key for more",
  500: "something went wrong on our side; quote the X-Request-Id when you report it",
  503: "no rate has been collected yet, or none within 14 days; see /status",
};

/** Examples by status, each in the form that `print` gives it. */
export function refusalExamples(
  print: (status: number, message: string) => object,
): Readonly<Record<number, object>> {
  const printed = Object.entries(MESSAGES).map(([status, message]) => [
    status,
    print(Number(status), message),
  ]);
  return Object.fromEntries(printed);
}
