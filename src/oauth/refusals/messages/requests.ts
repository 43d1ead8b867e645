import {
  formatDuration,
  formatList,
  wire,
  type MessagesFor,
  type OAuthErrorCode,
  type ProtocolMessagesFor,
} from '../messages.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Parameters with a specific error code. */
const VALUE_ERRORS: Readonly<Record<string, OAuthErrorCode>> = {
  grant_type: 'unsupported_grant_type',
  response_type: 'unsupported_response_type',
};

/** Missing and invalid parameters. */
export const PARAMETER_MESSAGES: ProtocolMessagesFor<'parameter-missing' | 'parameter-value' | 'parameter-malformed'> =
  {
    'parameter-missing': ({ parameter }) => ({
      wire: wire('invalid_request', `${parameter} is missing`),
      rule: `${parameter} is required.`,
      expected: `${parameter} with a value`,
      seen: 'a missing or empty parameter',
      advice: `Send ${parameter} in the body. The usual cause is an empty variable in a script.`,
    }),
    'parameter-value': ({ parameter, allowed, seen, length }) => ({
      wire: wire(
        VALUE_ERRORS[parameter] ?? 'invalid_request',
        `${parameter} must be ${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')}`,
      ),
      rule: `Unsupported value of ${parameter}.`,
      expected: formatList(allowed),
      seen: seen ?? `something else of ${length} characters (not stored, because it could be a secret)`,
      advice: 'Send one of the expected values, spelled exactly.',
    }),
    'parameter-malformed': ({ parameter, form, length }) => ({
      wire: wire('invalid_request', `${parameter} must be ${form}`),
      rule: `Malformed ${parameter}.`,
      expected: form,
      seen: `${length} characters in another format`,
      advice: `Check how ${parameter} is generated and encoded.`,
    }),
  };

/** Refusals of the HTTP request itself. */
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
  'method-not-allowed': ({ allowed }) => ({
    wire: wire('invalid_request', `the method must be one of ${allowed}`, 405),
    rule: 'This URL does not support the method.',
    expected: allowed,
    seen: 'another method',
    advice: `Send the request with one of: ${allowed}.`,
  }),
  'parameters-in-address': () => ({
    wire: wire('invalid_request', 'parameters must be sent in the request body, not in the URL'),
    rule: 'Parameters must be sent in the body (RFC 6749 §2.3.1), because URLs are logged.',
    expected: 'a URL without a query',
    seen: 'a query in the URL',
    advice: `Send the parameters as ${FORM} in the body. If they include a secret, rotate it.`,
  }),
  'content-type': ({ accepted }) => ({
    wire: wire('invalid_request', `the Content-Type must be ${accepted}`, 415),
    rule: 'Unsupported Content-Type.',
    expected: accepted,
    seen: 'another Content-Type, or none',
    advice: `Set Content-Type: ${FORM} and encode the body accordingly. Many HTTP libraries send JSON by default.`,
  }),
  'content-encoding': () => ({
    wire: wire('invalid_request', 'the request body must not have a Content-Encoding', 415),
    rule: 'Compressed bodies are not supported.',
    expected: 'no Content-Encoding',
    seen: 'a Content-Encoding',
    advice: 'Send the body without compression.',
  }),
  charset: () => ({
    wire: wire('invalid_request', 'the charset must be UTF-8', 415),
    rule: 'Text must be UTF-8.',
    expected: 'charset=utf-8, or none',
    seen: 'another charset in the Content-Type',
    advice: 'Encode the body as UTF-8, and declare that charset or none.',
  }),
  'body-too-large': ({ limitBytes }) => ({
    wire: wire('invalid_request', `the request body is larger than ${limitBytes} bytes`, 413),
    rule: 'The body is too large.',
    expected: `at most ${limitBytes} bytes`,
    seen: 'more',
    advice: 'Send only parameters of the protocol. The operator can raise bodyLimitBytes.',
  }),
  'body-in-pieces': ({ most }) => ({
    wire: wire('invalid_request', `the request body arrived in more than ${most} small chunks`, 413),
    rule: 'The body arrived in too many small chunks.',
    expected: `at most ${most} small chunks`,
    seen: 'more',
    advice: 'Send the body at once with a Content-Length, or in larger chunks.',
  }),
  'too-many-parameters': ({ most }) => ({
    wire: wire('invalid_request', `there are more than ${most} parameters`),
    rule: 'The request has too many parameters.',
    expected: `at most ${most}`,
    seen: 'more',
    advice: 'Send only parameters of the protocol.',
  }),
  'rate-limit': ({ limit, retryAfterSeconds }) => ({
    wire: wire(
      'temporarily_unavailable',
      `too many attempts; try again in ${retryAfterSeconds} seconds`,
      429, // RFC 6585 §4
    ),
    rule: `The limit ${limit} is exhausted.`,
    expected: 'fewer attempts in that time',
    seen: `no more attempts are accepted for ${formatDuration(retryAfterSeconds)}`,
    advice: 'Wait as long as Retry-After says, and look at the requests before this one, which used up the limit.',
  }),
};

/** Refusals whose wire text contains more than their facts, and those that only pages report. */
export const OTHER_REQUEST_MESSAGES: MessagesFor<
  'body-malformed' | 'parameter-repeated' | 'parameter-not-a-string' | 'overloaded'
> = {
  'body-malformed': ({ problem }) => ({
    rule: 'The body is malformed.',
    expected: 'percent-encoded UTF-8, or a JSON object if JSON is enabled',
    seen: problem,
    advice: 'Let a library encode the parameters. Code that concatenates strings often forgets to encode +, & and %.',
  }),
  'parameter-repeated': ({ parameter }) => ({
    rule: 'A parameter must not be repeated (RFC 6749 §3.1, §3.2).',
    expected: 'each name once, except resource',
    seen: `${parameter ?? 'a parameter'} twice or more`,
    advice: 'Look for a library that adds a parameter which your code also sets.',
  }),
  'parameter-not-a-string': ({ parameter }) => ({
    rule: 'In JSON every parameter must be a string.',
    expected: 'a string',
    seen: `${parameter ?? 'a parameter'} of another type`,
    advice: 'Quote the value. scope is one string with spaces, not a list.',
  }),
  overloaded: ({ retryAfterSeconds }) => ({
    rule: 'The server checks only a few passwords at a time.',
    expected: 'a shorter queue',
    seen: 'too many passwords waiting to be checked',
    advice: `Try again in ${formatDuration(retryAfterSeconds)}.`,
  }),
};
