/** Parts of all pages: headers, assets, and the response with a rendered document. */

import { createHash } from "node:crypto";
import type { SessionCallerDeps } from "#accounts/identity/deps.ts";
import { sessionCaller } from "#accounts/identity/sessions.ts";
import { credentialsOf } from "#api/plugins/session.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { codedPayload, respond, respondEmpty } from "#api/response/respond.ts";
import {
  createStaticBody,
  type StaticBody,
  type StaticDeps,
  staticFiles,
} from "#api/response/static-body.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { type Asset, openAssets } from "./assets.ts";
import type { Site } from "./shared/page.tsx";
import { CONTENT_SECURITY_POLICY } from "./shared/policy.ts";

export interface FrameDeps extends StaticDeps {
  readonly dataset: () => Dataset | null;
  readonly caches: CacheBudget;
  /** Origin under which people reach the server. */
  readonly publicUrl: string;
  readonly version: string;
  /** Null when access is open to everybody. */
  readonly identity: SessionCallerDeps | null;
  readonly turns: ComputeTurns;
}

const HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": CONTENT_SECURITY_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "X-Frame-Options": "DENY",
};

const HTML = "text/html; charset=utf-8";

/** The document of a URL. It is valid while `epoch` is the same object. */
interface Shared {
  readonly epoch: unknown;
  readonly send: (request: Request) => Promise<Response>;
}

/** The size of a document with its compressed forms, as a multiple of its length. */
const CODED_LENGTHS = 2;

/** Names with a digest of the content never change; the plain name is revalidated. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATED = "public, max-age=300, must-revalidate";

export interface PageOptions {
  readonly status?: number;
  /** For one person alone: no cache stores it, and no page of another site reads it. By default true for people who are signed in. */
  readonly isPrivate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Frame = ReturnType<typeof openFrame>;

export function openFrame(deps: FrameDeps) {
  let named: Bundle | null = null;
  const bundle = async (): Promise<Bundle> => {
    named ??= nameByContent(await openAssets(), deps);
    return named;
  };
  const shared = deps.caches.cache<string, Shared>("pages", { share: 0.25 });
  /** Requests of people who are signed in: their documents are not shared. */
  const people = new WeakSet<Request>();
  const page = (
    request: Request,
    html: string,
    { status = 200, isPrivate, headers }: PageOptions = {},
  ): Response => {
    const access =
      (isPrivate ?? people.has(request))
        ? { cacheControl: "no-store", exposed: null }
        : { cacheControl: "no-cache" };
    const fields = { mime: HTML, ...access, headers: { ...HEADERS, ...headers }, status };
    return respond(request, deps, fields, () => codedPayload(request, new TextEncoder().encode(html)));
  };
  const cachedPage = (request: Request, epoch: unknown): Promise<Response> | null => {
    const kept = people.has(request) ? undefined : shared.get(request.url);
    return kept === undefined || kept.epoch !== epoch ? null : kept.send(request);
  };
  return {
    /** Sends a script, a style or a picture. Failure `not_found`. */
    asset: async (request: Request, file: string) => (await bundle()).send(request, file),
    /** Facts about the installation for pages. Waits for the caller's turn. Rejects when the assets cannot be bundled. */
    site: async (request: Request): Promise<Site> => {
      const { addressOf } = await bundle();
      await deps.turns.take(request, "continues");
      const person = await personOf(deps.identity, request);
      if (person !== null) people.add(request);
      return {
        person,
        origin: deps.publicUrl,
        isSimulated: deps.simulated,
        realThrough: deps.dataset()?.realThrough ?? null,
        hasAccounts: deps.identity !== null,
        version: deps.version,
        asset: (name) => `/site/${addressOf.get(name) ?? name}`,
      };
    },
    page,
    /** Sends a document that many visitors see. It is made, tagged and compressed once while `epoch` is the same object. */
    sharedPage: async (request: Request, epoch: unknown, make: () => string): Promise<Response> => {
      if (people.has(request)) return page(request, make());
      const answer = cachedPage(request, epoch);
      if (answer !== null) return await answer;
      const document = new Blob([make()]);
      const body = { mime: HTML, cacheControl: "no-cache", headers: HEADERS, load: () => document };
      const made = { epoch, send: createStaticBody(body, deps) };
      shared.set(request.url, made, CODED_LENGTHS * document.size + request.url.length);
      return await made.send(request);
    },
    /** Sends a shared document that is already made; null without one. */
    cachedPage,
    /** 308 to the one address of a page; the path is this server's own. */
    moved: (request: Request, path: string): Response => {
      const headers = { Location: path + (URL.parse(request.url)?.search ?? "") };
      return respondEmpty(request, deps, { status: 308, cacheControl: REVALIDATED, headers });
    },
  };
}

/** Null without a live session, and when sessions cannot be read: then the page is the one for everybody. */
async function personOf(identity: SessionCallerDeps | null, request: Request): Promise<Site["person"]> {
  if (identity === null || identity.cookies.session.read(request.headers.get("cookie")) === null) return null;
  // As for a GET, whatever the method: showing a page changes nothing.
  const credentials = { ...credentialsOf(request), authorization: null, mutates: false };
  return await sessionCaller(identity, credentials).then(
    (caller) => ({ email: caller.identity.email }),
    () => null,
  );
}

type Bundle = ReturnType<typeof nameByContent>;

/** "landing.js" → "landing.1a2b3c4d.js", also where the style sheet names the typeface. Chunks carry a digest already. */
function nameByContent(assets: ReadonlyMap<string, Asset>, deps: StaticDeps) {
  const addressOf = new Map<string, string>();
  const files: Record<string, StaticBody> = {};
  // The style sheet comes last, when all files that it refers to have their names.
  const inOrder = [...assets].sort(([a], [b]) => Number(a.endsWith(".css")) - Number(b.endsWith(".css")));
  for (const [name, made] of inOrder) {
    const { mime, bytes } = name.endsWith(".css") ? withAddresses(made, addressOf) : made;
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
    const address = name.replace(/\.([a-z0-9]+)$/, `.${digest}.$1`);
    const body = { mime, cacheControl: IMMUTABLE, load: () => bytes };
    addressOf.set(name, address);
    files[address] = body;
    files[name] = name.startsWith("chunk-") ? body : { ...body, cacheControl: REVALIDATED };
  }
  return { addressOf, send: staticFiles(files, deps) };
}

function withAddresses(sheet: Asset, addressOf: ReadonlyMap<string, string>): Asset {
  const text = new TextDecoder()
    .decode(sheet.bytes)
    .replace(/\/site\/([a-z.0-9-]+)/g, (_, name: string) => `/site/${addressOf.get(name) ?? name}`);
  return { ...sheet, bytes: new TextEncoder().encode(text) };
}
