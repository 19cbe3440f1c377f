/** A strict reader of Server-Sent Events (HTML standard, section 9.2.6): what a lenient client would forgive is an error here. */

export interface SseEvent {
  readonly name: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read the members of data freely
  readonly data: any;
  readonly text: string;
}

export interface SseText {
  readonly events: SseEvent[];
  readonly comments: string[];
  retry: number | null;
}

const NAMES = ["snapshot", "rates", "unavailable"];

/** Takes bytes as they come, cut anywhere; every complete line is in the result at once. */
export function newSseParser(): SseText & { push(bytes: Uint8Array): void } {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  let block = "";
  const fields = new Map<string, string>();
  const parsed: SseText & { push(bytes: Uint8Array): void } = {
    events: [],
    comments: [],
    retry: null,
    push: (bytes) => {
      rest += decoder.decode(bytes, { stream: true });
      if (/\r/.test(rest)) throw new Error("a carriage return in the stream");
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        block += `${line}\n`;
        if (line !== "") takeLine(parsed, fields, line);
        else {
          takeEvent(parsed, fields, block);
          fields.clear();
          block = "";
        }
      }
    },
  };
  return parsed;
}

function takeLine(parsed: SseText, fields: Map<string, string>, line: string): void {
  if (line.startsWith(": ")) {
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(line.slice(2)))
      throw new Error(`a strange comment: ${line}`);
    parsed.comments.push(line.slice(2));
    return;
  }
  const [, name = "", value = ""] = /^(event|id|data|retry): (.+)$/.exec(line) ?? [];
  if (name === "") throw new Error(`not a line of an event: ${JSON.stringify(line)}`);
  if (fields.has(name)) throw new Error(`${name} twice in an event`);
  fields.set(name, value);
}

/** An empty line, after which every reader may give an event. */
function takeEvent(parsed: SseText, fields: ReadonlyMap<string, string>, text: string): void {
  const retry = fields.get("retry");
  if (retry !== undefined) {
    if (parsed.retry !== null || parsed.events.length > 0 || !/^\d+$/.test(retry)) throw new Error("retry");
    parsed.retry = Number(retry);
  }
  const [name, id, data] = [fields.get("event"), fields.get("id"), fields.get("data")];
  if (name === undefined || !NAMES.includes(name)) throw new Error(`an event named ${name}`);
  if (id === undefined || !/^[\x21-\x7e]{1,64}$/.test(id)) throw new Error(`an event with the id ${id}`);
  if (data === undefined) throw new Error("an event without data");
  parsed.events.push({ name, id, data: JSON.parse(data), text });
}

export interface SseReader extends SseText {
  readonly response: Response;
  ended(): boolean;
  /** Lets everything arrive that is on its way inside this process. */
  settle(): Promise<void>;
  pause(): void;
  resume(): void;
  leave(): Promise<void>;
}

export function readSse(response: Response): SseReader {
  if (response.body === null) throw new Error("a stream without a body");
  const reader = response.body.getReader();
  const parser = newSseParser();
  let [ended, paused, reading, left] = [false, false, false, false];
  let fault: unknown = null;
  const readOn = async () => {
    reading = true;
    try {
      while (!paused && !left) {
        const { done, value } = await reader.read();
        if (done) {
          ended = true;
          break;
        }
        parser.push(value);
      }
    } catch (thrown) {
      if (!left) fault = thrown;
    } finally {
      reading = false;
    }
  };
  void readOn();
  return Object.assign(parser, {
    response,
    ended: () => ended,
    settle: async () => {
      await turn();
      if (fault !== null) throw fault;
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      if (!reading) void readOn();
    },
    leave: async () => {
      left = true;
      await reader.cancel();
    },
  });
}

/** One turn of the event loop: everything that waits for nothing outside this process has happened. */
export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
