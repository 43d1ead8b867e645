import { message, type Text } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const REQUIRED_BY: Readonly<Record<RefusalOf<'push-required'>['by'], Text>> = {
  profile: message('refusal.request-uris.required-by.profile'),
  client: message('refusal.request-uris.required-by.client'),
  server: message('refusal.request-uris.required-by.server'),
};

/** Messages about pushed requests (RFC 9126) and request objects passed by reference (RFC 9101 §5.2). */
export const REQUEST_URI_MESSAGES: ProtocolMessagesFor<
  'push-required' | 'request-uri-pushed' | 'request-too-long' | 'request-uri-not-registered' | 'request-uri-unreadable'
> = {
  'push-required': ({ by }) => ({
    wire: wire('invalid_request', 'the authorization request must be pushed (RFC 9126)'),
    rule: message('refusal.push-required.rule', { requiredBy: REQUIRED_BY[by] }),
    expected: message('refusal.push-required.expected'),
    seen: message('refusal.push-required.seen'),
    advice: message('refusal.push-required.advice'),
  }),
  'request-uri-pushed': () => ({
    wire: wire('invalid_request', 'request_uri must not be sent in a pushed request'),
    rule: message('refusal.request-uri-pushed.rule'),
    expected: message('refusal.request-uri-pushed.expected'),
    seen: 'request_uri',
    advice: message('refusal.request-uri-pushed.advice'),
  }),
  'request-too-long': ({ most }) => ({
    wire: wire('invalid_request', `the request is too long: its request_uri would have more than ${most} characters`),
    rule: message('refusal.request-too-long.rule'),
    expected: message('refusal.request-too-long.expected', { limit: most }),
    seen: message('refusal.request-too-long.seen'),
    advice: message('refusal.request-too-long.advice'),
  }),
  'request-uri-not-registered': ({ registered, length }) => ({
    wire: wire('invalid_request_uri', 'the request_uri is not registered'),
    rule: message('refusal.request-uri-not-registered.rule'),
    expected: message('refusal.request-uri-not-registered.expected', { registered }),
    seen: message('refusal.request-uri-not-registered.seen', { length }),
    advice: message('refusal.request-uri-not-registered.advice'),
  }),
  'request-uri-unreadable': ({ problem }) => ({
    wire: wire('invalid_request_uri', 'the request object cannot be fetched'),
    rule: message('refusal.request-uri-unreadable.rule'),
    expected: message('refusal.request-uri-unreadable.expected'),
    seen: message('refusal.request-uri-unreadable.seen', { problem }),
    advice: message('refusal.request-uri-unreadable.advice'),
  }),
};

/**
 * Messages that are shown to the user and not sent to the client, because the redirect URI is unknown or must not be
 * used.
 */
export const UNUSABLE_REQUEST_URI_MESSAGES: MessagesFor<
  'request-uri-unknown' | 'request-uri-of-another-client' | 'request-uri-expired' | 'request-uri-used'
> = {
  'request-uri-unknown': ({ length }) => ({
    rule: message('refusal.request-uri-unknown.rule'),
    expected: message('refusal.request-uri-unknown.expected'),
    seen: message('refusal.request-uri-unknown.seen', { length }),
    advice: message('refusal.request-uri-unknown.advice'),
  }),
  'request-uri-of-another-client': () => ({
    rule: message('refusal.request-uri-of-another-client.rule'),
    expected: message('refusal.request-uri-of-another-client.expected'),
    seen: message('refusal.request-uri-of-another-client.seen'),
    advice: message('refusal.request-uri-of-another-client.advice'),
  }),
  'request-uri-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    rule: message('refusal.request-uri-expired.rule', { lifetimeSeconds }),
    expected: message('refusal.request-uri-expired.expected'),
    seen: message('refusal.request-uri-expired.seen', { duration: durationMessage(secondsAgo) }),
    advice: message('refusal.request-uri-expired.advice'),
  }),
  'request-uri-used': () => ({
    rule: message('refusal.request-uri-used.rule'),
    expected: message('refusal.request-uri-used.expected'),
    seen: message('refusal.request-uri-used.seen'),
    advice: message('refusal.request-uri-used.advice'),
  }),
};
