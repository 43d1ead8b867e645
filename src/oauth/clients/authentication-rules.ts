import {
  CLIENT_AUTHENTICATION_METHODS,
  defaultAuthentication,
  type AuthenticationSettings,
  type ClientKey,
  type TlsSubject,
} from '../../domain/client-authentication.ts';
import type { ClientType } from '../../domain/values.ts';
import { MAX_CLIENT_KEYS } from './client-keys.ts';
import { tlsSubjectProblem } from './tls-subject-rules.ts';

/** The entered settings, not yet validated. */
export interface AuthenticationFields {
  readonly methods: readonly string[];
  readonly keys: readonly ClientKey[];
  /** Null by default. */
  readonly keysUri?: string | null;
  /** Null by default. */
  readonly tls?: TlsSubject | null;
}

/** How the client authenticates, or what to fix. By default, with a secret, or not at all if it is public. */
export function checkAuthentication(
  fields: AuthenticationFields | undefined,
  clientType: ClientType,
): { readonly settings: AuthenticationSettings } | { readonly problem: string } {
  if (fields === undefined) return { settings: defaultAuthentication(clientType) };
  const methods = CLIENT_AUTHENTICATION_METHODS.filter((method) => fields.methods.includes(method));
  if (methods.length === 0 || methods.length < new Set(fields.methods).size)
    return { problem: `Choose one or more of: ${CLIENT_AUTHENTICATION_METHODS.join(', ')}.` };
  if (clientType === 'public' && (methods.length > 1 || methods[0] !== 'none'))
    return { problem: 'A public client has no credentials: its only method is none.' };
  if (clientType === 'confidential' && methods.includes('none'))
    return { problem: 'A confidential client must authenticate: none is for public clients.' };
  const { keys, keysUri = null, tls = null } = fields;
  if (keys.length > MAX_CLIENT_KEYS) return { problem: `A client has at most ${MAX_CLIENT_KEYS} keys.` };
  const kids = keys.flatMap(({ kid }) => kid ?? []);
  if (new Set(kids).size < kids.length) return { problem: 'Two keys have the same kid.' };
  if (keysUri !== null && keys.length > 0)
    return { problem: 'A client registers its public keys, or the jwks_uri where it publishes them, but not both.' };
  const problems = [...unmetNeeds({ methods, keys, keysUri, tls })];
  const subjectProblem = tls === null ? undefined : tlsSubjectProblem(tls);
  if (subjectProblem !== undefined) problems.push(subjectProblem);
  return problems.length > 0 ? { problem: problems.join(' ') } : { settings: { methods, keys, keysUri, tls } };
}

/** A problem for each method whose keys or subject are missing, and for a subject that no method uses. */
export function unmetNeeds({ methods, keys, keysUri, tls }: AuthenticationSettings): readonly string[] {
  const hasKeys = keysUri !== null || keys.length > 0;
  const problems: string[] = [];
  if (methods.includes('private_key_jwt') && !hasKeys)
    problems.push('private_key_jwt needs at least one public key of the client, or its jwks_uri.');
  if (methods.includes('self_signed_tls_client_auth') && !hasKeys)
    problems.push('self_signed_tls_client_auth needs the public key of the certificate, or its jwks_uri.');
  if (methods.includes('tls_client_auth') && tls === null)
    problems.push('tls_client_auth needs the subject of the certificate.');
  if (!methods.includes('tls_client_auth') && tls !== null)
    problems.push('The subject of a certificate is used with tls_client_auth only: choose it, or remove the subject.');
  return problems;
}
