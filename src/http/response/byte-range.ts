/** Which part of a file a GET asks for, and under which conditions: RFC 9110 §13 and §14 for strong tags and single ranges. */

/** A part from `start` up to, not including, `end`. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const SINGLE = /^bytes[ \t]*=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** Conditions on the version, in the order of RFC 9110 §13.2.2: If-Match ("failed"), If-None-Match ("unmodified"). */
export function judgeConditions(headers: Headers, etag: string): "failed" | "unmodified" | "met" {
  const required = headers.get("if-match");
  if (required !== null && !lists(required, etag)) return "failed";
  const known = headers.get("if-none-match");
  // Weak comparison: here alone.
  if (known !== null && lists(known.replace(/(^|,)\s*W\//g, "$1"), etag)) return "unmodified";
  return "met";
}

/**
 * The part of a file of `size` bytes that Range asks for, where If-Range allows it. Several ranges at once, other units
 * and what is no range at all are ignored, as the RFC lets a server do: "whole".
 */
export function rangeOf(request: Request, etag: string, size: number): Part | "whole" | "unsatisfiable" {
  const { headers, method } = request;
  const range = headers.get("range");
  // Range means something for GET alone.
  if (range === null || method !== "GET") return "whole";
  const unchangedSince = headers.get("if-range");
  // A date cannot match: no Last-Modified is ever sent.
  if (unchangedSince !== null && unchangedSince.trim() !== etag) return "whole";
  return partOf(range, size);
}

function partOf(range: string, size: number): Part | "whole" | "unsatisfiable" {
  const [, first, last] = SINGLE.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return "whole";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}

function lists(header: string, etag: string): boolean {
  return header.trim() === "*" || header.split(",").some((candidate) => candidate.trim() === etag);
}
