import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { z } from 'zod';
import type { PasskeyData } from '../projections/sealed-data.ts';

/** The length of the longest valid id in base64url: a credential id has at most 1023 bytes (WebAuthn §7.1). */
const MAX_ID_LENGTH = 1_364;
const MAX_KEY_BYTES = 2_048;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

const base64url = z
  .string()
  .min(1)
  .regex(/^[\w-]+$/);
const id = base64url.max(MAX_ID_LENGTH);
/** The members that both responses have and this server uses. */
const commonMembers = { id, rawId: id, type: z.literal('public-key'), clientExtensionResults: z.object({}) };
const registrationResponse = z.object({
  ...commonMembers,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).max(20).default([]),
  }),
});
const authenticationResponse = z.object({
  ...commonMembers,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? ''),
  }),
});

/**
 * Parses a browser's response to a request to register a passkey (WebAuthn level 3 §5.1, `RegistrationResponseJSON`).
 * Returns undefined if the response is malformed, or could contain attestation certificates.
 */
export async function parseRegistration(text: string): Promise<RegistrationResponseJSON | undefined> {
  const parsed = registrationResponse.safeParse(parseJson(text));
  return parsed.success && (await hasNoCertificates(parsed.data.response.attestationObject)) ? parsed.data : undefined;
}

/**
 * Parses a browser's response to a request to authenticate with a passkey, at login or as the second step. Returns
 * undefined if the response is malformed.
 */
export function parseAuthentication(text: string): AuthenticationResponseJSON | undefined {
  const parsed = authenticationResponse.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/**
 * Reports whether the attestation object is well-formed and cannot contain certificates. Attestation is not requested.
 * Certificates are refused because the library would fetch URLs in them, which an attacker can choose.
 */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const format = decoded.get('fmt');
    return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  } catch {
    return false;
  }
}

/** Returns the data to store for a new credential, or undefined if its key is too long. */
export function toPasskeyData(
  { id: credentialId, publicKey, transports = [] }: WebAuthnCredential,
  name: string,
): PasskeyData | undefined {
  if (publicKey.length > MAX_KEY_BYTES) return undefined;
  const knownTransports = [...new Set<string>(transports)].filter((transport) => TRANSPORTS.includes(transport));
  return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), transports: knownTransports, name };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
