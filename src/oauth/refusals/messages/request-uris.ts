import { formatDuration, wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const REQUIRED_BY: Readonly<Record<RefusalOf<'push-required'>['by'], string>> = {
  profile: 'the profile of the application',
  client: 'the registration of the application',
  server: 'the setting requirePar',
};

/** Pushed requests (RFC 9126), and request objects by reference (RFC 9101 §5.2). */
export const REQUEST_URI_MESSAGES: ProtocolMessagesFor<
  'push-required' | 'request-uri-pushed' | 'request-too-long' | 'request-uri-not-registered' | 'request-uri-unreadable'
> = {
  'push-required': ({ by }) => ({
    wire: wire('invalid_request', 'the authorization request must be pushed (RFC 9126)'),
    rule: `Authorization requests must be pushed: ${REQUIRED_BY[by]} requires it (RFC 9126 §6).`,
    expected: 'client_id, and the request_uri from the response to a POST to /o/par/',
    seen: 'the parameters in the address of the browser',
    advice: 'Turn on pushed authorization requests (PAR) in the client library.',
  }),
  'request-uri-pushed': () => ({
    wire: wire('invalid_request', 'request_uri cannot be pushed'),
    rule: 'A pushed request contains its parameters, not a reference to them (RFC 9126 §2.1).',
    expected: 'the parameters themselves, or a request object in the parameter request',
    seen: 'request_uri',
    advice: 'Leave request_uri out. This endpoint returns one.',
  }),
  'request-too-long': ({ most }) => ({
    wire: wire('invalid_request', `the request_uri would have more than ${most} characters`),
    rule: 'The request_uri contains the encrypted request, and must fit into an address.',
    expected: `a request_uri of at most ${most} characters: about three quarters of that for the parameters`,
    seen: 'a longer one',
    advice: 'Shorten the request: state and claims are usually the longest parameters. Keep state on your server.',
  }),
  'request-uri-not-registered': ({ registered, length }) => ({
    wire: wire('invalid_request_uri', 'the request_uri is not registered'),
    rule: 'A request object is fetched only from a registered address (RFC 9101 §10.4).',
    expected: `one of the ${registered} registered request URIs`,
    seen: `another URI of ${length} characters`,
    advice: 'Register the URI for the application, or send the object itself in the parameter request.',
  }),
  'request-uri-unreadable': ({ problem }) => ({
    wire: wire('invalid_request_uri', 'the request object cannot be fetched'),
    rule: 'The request object must be at the request_uri (RFC 9101 §5.2.3).',
    expected: 'a response with status 200 and the request object, without a redirect, within 5 seconds',
    seen: `the request_uri ${problem}`,
    advice: 'Check that this server can reach the address, or push the request instead.',
  }),
};

/** The redirect URI is not known, or must not be used, so only the user sees these. */
export const UNUSABLE_REQUEST_URI_MESSAGES: MessagesFor<
  'request-uri-unknown' | 'request-uri-of-another-client' | 'request-uri-expired' | 'request-uri-used'
> = {
  'request-uri-unknown': ({ length }) => ({
    rule: 'A request_uri must come from the response of this server to a pushed request (RFC 9126 §2.2).',
    expected: 'the request_uri unchanged',
    seen: `another URI of ${length} characters`,
    advice: 'Send the request_uri as it was returned. It is valid only here, and not after the keys were replaced.',
  }),
  'request-uri-of-another-client': () => ({
    rule: 'A request_uri is bound to the client that pushed the request (RFC 9126 §2.2).',
    expected: 'the client_id that pushed the request',
    seen: 'another client_id',
    advice: 'Send the client_id with which the request was pushed.',
  }),
  'request-uri-expired': ({ secondsAgo, lifetimeSeconds }) => ({
    rule: `The browser must arrive within ${lifetimeSeconds} seconds. Login and consent may take longer.`,
    expected: 'a request_uri that was just issued',
    seen: `a request_uri that expired ${formatDuration(secondsAgo)} ago`,
    advice: 'Push the request when the user presses the button, not when the page is shown.',
  }),
  'request-uri-used': () => ({
    rule: 'A request_uri leads to one authorization (RFC 9126 §4). Until then, it can be opened again.',
    expected: 'a request_uri of an authorization that is not complete',
    seen: 'a request_uri that has led to a grant already',
    advice: 'Push a new request for each authorization.',
  }),
};
