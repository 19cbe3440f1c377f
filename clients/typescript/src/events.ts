/** Server-Sent Events: the bytes of a stream as events (HTML standard, section 9.2.6). */

export interface Frame {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

export interface FrameParser {
  /** The events that are complete with this text. */
  push(text: string): readonly Frame[];
  /** Milliseconds that the server wants between two connections; null where it has not said so. */
  retry(): number | null;
}

export function frameParser(): FrameParser {
  let rest = "";
  let retry: number | null = null;
  let lastId = "";
  let event = "";
  let data: string[] = [];
  const takeField = (name: string, value: string) => {
    if (name === "event") event = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) lastId = value;
    else if (name === "retry" && /^\d+$/.test(value)) retry = Number(value);
  };
  const takeLine = (line: string): Frame | null => {
    if (line !== "") {
      const [, name = line, value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
      takeField(name, value);
      return null;
    }
    const frame = { event: event === "" ? "message" : event, id: lastId, data: data.join("\n") };
    const isEmpty = data.length === 0;
    event = "";
    data = [];
    return isEmpty ? null : frame;
  };
  return {
    retry: () => retry,
    push: (text) => {
      // A carriage return at the end may be the first half of a line break.
      const lines = `${rest}${text}`.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      return lines.map(takeLine).filter((frame) => frame !== null);
    },
  };
}
