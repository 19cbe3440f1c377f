/** Runs in the browser: one call of this server's API, whose refusals come back as sentences. */

const PATIENCE_MILLISECONDS = 30_000;

/**
 * Resolves with `{ answer }`, the body of a success, or with `{ refusal, paths }`: what to tell a person, and the members
 * of the body that are at fault as JSON pointers. Never rejects.
 */
export async function post(path, body) {
  let response;
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
    // Not the API speaks: nobody does, or something in between.
    const reason =
      response === undefined ? "the server cannot be reached" : `the server answered with ${response.status}`;
    return { refusal: `${reason}; try again in a moment`, paths: [] };
  }
}

function refused({ message, errors = [] }) {
  // Of a body that cannot be taken the message says only that; what is wrong stands beside it.
  const refusal = errors.length === 0 ? message : errors.map((error) => error.message).join("; ");
  return { refusal, paths: errors.map((error) => error.path) };
}
