/** Passwords that are a name which everybody who attacks an account knows: its e-mail address, or that of the service. */

import { normalizeEmail } from "./identity.ts";

const PRODUCT = "crossrate";
/** Of a shorter name the letters alone say nothing: other passwords have them too. */
const LEAST_LETTERS = 4;

/**
 * "address": the password is the e-mail address, what stands before its @, or what stands there before a +; "product": the
 * service's name, also more than once. Both without regard to case, and also with digits, blanks and punctuation to it. Null
 * for every other password.
 */
export function guessableName(password: string, email: string | null): "address" | "product" | null {
  const plain = plainOf(password);
  const letters = lettersOf(plain);
  if (letters !== "" && letters.replaceAll(PRODUCT, "") === "") return "product";
  if (email === null) return null;
  const address = plainOf(normalizeEmail(email));
  const local = address.slice(0, Math.max(0, address.lastIndexOf("@")));
  const names = [address, local, local.split("+")[0] ?? ""].filter((name) => name !== "");
  const isName = names.some(
    (name) => plain === name || (lettersOf(name).length >= LEAST_LETTERS && letters === lettersOf(name)),
  );
  return isName ? "address" : null;
}

/** One spelling for what different keyboards send for the same characters. */
function plainOf(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function lettersOf(plain: string): string {
  return plain.replace(/[^\p{L}]/gu, "");
}
