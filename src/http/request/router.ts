/** Checks the length of a URL and the Host of a request, and finds the route of its path. docs/decisions/0001-http-router.md says why the router is our own. */

import { Failure } from "#domain/faults/errors.ts";
import { hostNameOf } from "#domain/net/host.ts";
import type { Params, Route } from "./route.ts";

/** Many times what any documented request needs. The runtime takes up to 16 KB, and stores it while a request waits for its turn. */
const MOST_CHARACTERS = 8192;

/** Whether the URL, with scheme and host, is longer than any is answered. */
export function isTooLong(url: string): boolean {
  return url.length > MOST_CHARACTERS;
}

/** Failure `uri_too_long`. */
export function admitLength({ url }: Request): void {
  if (isTooLong(url)) throw new Failure("uri_too_long", { limit: MOST_CHARACTERS });
}

/** Balancers ask these in HTTP/1.0, without a Host. */
const PROBES: ReadonlySet<string> = new Set(["/health", "/status"]);

/** Failure `misdirected_request` for a Host that is malformed, absent, or not in the list (an empty list allows any). */
export function admitHost({ headers }: Request, path: string, allowed: readonly string[]): void {
  const host = headers.get("host") ?? "";
  if (host === "" && PROBES.has(path.replace(/\/$/, ""))) return;
  const name = hostNameOf(host);
  if (name === null) throw new Failure("misdirected_request");
  if (allowed.length > 0 && !allowed.includes(name)) throw new Failure("misdirected_request");
}

export interface Found {
  readonly route: Route;
  readonly params: Params;
}

interface Node {
  readonly children: Map<string, Node>;
  parameter: Node | null;
  readonly routes: Leaf[];
}

interface Leaf {
  readonly route: Route;
  /** Where in the path its parameters are. */
  readonly parameters: readonly (readonly [name: string, index: number])[];
}

const NONE: Params = {};

const DATED = /^\/v1\/:date\b/;
/** Replaces a segment whose % escapes are broken: no route matches it. */
const UNREADABLE = "\uFFFD";

/** A literal segment goes before a parameter; a slash at the end means nothing. */
export function newRouteTable(routes: readonly Route[]) {
  const root = newNode();
  const taken = new Set<string>();
  for (const route of routes) {
    const segments = segmentsOf(route.path);
    const parameters = segments.flatMap((name, index) =>
      name.startsWith(":") ? [[name.slice(1), index] as const] : [],
    );
    leafOf(root, segments).routes.push({ route, parameters });
    const [first, second = ":"] = segments;
    if (first === "v1" && !second.startsWith(":")) taken.add(second);
  }
  return {
    /** The route that answers a method (HEAD as GET) on a path; null where there is none. */
    find: (method: string, path: string): Found | null => {
      const wanted = method === "HEAD" ? "GET" : method;
      const segments = segmentsOf(path);
      const leaf = routeAt(
        root,
        segments,
        0,
        (found) => found.route.method === wanted && isAccepted(found, segments),
      );
      return leaf === null ? null : { route: leaf.route, params: paramsOf(leaf, segments) };
    },
    /** The routes of a path, whatever their methods. What begins with another route's segment is never taken for a date. */
    of: (path: string): readonly Route[] => {
      const segments = segmentsOf(path);
      const found: Route[] = [];
      routeAt(root, segments, 0, (leaf) => {
        const { route } = leaf;
        if (!isAccepted(leaf, segments)) return false;
        if (!(DATED.test(route.path) && taken.has(segments[1] ?? ""))) found.push(route);
        return false;
      });
      return found;
    },
    /** Whether a segment below /v1 begins another route, so that it stands for no date. */
    isTaken: (segment: string) => taken.has(segment),
  };
}

function newNode(): Node {
  return { children: new Map(), parameter: null, routes: [] };
}

function segmentsOf(path: string): string[] {
  return path.slice(1, path.length > 2 && path.endsWith("/") ? -1 : undefined).split("/");
}

function leafOf(root: Node, segments: readonly string[]): Node {
  let node = root;
  for (const segment of segments) {
    if (segment.startsWith(":")) {
      node.parameter ??= newNode();
      node = node.parameter;
      continue;
    }
    const child = node.children.get(segment) ?? newNode();
    node.children.set(segment, child);
    node = child;
  }
  return node;
}

/** The first route of the path that `takes` accepts, the most literal first. */
function routeAt(
  node: Node,
  segments: readonly string[],
  depth: number,
  takes: (leaf: Leaf) => boolean,
): Leaf | null {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.find(takes) ?? null;
  const child = node.children.get(segment);
  const literal = child === undefined ? null : routeAt(child, segments, depth + 1, takes);
  if (literal !== null || node.parameter === null || segment === "") return literal;
  return routeAt(node.parameter, segments, depth + 1, takes);
}

function isAccepted(leaf: Leaf, segments: readonly string[]): boolean {
  return leaf.route.accepts?.(paramsOf(leaf, segments)) !== false;
}

function paramsOf({ parameters }: Leaf, segments: readonly string[]): Params {
  if (parameters.length === 0) return NONE;
  const params: Record<string, string> = {};
  for (const [name, index] of parameters) params[name] = decoded(segments[index] as string);
  return params;
}

function decoded(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return UNREADABLE;
  }
}

/** Methods as the Allow header writes them, or null where there is no route. */
export function allowedMethods(routes: readonly Route[]): string | null {
  const methods = new Set(routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  return methods.size === 0 ? null : [...methods, "OPTIONS"].join(", ");
}
