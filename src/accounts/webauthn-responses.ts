import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { z } from 'zod';
import type { PasskeyData } from '../projections/sealed-data.ts';

/** Longer than any authenticator makes it (WebAuthn §5.1.1: a credential's id has at most 1023 bytes). */
const MAX_ID_LENGTH = 1_364;
const MAX_KEY_BYTES = 2_048;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const base64url = z
  .string()
  .min(1)
  .regex(/^[\w-]+$/);
const id = base64url.max(MAX_ID_LENGTH);
/** What is looked at, and nothing beside it. */
const credential = { id, rawId: id, type: z.literal('public-key'), clientExtensionResults: z.object({}) };
const creation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).max(20).default([]),
  }),
});
const request = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? ''),
  }),
});

/** A browser's answer when a passkey was made (WebAuthn level 3 §5.1.8); undefined when it is none, or vouches for itself with certificates. */
export async function parseRegistration(text: string): Promise<RegistrationResponseJSON | undefined> {
  const parsed = creation.safeParse(parseJson(text));
  return parsed.success && (await isWithoutCertificates(parsed.data.response.attestationObject))
    ? parsed.data
    : undefined;
}

/** A browser's answer when a passkey was used; undefined when it is none. */
export function parseAuthentication(text: string): AuthenticationResponseJSON | undefined {
  const parsed = request.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/**
 * No attestation is asked for, and none that has certificates is looked at: the library would fetch the addresses that
 * they name, which anybody can write.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** What is kept of a new credential; undefined when it is larger than any. */
export function toPasskeyData(
  { id: credentialId, publicKey, transports = [] }: WebAuthnCredential,
  name: string,
): PasskeyData | undefined {
  if (publicKey.length > MAX_KEY_BYTES) return undefined;
  const known = [...new Set<string>(transports)].filter((transport) => TRANSPORTS.includes(transport));
  return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), transports: known, name };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
