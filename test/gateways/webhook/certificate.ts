/** Certificates for servers in tests, made on the spot: an authority of one's own, and what it signs (X.509 v3 in DER). */

import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

export function makeAuthority(name: string) {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension("551d13", true, sequence(tlv(0x01, Buffer.from([0xff]))));
  return {
    ca: certificate(name, name, own.publicKey, own.privateKey, isAuthority),
    /** PEM of a key and of a certificate for these DNS names. */
    issue(...names: string[]) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const listed = sequence(...names.map((dns) => tlv(0x82, Buffer.from(dns, "latin1"))));
      return {
        key: pair.privateKey.export({ type: "pkcs8", format: "pem" }) as string,
        cert: certificate(
          names[0] ?? name,
          name,
          pair.publicKey,
          own.privateKey,
          extension("551d11", false, listed),
        ),
      };
    },
  };
}

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));

function certificate(subject: string, issuer: string, key: KeyObject, signer: KeyObject, extended: Buffer) {
  const valid = sequence(time("20200101000000Z"), time("20491231235959Z"));
  const version = tlv(0xa0, integer(Buffer.from([2])));
  const serial = integer(Buffer.from(crypto.getRandomValues(new Uint8Array(8))).fill(1, 0, 1));
  const publicKey = key.export({ type: "spki", format: "der" });
  const body = sequence(
    version,
    serial,
    ECDSA_WITH_SHA256,
    named(issuer),
    valid,
    named(subject),
    publicKey,
    tlv(0xa3, sequence(extended)),
  );
  const signature = createSign("sha256").update(body).sign(signer);
  const bits = tlv(0x03, Buffer.concat([Buffer.from([0]), signature]));
  const der = sequence(body, ECDSA_WITH_SHA256, bits).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${(der.match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
}

function named(name: string): Buffer {
  return sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from(name)))));
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(isCritical ? [tlv(0x01, Buffer.from([0xff]))] : []), tlv(0x04, value));
}

function time(text: string): Buffer {
  return tlv(0x18, Buffer.from(text));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, "hex"));
}

function integer(bytes: Buffer): Buffer {
  return tlv(0x02, bytes);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
