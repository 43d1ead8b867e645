import type { KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isIssueTimeValid } from '../../../domain/clock.ts';
import type { SelfRegistered } from '../../../domain/events.ts';
import type { ClientId, EpochSeconds } from '../../../domain/values.ts';
import { sealBytes, unsealBytes } from '../../../platform/keys/seals.ts';
import type { Entropy } from '../../../platform/ports.ts';
import type { RegistrationFields } from '../registration-rules.ts';

/** A registration that is stored only in its client id. */
export interface SealedRegistration {
  readonly fields: RegistrationFields;
  readonly selfRegistered: SelfRegistered;
}

/**
 * Seals registrations into client ids. The registrations are encrypted, so that a client id reveals nothing, and
 * authenticated for this issuer, so that nobody can forge or change a client id, or use one from a different server.
 * Nothing is stored, so registrations cost neither memory nor disk space.
 */
export interface SealedRegistrations {
  /** Returns the client id, or undefined if the registration is too long for one. */
  seal(registration: SealedRegistration): ClientId | undefined;
  /**
   * Returns the registration, or undefined if the client id is not from this issuer, has been changed, or has expired.
   */
  open(clientId: string, now: number): SealedRegistration | undefined;
}

const PREFIX = 'glp_';
/**
 * The id must be short, because it is in every event about the client and in URLs. Recipients should support URLs of
 * at least 8,000 bytes (RFC 9110 §4.1).
 */
export const MAX_SEALED_ID_LENGTH = 1_500;
const SEALED_ID = /^glp_[\w-]{40,1496}$/;

/**
 * Strings that are common in registrations. They are part of the format: a change would make existing ids unreadable.
 */
const DICTIONARY = Buffer.from(
  '"subjectType":"public""userinfoAlgorithm":"idTokenAlgorithm":"RS256""postLogoutRedirectUris":"requireAuthTime":' +
    '"softwareVersion":"softwareId":"statementIssuer":"keyId":"kid":"algorithm":"ES256""publicKey":{"kty":"EC",' +
    '"crv":"P-256","x":"","y":"","kty":"OKP","crv":"Ed25519"https://www.com/privacy/terms/index.html' +
    '/oauth2/callback/oauth/callback/callback"http://localhost:http://127.0.0.1:3000:8080' +
    '"]}}},"authentication":{"methods":["private_key_jwt"client_secret_postclient_secret_basic"none"],"keys":[]},' +
    '"security":{"dpopBoundAccessTokens":true,"requirePushedAuthorizationRequests":true' +
    '"security":{"dpopBoundAccessTokens":false,"requirePushedAuthorizationRequests":false},' +
    '"openid":{},"presentation":{"homepageUri":null,"policyUri":null,"tosUri":null},"applicationType":"web"native",' +
    '"skipAuthorization":false,"allowedOrigins":["https://"],"redirectUris":["https://"],' +
    '"grantTypes":["authorization-code"],"clientType":"confidential"public",' +
    '{"selfRegistered":{"registeredAt":1},"fields":{"name":"',
);
/** A generous limit is safe, because only this server compresses registrations. */
const MAX_TEXT_BYTES = 65_536;

export function createSealedRegistrations(deps: {
  readonly key: KeyObject;
  readonly entropy: Entropy;
  readonly issuer: () => string;
  readonly settings: { readonly registrationLifetimeSeconds: number };
}): SealedRegistrations {
  const { entropy, issuer, settings } = deps;
  const key = deps.key.export();
  const context = (): string => `client registration at ${issuer()}`;

  function isLive(registeredAt: EpochSeconds, now: number): boolean {
    // The second check refuses ids that were issued while the clock was ahead.
    return now < registeredAt + settings.registrationLifetimeSeconds && isIssueTimeValid(registeredAt, now);
  }

  function tryUnseal(sealedText: string): Buffer | undefined {
    try {
      return unsealBytes(sealedText, key, context());
    } catch {
      return undefined; // sealed under a different key or for a different issuer, or changed
    }
  }

  return {
    seal({ selfRegistered, fields }) {
      const text = JSON.stringify({ selfRegistered, fields });
      const compressed = deflateRawSync(text, { dictionary: DICTIONARY, level: 9 });
      const id = `${PREFIX}${sealBytes(compressed, key, context(), entropy)}`;
      return id.length > MAX_SEALED_ID_LENGTH ? undefined : (id as ClientId);
    },

    open(clientId, now) {
      if (!SEALED_ID.test(clientId)) return undefined;
      const sealedText = clientId.slice(PREFIX.length);
      // Base64 can encode the same bytes in several ways. Only one of them is the client id.
      if (Buffer.from(sealedText, 'base64url').toString('base64url') !== sealedText) return undefined;
      const compressed = tryUnseal(sealedText);
      if (compressed === undefined) return undefined;
      const options = { dictionary: DICTIONARY, maxOutputLength: MAX_TEXT_BYTES };
      const registration = JSON.parse(inflateRawSync(compressed, options).toString()) as SealedRegistration;
      return isLive(registration.selfRegistered.registeredAt, now) ? registration : undefined;
    },
  };
}
