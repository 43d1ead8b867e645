import type { CredentialForm } from '../credential-form.ts';
import { formatDuration, formatList, wire, type ProtocolMessages, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

function looksLike(form: CredentialForm): string {
  if (form === 'other') return 'it does not have the format of a credential of this server';
  if (form === 'incomplete') return 'it looks like a truncated or mistyped credential';
  return `it looks like ${form === 'access token' || form === 'authorization code' ? 'an' : 'a'} ${form}`;
}

function unknownClient({ form, length, isSwapped }: RefusalOf<'client-unknown'>): ProtocolMessages {
  const base = {
    wire: AUTHENTICATION_FAILED,
    rule: 'The client must be registered.',
    expected: 'the client_id of a registered application',
  };
  if (isSwapped) return { ...base, seen: 'client_id and client_secret swapped', advice: 'Swap the two values.' };
  const advice =
    form === 'client id'
      ? 'The format is right. Check whether the application was deleted, or is registered with another server.'
      : "Copy the client_id from the application's page.";
  return { ...base, seen: `an unknown client_id of ${length} characters; ${looksLike(form)}`, advice };
}

/** Identical for an unknown client and a wrong secret. */
const AUTHENTICATION_FAILED = wire(
  'invalid_client',
  'client authentication failed: unknown client, or a wrong or missing client secret',
);

const CLIENT_GRANTS = {
  client_credentials: 'the client credentials grant',
  'token exchange': 'token exchange',
  'jwt-bearer': 'the JWT bearer grant',
} as const;

/** Client authentication, and what the client is registered for. */
export const CLIENT_MESSAGES: ProtocolMessagesFor<
  | 'client-credentials-missing'
  | 'client-id-missing'
  | 'authorization-header'
  | 'client-credentials-disagree'
  | 'client-unknown'
  | 'client-disabled'
  | 'client-secret-missing'
  | 'client-secret-unexpected'
  | 'client-key-missing'
  | 'client-secret-wrong'
  | 'client-secret-ended'
  | 'client-method-not-allowed'
  | 'client-methods-mixed'
  | 'client-public'
  | 'client-not-registered-for'
> = {
  'client-credentials-missing': () => ({
    wire: wire(
      'invalid_client',
      'client authentication is missing: send HTTP Basic, or client_id and client_secret in the body',
    ),
    rule: 'A client must identify itself (RFC 6749 §2.3).',
    expected: 'HTTP Basic, or client_id and client_secret in the body',
    seen: 'neither',
    advice: 'Send the credentials with this request. Behind a proxy, check that it forwards the Authorization header.',
  }),
  'client-id-missing': () => ({
    wire: wire('invalid_client', 'client_secret was sent without client_id'),
    rule: 'client_secret requires client_id.',
    expected: 'client_id and client_secret',
    seen: 'only client_secret',
    advice: 'Send client_id as well.',
  }),
  'authorization-header': ({ scheme }) => ({
    wire: wire('invalid_client', 'the Authorization header is not Basic base64(client_id:client_secret)'),
    rule: 'Clients authenticate with HTTP Basic.',
    expected: 'Authorization: Basic base64(client_id:client_secret)',
    seen: scheme === 'Basic' ? 'Basic with a malformed value' : `the scheme ${scheme}`,
    advice:
      scheme === 'Basic'
        ? 'Encode client_id, a colon and client_secret in base64, without a trailing line break.'
        : 'Send client credentials. An access token does not authenticate a client here.',
  }),
  'client-credentials-disagree': ({ differs }) => ({
    wire: wire(
      'invalid_request',
      'the Authorization header and the body contain different client credentials; send only one of them',
    ),
    rule: 'A client must use one authentication method per request (RFC 6749 §2.3).',
    expected: 'credentials in the Authorization header or in the body',
    seen: `both, with different values of ${differs}`,
    advice: 'Send only one. Most libraries have a setting for it (client_secret_basic, client_secret_post).',
  }),
  'client-unknown': unknownClient,
  'client-disabled': () => ({
    // Not invalid_grant: a client would discard a refresh token that works again once the client is enabled
    wire: wire('unauthorized_client', 'an administrator has disabled the application'),
    rule: 'An application gets nothing while an administrator has disabled it.',
    expected: 'an application that is enabled',
    seen: 'one that is disabled',
    advice: 'Ask an administrator to enable the application: grantlog client enable ID',
  }),
  'client-secret-missing': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: 'A confidential client must authenticate with its secret.',
    expected: 'the client_secret',
    seen: 'none',
    advice: 'Send the secret. If the application cannot keep one, register it as public.',
  }),
  'client-secret-unexpected': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: 'A public client has no secret.',
    expected: 'only client_id',
    seen: 'a client_secret',
    advice: 'Remove client_secret, or register the application as confidential.',
  }),
  'client-key-missing': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: 'The hash of this secret is encrypted, and the server needs its key to check the secret.',
    expected: 'the key of the client in keys/clients.keys',
    seen: 'no key that decrypts the hash, so every secret is refused',
    advice: 'Rotate the secret, or have the operator restore the key: grantlog doctor explains how.',
  }),
  'client-secret-wrong': ({ form, hasOuterSpace }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: "The secret must be the client's.",
    expected: 'the client_secret, exactly as it was shown',
    seen: hasOuterSpace ? 'a secret with whitespace around it' : `a different secret; ${looksLike(form)}`,
    advice: hasOuterSpace
      ? 'Trim it. The usual cause is a line break at the end of a file or an environment variable.'
      : "Compare it with the one that you saved. If that is lost, rotate the secret on the application's page.",
  }),
  'client-secret-ended': ({ secondsAgo }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: 'After a rotation the previous secret stays valid only for the overlap.',
    expected: 'the newest client_secret',
    seen:
      secondsAgo === null
        ? "the previous secret, which was rotated at a time that the server's clock has not reached yet"
        : `the previous secret, which expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Deploy the newest secret.',
  }),
  'client-method-not-allowed': ({ seen, allowed }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: 'A client authenticates with a method that it is registered for (RFC 8414 §2).',
    expected: formatList(allowed),
    seen,
    advice:
      'Use a registered method, or register the other one: grantlog client update CLIENT_ID --auth-method METHOD.',
  }),
  'client-methods-mixed': () => ({
    wire: wire('invalid_request', 'the request authenticates the client in two ways; send only the client assertion'),
    rule: 'A client must use one authentication method per request (RFC 6749 §2.3).',
    expected: 'an assertion or a secret',
    seen: 'both',
    advice: 'Send only one. With an assertion, send no Authorization header and no client_secret.',
  }),
  'client-public': ({ what }) => ({
    wire:
      what === 'introspection'
        ? wire('invalid_client', 'introspection requires a confidential client')
        : wire('unauthorized_client', `${CLIENT_GRANTS[what]} requires a confidential client`),
    rule: `${what} requires a confidential client.`,
    expected: 'a confidential client',
    seen: 'a public client, which cannot authenticate',
    advice: 'Register a confidential application for this.',
  }),
  'client-not-registered-for': ({ grantType, registered }) => ({
    wire: wire('unauthorized_client', `this client is not registered for the grant type ${grantType}`),
    rule: 'A client may use only the grant types that it is registered for.',
    expected: formatList(registered),
    seen: grantType,
    advice: 'Add the grant type to the application, or use a registered one.',
  }),
};
