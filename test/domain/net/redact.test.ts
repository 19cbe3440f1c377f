/** What reaches a log holds no secret, however it is written around it, and stays readable. */

import { expect, test } from "bun:test";
import { redact } from "#domain/net/redact.ts";
import { words } from "#test/support/words.ts";

const KEY = "fxk_0123456789ABCDEFGHIJKLMNOPQRSTUV2ojSWu";
const SESSION = `fxs_${"S3cret".repeat(9)}abcd`;
const ONE_TIME = `fxo_${"S3cret".repeat(9)}abcd`;
const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzZWNyZXQifQ.S3cretSignature_-";
const STRIPE = ["sk", "live", "51H8S3cret"].join("_");

/** Text, and what must be gone from it. */
const LEAKS: readonly (readonly [string, string])[] = [
  [`key ${KEY} refused`, KEY.slice(12)],
  [`https://rates.example.com/v1/latest?api_key=${KEY}`, KEY.slice(12)],
  [`prefix_${KEY}_suffix`, KEY.slice(12)],
  [KEY.slice(0, 30), KEY.slice(13, 30)],
  [`session ${SESSION}`, "S3cret"],
  [`link https://rates.example.com/reset?token=${ONE_TIME}`, "S3cret"],
  [`Authorization: Bearer ${JWT}`, "S3cret"],
  ["authorization: Basic dXNlcjpTM2NyZXQ=", "dXNlcjpTM2NyZXQ"],
  [JSON.stringify({ headers: { authorization: `Bearer ${JWT}` } }), "S3cret"],
  [JSON.stringify(JSON.stringify({ Authorization: "Token S3cret" })), "S3cret"],
  ["Proxy-Authorization: Basic S3cretS3cret", "S3cret"],
  [JSON.stringify({ cookie: 'a="S3cret"; b=S3cret' }), "S3cret"],
  [JSON.stringify(JSON.stringify({ cookie: 'a="S3cret"; b=S3cret' })), "S3cret"],
  [JSON.stringify({ text: "sent\nAuthorization: Bearer S3cret\nHost: a" }), "S3cret"],
  ["{ authorization: 'Bearer S3cret', cookie: [ 'S3cret' ] }", "S3cret"],
  ["curl -H 'Authorization: Digest username=\"a\", response=S3cret' x", "S3cret"],
  ["failed with bearer S3cretS3cret", "S3cret"],
  ["Cookie: theme=dark; __Host-crossrate_session=S3cret", "S3cret"],
  ["Set-Cookie: crossrate_session=S3cret; Path=/", "S3cret"],
  ['{"cookie":"a=S3cret"}', "S3cret"],
  [`id_token=${JWT}`, "S3cret"],
  [`the token ${JWT} has expired`, "S3cret"],
  [`jwt_${JWT}`, "S3cret"],
  [`tokeneyJa-${JWT}%22`, "S3cret"],
  ["%22Bearer S3cretS3cret%22", "S3cret"],
  ["PGPASSWORD=S3cret psql", "S3cret"],
  ["postgres://crossrate:p@S3cret@db/crossrate", "S3cret"],
  ["whsec_S3cret+/abc==", "S3cret"],
  [`Invalid API Key provided: ${STRIPE}`, "S3cret"],
  [`rk_test_S3cret`, "S3cret"],
  ["hash $argon2id$v=19$m=65536,t=2,p=1$c2FsdA$S3cret", "S3cret"],
  ["redis://default:S3cret@redis.internal:6379/0 refused", "S3cret"],
  [
    "rediss+sentinel://ada:S3cret@a:26379,b:26379/rates?sentinel_username=ada&sentinel_password=S3cret",
    "S3cret",
  ],
  ["redis+sentinel://a,b/rates?sentinel_password=S3cret refused", "S3cret"],
  ["redis+cluster://:S3cret@10.0.0.1:7000,10.0.0.2:7000 refused", "S3cret"],
  ["postgres://crossrate:S3cr%40et@db/crossrate", "S3cr"],
  ["smtp://S3cret@mail.example.com", "S3cret"],
  ["password=S3cret&next=/", "S3cret"],
  ['{"password":"S3cret with spaces"}', "S3cret"],
  ["client_secret: S3cret", "S3cret"],
  ["MASTER_KEYS=a:S3cret=,b:S3cret=", "S3cret"],
  ["KEY_PEPPER=S3cret", "S3cret"],
  ["GET /auth/callback?code=S3cret&state=S3cret", "S3cret"],
];

test.each([...LEAKS])("%j loses its secret", (text, secret) => {
  expect(redact(text)).not.toContain(secret);
  expect(redact(text)).toContain("[redacted]");
  expect(redact(redact(text))).toBe(redact(text));
});

test("what helps to find the cause stays", () => {
  expect(redact(`GET /v1/latest by ${KEY} from 192.0.2.1`)).toBe(
    "GET /v1/latest by fxk_01234567[redacted] from 192.0.2.1",
  );
  expect(redact("redis://default:S3cret@redis.internal:6379/0 refused")).toBe(
    "redis://[redacted]@redis.internal:6379/0 refused",
  );
  expect(redact(`{"authorization":"Bearer ${JWT}","path":"/v1/latest"}`)).toBe(
    '{"authorization":"[redacted]","path":"/v1/latest"}',
  );
});

test("a line of JSON stays JSON", () => {
  const line = {
    text: `sent Authorization: Basic dXNlcjpTM2NyZXQ=`,
    path: "/v1/latest",
    cookie: 'a="S3cret"',
    n: 1,
  };
  expect(JSON.parse(redact(JSON.stringify(line)))).toEqual({
    text: "sent Authorization: [redacted]",
    path: "/v1/latest",
    cookie: "[redacted]",
    n: 1,
  });
});

test.each([
  "",
  "collected ecb_daily by daily_xml: 30 accepted, 0 revised",
  '{"time":"2026-04-13T16:30:00.000Z","level":"info","event":"server_started","url":"http://127.0.0.1:3000"}',
  "key fxk_01234567 rotated by idn_0123456789abcdefghij",
  "someone@example.com signed in",
  "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml?abc=1",
  "the authorization was refused; state is open",
])("%j has no secret and stays as it is", (text) => {
  expect(redact(text)).toBe(text);
});

test("a hostile text of a megabyte is got through", () => {
  for (const unit of [
    "Bearer ",
    ...words("eyJ eyJ- :// a:// $argon2id$ cookie: fxk_ ?code= x@ password= aeyJ."),
  ]) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
    expect(redact(text).length).toBeGreaterThan(0);
  }
  const spaces = `password:${" ".repeat(1_000_000)}`;
  expect(redact(spaces)).toBe(spaces);
});
