import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import { durationMessage } from '../duration-message.ts';
import { formatList } from '../list-text.ts';
import { wire, type MessagesFor, type OAuthErrorCode, type ProtocolMessagesFor } from '../messages.ts';

/** The parameters that have a specific error code for unsupported values. */
const VALUE_ERRORS: Readonly<Record<string, OAuthErrorCode>> = {
  grant_type: 'unsupported_grant_type',
  response_type: 'unsupported_response_type',
};

/** Messages about missing and invalid parameters. */
export const PARAMETER_MESSAGES: ProtocolMessagesFor<'parameter-missing' | 'parameter-value' | 'parameter-malformed'> =
  {
    'parameter-missing': ({ parameter }) => ({
      wire: wire('invalid_request', `${parameter} is missing`),
      rule: message('refusal.parameter-missing.rule', { parameter }),
      expected: message('refusal.parameter-missing.expected', { parameter }),
      seen: message('refusal.parameter-missing.seen'),
      advice: message('refusal.parameter-missing.advice', { parameter }),
    }),
    'parameter-value': ({ parameter, allowed, seen, length }) => ({
      wire: wire(
        VALUE_ERRORS[parameter] ?? 'invalid_request',
        `${parameter} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(english.text).join(', ')}`,
      ),
      rule: message('refusal.parameter-value.rule', { parameter }),
      expected: formatList(allowed),
      seen: seen ?? message('refusal.parameter-value.seen', { length }),
      advice: message('refusal.parameter-value.advice'),
    }),
    'parameter-malformed': ({ parameter, form, length }) => ({
      wire: wire('invalid_request', `${parameter} must be ${english.text(form)}`),
      rule: message('refusal.parameter-malformed.rule', { parameter }),
      expected: form,
      seen: message('refusal.parameter-malformed.seen', { length }),
      advice: message('refusal.parameter-malformed.advice', { parameter }),
    }),
  };

/** Messages about the HTTP request itself. */
export const REQUEST_MESSAGES: ProtocolMessagesFor<
  | 'method-not-allowed'
  | 'parameters-in-address'
  | 'content-type'
  | 'content-encoding'
  | 'charset'
  | 'body-too-large'
  | 'body-in-pieces'
  | 'too-many-parameters'
  | 'rate-limit'
> = {
  'method-not-allowed': ({ allowed, seen }) => ({
    wire: wire('invalid_request', `the method is not allowed; allowed methods: ${allowed}`, 405),
    rule: message('refusal.method-not-allowed.rule'),
    expected: allowed,
    seen: seen ?? message('refusal.method-not-allowed.seen'),
    advice: message('refusal.method-not-allowed.advice', { allowed }),
  }),
  'parameters-in-address': () => ({
    wire: wire('invalid_request', 'parameters must be sent in the request body, not in the URL'),
    rule: message('refusal.parameters-in-address.rule'),
    expected: message('refusal.parameters-in-address.expected'),
    seen: message('refusal.parameters-in-address.seen'),
    advice: message('refusal.parameters-in-address.advice'),
  }),
  'content-type': ({ accepted }) => ({
    wire: wire('invalid_request', `the Content-Type must be ${english.text(accepted)}`, 415),
    rule: message('refusal.content-type.rule'),
    expected: accepted,
    seen: message('refusal.content-type.seen'),
    advice: message('refusal.content-type.advice'),
  }),
  'content-encoding': () => ({
    wire: wire('invalid_request', 'the request body must not have a Content-Encoding', 415),
    rule: message('refusal.content-encoding.rule'),
    expected: message('refusal.content-encoding.expected'),
    seen: message('refusal.content-encoding.seen'),
    advice: message('refusal.content-encoding.advice'),
  }),
  charset: () => ({
    wire: wire('invalid_request', 'the charset must be UTF-8', 415),
    rule: message('refusal.charset.rule'),
    expected: message('refusal.charset.expected'),
    seen: message('refusal.charset.seen'),
    advice: message('refusal.charset.advice'),
  }),
  'body-too-large': ({ limitBytes }) => ({
    wire: wire('invalid_request', `the request body is larger than ${limitBytes} bytes`, 413),
    rule: message('refusal.body-too-large.rule'),
    expected: message('refusal.body-too-large.expected', { limitBytes }),
    seen: message('refusal.body-too-large.seen'),
    advice: message('refusal.body-too-large.advice'),
  }),
  'body-in-pieces': ({ most }) => ({
    wire: wire('invalid_request', `the request body arrived in more than ${most} small chunks`, 413),
    rule: message('refusal.body-in-pieces.rule'),
    expected: message('refusal.body-in-pieces.expected', { limit: most }),
    seen: message('refusal.body-in-pieces.seen'),
    advice: message('refusal.body-in-pieces.advice'),
  }),
  'too-many-parameters': ({ most }) => ({
    wire: wire('invalid_request', `the request has more than ${most} parameters`),
    rule: message('refusal.too-many-parameters.rule'),
    expected: message('refusal.too-many-parameters.expected', { limit: most }),
    seen: message('refusal.too-many-parameters.seen'),
    advice: message('refusal.too-many-parameters.advice'),
  }),
  'rate-limit': ({ limit, retryAfterSeconds }) => ({
    wire: wire(
      'temporarily_unavailable',
      `too many attempts; try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`,
      429, // RFC 6585 §4
    ),
    rule: message('refusal.rate-limit.rule', { limit: message(`limit.${limit}`) }),
    expected: message('refusal.rate-limit.expected'),
    seen: message('refusal.rate-limit.seen', { duration: durationMessage(retryAfterSeconds) }),
    advice: message('refusal.rate-limit.advice'),
  }),
};

/** Messages about refusals that only pages report, or whose error description cannot be derived from the refusal. */
export const OTHER_REQUEST_MESSAGES: MessagesFor<
  'body-malformed' | 'parameter-repeated' | 'parameter-not-a-string' | 'overloaded'
> = {
  'body-malformed': ({ problem }) => ({
    rule: message('refusal.body-malformed.rule'),
    expected: message('refusal.body-malformed.expected'),
    seen: problem,
    advice: message('refusal.body-malformed.advice'),
  }),
  'parameter-repeated': ({ parameter }) => ({
    rule: message('refusal.parameter-repeated.rule'),
    expected: message('refusal.parameter-repeated.expected'),
    seen:
      parameter === null
        ? message('refusal.parameter-repeated.seen')
        : message('refusal.parameter-repeated.seen-2', { parameter }),
    advice: message('refusal.parameter-repeated.advice'),
  }),
  'parameter-not-a-string': ({ parameter }) => ({
    rule: message('refusal.parameter-not-a-string.rule'),
    expected: message('refusal.parameter-not-a-string.expected'),
    seen:
      parameter === null
        ? message('refusal.parameter-not-a-string.seen')
        : message('refusal.parameter-not-a-string.seen-2', { parameter }),
    advice: message('refusal.parameter-not-a-string.advice'),
  }),
  overloaded: ({ retryAfterSeconds }) => ({
    rule: message('refusal.overloaded.rule'),
    expected: message('refusal.overloaded.expected'),
    seen: message('refusal.overloaded.seen'),
    advice: message('refusal.overloaded.advice', { duration: durationMessage(retryAfterSeconds) }),
  }),
};
