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
import { joinTexts, message, type Message, type Text } from '../../language/message.ts';

/** A client's authentication settings as entered, not yet validated. */
export interface AuthenticationFields {
  readonly methods: readonly string[];
  readonly keys: readonly ClientKey[];
  /** The URL of the client's key set; null by default. */
  readonly keysUri?: string | null;
  /** The subject that the client's certificates must have; null by default. */
  readonly tls?: TlsSubject | null;
}

/**
 * Returns the valid authentication settings, or the problem with the fields. By default, a confidential client
 * authenticates with a secret, and a public client does not authenticate.
 */
export function checkAuthentication(
  fields: AuthenticationFields | undefined,
  clientType: ClientType,
): { readonly settings: AuthenticationSettings } | { readonly problem: Text } {
  if (fields === undefined) return { settings: defaultAuthentication(clientType) };
  const methods = CLIENT_AUTHENTICATION_METHODS.filter((method) => fields.methods.includes(method));
  if (fields.methods.length === 0) return { problem: message('client.choose-method') };
  if (methods.length < new Set(fields.methods).size)
    return { problem: message('client.choose-some', { choices: CLIENT_AUTHENTICATION_METHODS.join(', ') }) };
  if (clientType === 'public' && (methods.length > 1 || methods[0] !== 'none'))
    return { problem: message('client.public-method') };
  if (clientType === 'confidential' && methods.includes('none'))
    return { problem: message('client.confidential-method') };
  const { keys, keysUri = null, tls = null } = fields;
  if (keys.length > MAX_CLIENT_KEYS) return { problem: message('client.many-keys', { limit: MAX_CLIENT_KEYS }) };
  const kids = keys.flatMap(({ kid }) => kid ?? []);
  if (new Set(kids).size < kids.length) return { problem: message('client.same-kid') };
  if (keysUri !== null && keys.length > 0) return { problem: message('client.keys-and-address') };
  const problems = [...methodProblems({ methods, keys, keysUri, tls })];
  const subjectProblem = tls === null ? undefined : tlsSubjectProblem(tls);
  if (subjectProblem !== undefined) problems.push(subjectProblem);
  const problem = joinTexts(problems, 'problem.sentences');
  return problem === undefined ? { settings: { methods, keys, keysUri, tls } } : { problem };
}

/** Returns a problem for each method whose keys or subject are missing, and for a subject that no method uses. */
export function methodProblems({ methods, keys, keysUri, tls }: AuthenticationSettings): readonly Message[] {
  const hasKeys = keysUri !== null || keys.length > 0;
  const problems: Message[] = [];
  if (methods.includes('private_key_jwt') && !hasKeys) problems.push(message('client.jwt-keys'));
  if (methods.includes('self_signed_tls_client_auth') && !hasKeys) problems.push(message('client.certificate-key'));
  if (methods.includes('tls_client_auth') && tls === null) problems.push(message('client.certificate-subject'));
  if (!methods.includes('tls_client_auth') && tls !== null) problems.push(message('client.unused-subject'));
  return problems;
}
