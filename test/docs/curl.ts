/** A curl line of the documents, as a request: enough of curl for what they show. */

export interface CurlCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** -N: the answer is read as it comes, and may have no end. */
  readonly isStream: boolean;
}

/** Calls of a shell block: every command that starts with curl, continued lines joined. Throws for an option it does not know. */
export function curlCalls(block: string): readonly CurlCall[] {
  return block
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.startsWith("curl "))
    .map(readCall);
}

function readCall(line: string): CurlCall {
  const parts = Array.from(line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? "");
  const headers: Record<string, string> = {};
  let url = "";
  let method: string | null = null;
  let body: string | null = null;
  let isStream = false;
  for (let at = 1; at < parts.length; at++) {
    const part = parts[at] as string;
    const next = () => parts[++at] ?? "";
    if (part === "-X") method = next();
    else if (part === "-d") body = next();
    else if (part === "-o") next();
    else if (part === "-N") isStream = true;
    else if (part === "-H") {
      const [name = "", ...value] = next().split(": ");
      headers[name] = value.join(": ");
    } else if (/^https?:/.test(part)) url = part;
    else if (!/^-s?S?f?$|^-OJ$/.test(part)) throw new Error(`a curl option the test does not know: ${part}`);
  }
  return { url, method: method ?? (body === null ? "GET" : "POST"), headers, body, isStream };
}
