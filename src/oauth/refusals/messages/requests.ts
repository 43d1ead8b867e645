import { formatList, formatDuration, type MessagesFor } from '../messages.ts';

const FORM = 'application/x-www-form-urlencoded';

/** How a request is written, whatever it asks for. */
export const REQUEST_MESSAGES: MessagesFor<
  | 'method-not-allowed'
  | 'parameters-in-address'
  | 'content-type'
  | 'content-encoding'
  | 'charset'
  | 'body-too-large'
  | 'body-in-pieces'
  | 'body-malformed'
  | 'too-many-parameters'
  | 'parameter-repeated'
  | 'parameter-not-a-string'
  | 'parameter-missing'
  | 'parameter-value'
  | 'parameter-malformed'
  | 'form-not-of-session'
  | 'rate-limit'
  | 'overloaded'
> = {
  'method-not-allowed': ({ allowed }) => ({
    rule: 'The address takes certain methods only.',
    expected: allowed,
    seen: 'another method',
    advice: `Send the request with one of: ${allowed}.`,
  }),
  'parameters-in-address': () => ({
    rule: 'Parameters belong in the body (RFC 6749 §2.3.1): addresses end up in logs.',
    expected: 'an address without a query',
    seen: 'a query in the address',
    advice: `Send the parameters as ${FORM} in the body. If a secret was among them, rotate it.`,
  }),
  'content-type': ({ accepted }) => ({
    rule: 'The body must be of a type that is read here.',
    expected: accepted,
    seen: 'another Content-Type, or none',
    advice: `Set the header Content-Type: ${FORM}, and encode the body so; many HTTP libraries send JSON unless told otherwise.`,
  }),
  'content-encoding': () => ({
    rule: 'Bodies are read as they are.',
    expected: 'no Content-Encoding',
    seen: 'a Content-Encoding',
    advice: 'Send the body without compression.',
  }),
  charset: () => ({
    rule: 'Text is UTF-8.',
    expected: 'charset=utf-8, or none',
    seen: 'another charset in the Content-Type',
    advice: 'Encode the body as UTF-8 and say so, or say nothing.',
  }),
  'body-too-large': ({ limitBytes }) => ({
    rule: 'A body has a limit.',
    expected: `at most ${limitBytes} bytes`,
    seen: 'more',
    advice: 'Send only the parameters of the protocol. The operator can raise bodyLimitBytes.',
  }),
  'body-in-pieces': ({ most }) => ({
    rule: 'A body arrives in few small pieces.',
    expected: `at most ${most} small pieces`,
    seen: 'more',
    advice: 'Send the body at once with a Content-Length, or in larger chunks.',
  }),
  'body-malformed': ({ problem }) => ({
    rule: 'The request must be readable.',
    expected: 'percent-encoded UTF-8, or a JSON object where JSON is enabled',
    seen: problem,
    advice: 'Have a library encode the parameters: what is put together by hand misses the encoding of +, & and %.',
  }),
  'too-many-parameters': ({ most }) => ({
    rule: 'A request has few parameters.',
    expected: `at most ${most}`,
    seen: 'more',
    advice: 'Send only the parameters of the protocol.',
  }),
  'parameter-repeated': ({ parameter }) => ({
    rule: 'A parameter comes once (RFC 6749 §3.1, §3.2).',
    expected: 'each name once, but for resource',
    seen: `${parameter ?? 'a parameter'} twice or more`,
    advice: 'Look for a library that adds a parameter which the code sets as well.',
  }),
  'parameter-not-a-string': ({ parameter }) => ({
    rule: 'In JSON each parameter is a string.',
    expected: 'a string',
    seen: `${parameter ?? 'a parameter'} of another type`,
    advice: 'Put the value in quotes; scope is one string with spaces, not a list.',
  }),
  'parameter-missing': ({ parameter }) => ({
    rule: `${parameter} is required here.`,
    expected: `${parameter} with a value`,
    seen: 'it is missing or empty',
    advice: `Send ${parameter} in the body. An empty variable in a script is the usual cause.`,
  }),
  'parameter-value': ({ parameter, allowed, seen, length }) => ({
    rule: `${parameter} is one of a list.`,
    expected: formatList(allowed),
    seen: seen ?? `something else of ${length} characters (not kept: it could be a secret)`,
    advice: `Send one of the expected values, spelled exactly so.`,
  }),
  'parameter-malformed': ({ parameter, form, length }) => ({
    rule: `${parameter} has a fixed form.`,
    expected: form,
    seen: `${length} characters of another form`,
    advice: `Check how ${parameter} is made and encoded.`,
  }),
  'form-not-of-session': () => ({
    rule: 'The consent form counts in the session that it was shown in.',
    expected: 'the form of the current session',
    seen: 'a form of another session, another site or a log-in that is over',
    advice:
      'Go back to the application and start again. A program cannot approve for a person: the person has to press the button.',
  }),
  'rate-limit': ({ limit, retryAfterSeconds }) => ({
    rule: `The limit ${limit} is used up.`,
    expected: 'fewer attempts in that time',
    seen: `no more are taken for ${formatDuration(retryAfterSeconds)}`,
    advice: 'Wait as long as Retry-After says. Look at the requests before this one: they used it up.',
  }),
  overloaded: ({ retryAfterSeconds }) => ({
    rule: 'Passwords are checked a few at a time, in turns.',
    expected: 'fewer waiting',
    seen: 'too many waiting',
    advice: `Try again in ${formatDuration(retryAfterSeconds)}.`,
  }),
};
