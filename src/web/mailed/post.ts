/** Calls this server's API from a page. Refusals become sentences. */

const PATIENCE_MILLISECONDS = 30_000;

export type Posted =
  | { readonly answer: Answer }
  /** `paths`: the members of the body that are at fault, as JSON pointers. */
  | { readonly refusal: string; readonly paths: readonly string[] };

/** What a page reads of a success. */
export interface Answer {
  readonly result: string;
  readonly identity?: { readonly email: string | null };
}

/** Never rejects. */
export async function post(path: string, body: object): Promise<Posted> {
  let response: Response | undefined;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
    const answer = await response.json();
    return response.ok ? { answer } : refused(answer);
  } catch {
    // No answer of the API: there is none at all, or one of something in between.
    const reason =
      response === undefined ? "the server cannot be reached" : `the server answered with ${response.status}`;
    return { refusal: `${reason}; try again in a moment`, paths: [] };
  }
}

interface RefusalBody {
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

function refused({ message, errors = [] }: RefusalBody): Posted {
  // Of a body that cannot be taken the message says only that; what is wrong is beside it.
  const refusal = errors.length === 0 ? message : errors.map((error) => error.message).join("; ");
  return { refusal, paths: errors.map((error) => error.path) };
}
