import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { formChoice } from '../credential-text.ts';
import { confidentialUseChoice } from '../named-choices.ts';
import type { CredentialForm } from '../credential-form.ts';
import { wire, type ProtocolMessages, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

function describeForm(form: CredentialForm): Text {
  return message('refusal.looks-like', { form: formChoice(form) });
}

function describeUnknownClient({ form, length, isSwapped }: RefusalOf<'client-unknown'>): ProtocolMessages {
  return {
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.clients.unknown-client.rule'),
    expected: message('refusal.clients.unknown-client.expected'),
    seen: isSwapped
      ? message('refusal.clients.unknown-client.seen')
      : message('refusal.clients.unknown-client.seen-2', { length, looks: describeForm(form) }),
    advice: isSwapped
      ? message('refusal.clients.unknown-client.advice')
      : form === 'client id'
        ? message('refusal.clients.unknown-client.advice-2')
        : message('refusal.clients.unknown-client.advice-3'),
  };
}

/**
 * Sent for an unknown client, for a missing, unexpected or invalid secret, for a secret whose hash cannot be decrypted,
 * and for a method that the client may not use, so that the response does not reveal which of these is the cause.
 */
const AUTHENTICATION_FAILED = wire(
  'invalid_client',
  'client authentication failed: unknown client, or a wrong or missing client secret',
);

const GRANT_NAMES = {
  client_credentials: 'the client credentials grant',
  'token exchange': 'token exchange',
  'jwt-bearer': 'the JWT bearer grant',
} as const;

/** Messages about client authentication, and about requests that the client's registration does not allow. */
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
      'client authentication is missing: use HTTP Basic, or send client_id and client_secret in the body',
    ),
    rule: message('refusal.client-credentials-missing.rule'),
    expected: message('refusal.client-credentials-missing.expected'),
    seen: message('refusal.client-credentials-missing.seen'),
    advice: message('refusal.client-credentials-missing.advice'),
  }),
  'client-id-missing': () => ({
    wire: wire('invalid_client', 'client_secret was sent without client_id'),
    rule: message('refusal.client-id-missing.rule'),
    expected: message('refusal.client-id-missing.expected'),
    seen: message('refusal.client-id-missing.seen'),
    advice: message('refusal.client-id-missing.advice'),
  }),
  'authorization-header': ({ scheme }) => ({
    wire: wire('invalid_client', 'the Authorization header is not Basic base64(client_id:client_secret)'),
    rule: message('refusal.authorization-header.rule'),
    expected: message('refusal.authorization-header.expected'),
    seen:
      scheme === 'Basic'
        ? message('refusal.authorization-header.seen')
        : message('refusal.authorization-header.seen-2', { scheme }),
    advice:
      scheme === 'Basic'
        ? message('refusal.authorization-header.advice')
        : message('refusal.authorization-header.advice-2'),
  }),
  'client-credentials-disagree': ({ differs }) => ({
    wire: wire(
      'invalid_request',
      'the Authorization header and the body contain different client credentials; send them in only one place',
    ),
    rule: message('refusal.client-credentials-disagree.rule'),
    expected: message('refusal.client-credentials-disagree.expected'),
    seen: message('refusal.client-credentials-disagree.seen', { differs }),
    advice: message('refusal.client-credentials-disagree.advice'),
  }),
  'client-unknown': describeUnknownClient,
  'client-disabled': () => ({
    // Not invalid_grant, because a client would then discard a refresh token that works again once the client is
    // enabled.
    wire: wire('unauthorized_client', 'the application is disabled'),
    rule: message('refusal.client-disabled.rule'),
    expected: message('refusal.client-disabled.expected'),
    seen: message('refusal.client-disabled.seen'),
    advice: message('refusal.client-disabled.advice'),
  }),
  'client-secret-missing': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-secret-missing.rule'),
    expected: message('refusal.client-secret-missing.expected'),
    seen: message('refusal.client-secret-missing.seen'),
    advice: message('refusal.client-secret-missing.advice'),
  }),
  'client-secret-unexpected': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-secret-unexpected.rule'),
    expected: message('refusal.client-secret-unexpected.expected'),
    seen: message('refusal.client-secret-unexpected.seen'),
    advice: message('refusal.client-secret-unexpected.advice'),
  }),
  'client-key-missing': () => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-key-missing.rule'),
    expected: message('refusal.client-key-missing.expected'),
    seen: message('refusal.client-key-missing.seen'),
    advice: message('refusal.client-key-missing.advice'),
  }),
  'client-secret-wrong': ({ form, hasOuterSpace }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-secret-wrong.rule'),
    expected: message('refusal.client-secret-wrong.expected'),
    seen: hasOuterSpace
      ? message('refusal.client-secret-wrong.seen')
      : message('refusal.client-secret-wrong.seen-2', { looks: describeForm(form) }),
    advice: hasOuterSpace
      ? message('refusal.client-secret-wrong.advice')
      : message('refusal.client-secret-wrong.advice-2'),
  }),
  'client-secret-ended': ({ secondsAgo }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-secret-ended.rule'),
    expected: message('refusal.client-secret-ended.expected'),
    seen:
      secondsAgo === null
        ? message('refusal.client-secret-ended.seen')
        : message('refusal.client-secret-ended.seen-2', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.client-secret-ended.advice'),
  }),
  'client-method-not-allowed': ({ seen, allowed }) => ({
    wire: AUTHENTICATION_FAILED,
    rule: message('refusal.client-method-not-allowed.rule'),
    expected: formatList(allowed),
    seen,
    advice: message('refusal.client-method-not-allowed.advice'),
  }),
  'client-methods-mixed': () => ({
    wire: wire('invalid_request', 'the request authenticates the client in two ways; send only the client assertion'),
    rule: message('refusal.client-methods-mixed.rule'),
    expected: message('refusal.client-methods-mixed.expected'),
    seen: message('refusal.client-methods-mixed.seen'),
    advice: message('refusal.client-methods-mixed.advice'),
  }),
  'client-public': ({ what }) => ({
    wire:
      what === 'introspection'
        ? wire('invalid_client', 'introspection requires a confidential client')
        : wire('unauthorized_client', `${GRANT_NAMES[what]} requires a confidential client`),
    rule: message('refusal.client-public.rule', { what: confidentialUseChoice(what) }),
    expected: message('refusal.client-public.expected'),
    seen: message('refusal.client-public.seen'),
    advice: message('refusal.client-public.advice'),
  }),
  'client-not-registered-for': ({ grantType, registered }) => ({
    wire: wire('unauthorized_client', `this client is not registered for the ${grantType} grant type`),
    rule: message('refusal.client-not-registered-for.rule'),
    expected: formatList(registered),
    seen: grantType,
    advice: message('refusal.client-not-registered-for.advice'),
  }),
};
