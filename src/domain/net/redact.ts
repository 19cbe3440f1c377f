/** Removes everything that looks like a secret from texts before they are logged: the last line of defence. */

const GONE = "[redacted]";

const HEADERS = "(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|stripe-signature";
const FIELDS =
  "(?:sentinel_)?password|passwd|client_secret|code_verifier|access_token|id_token|refresh_token|MASTER_KEYS|KEY_PEPPER";

const TOKENS: readonly (readonly [RegExp, string])[] = [
  // Keys and tokens of this product. Eight characters of a key stay to identify it, and 24 are removed.
  [/(fxk_[0-9A-Za-z]{8})[0-9A-Za-z]+/g, `$1${GONE}`],
  [/(fx[so]_)[0-9A-Za-z]{9,}/g, `$1${GONE}`],
  [/(whsec_)[A-Za-z0-9+/=_-]+/g, `$1${GONE}`],
  [/((?:sk|rk)_(?:live|test)_)[A-Za-z0-9]+/g, `$1${GONE}`],
  // A JWT, also within a word. The pattern first looks for the dots, once a word: this keeps the time linear.
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.)([\w-]*?)eyJ[\w-]+\.[\w-]+\.[\w-]*/g, `$1${GONE}`],
  [/\$argon2(?:id|i|d)\$[^\s"']+/g, GONE],
];

/** Values that are named as credentials in a query, also where the query is escaped in a path. */
const PARAMETERS: readonly [RegExp, string] = [
  /((?:[?&]|%3f|%26)(?:code|state|token|key|api_key|apikey|app_id|secret)(?:=|%3d))[^\s"'&#\\]+/gi,
  `$1${GONE}`,
];

/**
 * Applied in this order. Each leaves what helps to find the cause, such as a header's name. Every pattern takes linear time, and
 * changes nothing when applied twice.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Values in quotes: "…" or '…' to their end, and JSON inside a string of JSON, where a quote is \" and one within it \\\".
  [rule(`((?:${HEADERS}|${FIELDS})["']?\\s*[:=](?:\\s*\\[)?\\s*")(?:[^"\\\\]|\\\\.)*`), `$1${GONE}`],
  [rule(`((?:${HEADERS}|${FIELDS})["']?\\s*[:=](?:\\s*\\[)?\\s*')(?:[^'\\\\]|\\\\.)*`), `$1${GONE}`],
  [rule(`((?:${HEADERS}|${FIELDS})\\\\"\\s*:(?:\\s*\\[)?\\s*\\\\")(?:[^"\\\\]|\\\\\\\\\\\\.)*`), `$1${GONE}`],
  // Headers as they are sent: to the end of the line, or of the JSON string that contains the line.
  [
    rule(`((?:${HEADERS})\\s*[:=]\\s*)(?!["'\\\\])(?:="[^"\\r\\n]*"(?=[,;\\s']|$)|[^"\\\\\\r\\n]|\\\\.)+`),
    `$1${GONE}`,
  ],
  [rule(`((?:${FIELDS})\\s*[:=]\\s*)[^\\s"'&\\\\]+`), `$1${GONE}`],
  [/((?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{6,}/gi, `$1${GONE}`],
  ...TOKENS,
  // Credentials in addresses: before the @, and in parameters.
  [/([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"']{1,400}@/gi, `$1${GONE}@`],
  PARAMETERS,
];

/** A text without secrets is returned as it is. */
export function redact(text: string): string {
  return RULES.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

/** For our own messages about what a caller sent: tokens by their form, and credentials in queries. */
export function redactTokens(text: string): string {
  return [...TOKENS, PARAMETERS].reduce(
    (rest, [pattern, replacement]) => rest.replace(pattern, replacement),
    text,
  );
}

function rule(pattern: string): RegExp {
  return new RegExp(pattern, "gi");
}
