import { z } from 'zod';
import {
  CLIENT_AUTHENTICATION_METHODS,
  defaultAuthentication,
  TLS_SUBJECT_KINDS,
  type AuthenticationSettings,
  type ClientAuthenticationMethod,
  type ClientKey,
  type TlsSubject,
} from '../domain/client-authentication.ts';
import type { ClientType } from '../domain/values.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { readClientKeys } from '../oauth/clients/client-keys.ts';
import type { Client } from '../projections/clients.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { isoTime } from './iso-time.ts';
import { english } from '../language/english.ts';

/** The fields of an operation that determine how the client authenticates. */
export const authenticationInput = {
  methods: z.array(z.enum(CLIENT_AUTHENTICATION_METHODS)).optional(),
  /** A JWK set, as JSON. */
  jwks: z.string().max(OPERATION_TEXTS.jwks).optional(),
  jwksUri: z.string().max(OPERATION_TEXTS.checkedText).optional(),
  tls: z
    .strictObject({ kind: z.enum(TLS_SUBJECT_KINDS), value: z.string().max(OPERATION_TEXTS.checkedText) })
    .optional(),
};

/** Changes to a client's authentication, as entered. */
interface AuthenticationChanges {
  readonly methods?: readonly ClientAuthenticationMethod[] | undefined;
  readonly jwks?: string | undefined;
  readonly jwksUri?: string | undefined;
  readonly tls?: TlsSubject | undefined;
}

/** A client's public key, for its assertions, signed requests or certificates. */
export interface ClientKeyRow {
  readonly thumbprint: string;
  readonly kid: string | null;
  readonly kty: string;
  readonly alg: string | null;
  /**
   * The time and log position of its last recorded use, in an assertion or a certificate; null if no use is recorded.
   */
  readonly last_used_at: string | null;
  readonly last_used_position: number | null;
}

export function toKeyRow({ keyId, kid, algorithm, publicKey }: ClientKey, { lastUse }: Client): ClientKeyRow {
  const use = lastUse.keys[keyId];
  return {
    thumbprint: keyId,
    kid,
    kty: publicKey.kty,
    alg: algorithm,
    last_used_at: use === undefined ? null : isoTime(use.at),
    last_used_position: use?.position ?? null,
  };
}

export const toClientType = (text: string): ClientType => (text === 'public' ? 'public' : 'confidential');

/** Returns the client's authentication, or the default for `type` if the client has a different type. */
export function authenticationForType(
  { clientType, authentication }: Client,
  type = clientType as string,
): AuthenticationSettings {
  return type === clientType ? authentication : defaultAuthentication(toClientType(type));
}

/**
 * Applies the entered changes to `current`. If they contain keys or a certificate subject, but no methods, the client
 * authenticates only with those keys or that subject.
 * @throws OperationRefused if both `jwks` and `jwksUri` are entered, or `jwks` is invalid
 */
export async function applyAuthenticationChanges(
  { methods, jwks, jwksUri, tls }: AuthenticationChanges,
  current: AuthenticationSettings,
): Promise<AuthenticationSettings> {
  if (jwks !== undefined && jwksUri !== undefined)
    throw new OperationRefused('a client can have either registered keys or a jwks_uri: specify only one of them');
  const impliedMethods: readonly ClientAuthenticationMethod[] = [
    ...(jwks === undefined && jwksUri === undefined ? [] : (['private_key_jwt'] as const)),
    ...(tls === undefined ? [] : (['tls_client_auth'] as const)),
  ];
  const newMethods = methods ?? (impliedMethods.length > 0 ? impliedMethods : current.methods);
  const subject = tls ?? (newMethods.includes('tls_client_auth') ? current.tls : null);
  const settings = { ...current, methods: newMethods, tls: subject };
  if (jwksUri !== undefined) return { ...settings, keys: [], keysUri: jwksUri };
  return jwks === undefined ? settings : { ...settings, keys: await parseClientKeys(jwks), keysUri: null };
}

/** The subject of the client's certificates as members of a JSON object, named as in RFC 8705 §2.1.2. */
export interface TlsSubjectJson {
  readonly tls_client_auth_subject_dn: string | null;
  readonly tls_client_auth_san_dns: string | null;
  readonly tls_client_auth_san_uri: string | null;
  readonly tls_client_auth_san_ip: string | null;
  readonly tls_client_auth_san_email: string | null;
}

export function tlsSubjectJson({ tls }: AuthenticationSettings): TlsSubjectJson {
  const valueOf = (kind: TlsSubject['kind']): string | null => (tls?.kind === kind ? tls.value : null);
  return {
    tls_client_auth_subject_dn: valueOf('subject_dn'),
    tls_client_auth_san_dns: valueOf('san_dns'),
    tls_client_auth_san_uri: valueOf('san_uri'),
    tls_client_auth_san_ip: valueOf('san_ip'),
    tls_client_auth_san_email: valueOf('san_email'),
  };
}

/**
 * Parses a JWK set.
 * @throws OperationRefused if the text is not a set of public keys that clients may have
 */
export async function parseClientKeys(jwks: string): Promise<readonly ClientKey[]> {
  let set: unknown;
  try {
    set = JSON.parse(jwks);
  } catch {
    throw new OperationRefused('the JWK set is not valid JSON');
  }
  const result = await readClientKeys(set);
  if ('problem' in result) throw new OperationRefused(english.text(result.problem));
  return result.keys;
}
