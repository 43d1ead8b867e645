import fc from 'fast-check';
import type { AppRoute } from './app-routes.ts';
import {
  aBody,
  aHeader,
  anyTarget,
  aType,
  FORM,
  someHeaders,
  someParameters,
  replaceOneValue,
  type ValidRequest,
  type Sender,
} from './fuzz-values.ts';

/** A generated request, valid or not. */
export interface FuzzRequest {
  /** The path of the route that the request was generated for, or null if it was generated for none. */
  readonly route: string | null;
  /** The request on the wire. Each character is a byte. */
  readonly bytes: string;
  readonly hangsUp: boolean;
}

/** A request before it is encoded. */
interface Draft {
  readonly route: string | null;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: string;
}

const METHODS = [
  'GET',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'FOO',
  'get',
  '',
  'CONNECT',
  'PRI',
  'G\0T',
  'M'.repeat(300),
];
const BASE_HEADERS = ['Host: localhost', 'Connection: close'];
const COMMON_METHODS = /^(?:GET|HEAD|POST|PUT|DELETE)$/;
const UNROUTED_PATHS = [
  '/nowhere',
  '/static/',
  '/static/grantlog.css',
  '/static/../src/main.ts',
  '/static/%2e%2e/package.json',
  '/o/',
  '/__proto__',
  '/favicon.ico',
  '//',
  '/%',
  '/%00',
  '*',
  '',
  'users',
  'http://evil.example/o/token/',
  'evil.example:443',
];
const SEGMENTS = [
  'x',
  '0',
  '1',
  '-1',
  '007',
  '1e3',
  '9'.repeat(40),
  '__proto__',
  'constructor',
  'toString',
  '%00',
  '%',
  '%ff',
  '%2e%2e',
  '..',
  '.',
  '%2f',
  '%5c',
  ';x',
  'é',
  'x'.repeat(3_000),
  '%F0%9F%98%80',
];
const TILES = [
  '000',
  '0/000',
  '0/000.p/1',
  '0/000.p/999',
  '1/x001/000',
  '63/000',
  '64/000',
  '0/x999/x999/x999/x999/x999/999',
  'entries/000',
  '000.p/3',
  '000.p/0',
  '-1/000',
  '0/00',
  'x'.repeat(500),
  '%30/000',
  '0//000',
];
/** Mostly the ending that the routes have. */
const ENDINGS = [
  ...Array<string>(20).fill('/'),
  '',
  '',
  '//',
  '/..',
  '%',
  '%00',
  '%2f',
  ';x',
  '\\',
  '%ff',
  '/x',
  '/index.html',
];

const manyPairs = fc
  .tuple(fc.constantFrom('a=1&', 'a&a&a&a&a&', '&&&&&&&&&&'), fc.integer({ min: 1, max: 1_500 }))
  .map(([pairs, count]) => `?${pairs.repeat(count)}`);

/**
 * Generates requests to every route with equal probability, requests to unknown paths, and valid requests with at most
 * one change.
 */
export function aRequest(routes: readonly AppRoute[], sender: Sender): fc.Arbitrary<FuzzRequest> {
  const unrouted = fc.oneof(
    fc.constantFrom(...UNROUTED_PATHS),
    anyTarget(20).map((text) => `/${text}`),
  );
  const drafts = fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...routes.map((route) => aDraft(route, sender))) },
    { weight: 1, arbitrary: aDraftTo(null, unrouted, ['GET', 'POST'], sender) },
    { weight: 5, arbitrary: fc.oneof(...sender.validRequests.map((request) => withOneChange(request, sender))) },
  );
  return applyFraming(drafts);
}

/** Generates requests to this route. */
export function aRequestTo(route: AppRoute, sender: Sender): fc.Arbitrary<FuzzRequest> {
  return applyFraming(aDraft(route, sender));
}

function applyFraming(drafts: fc.Arbitrary<Draft>): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(
      drafts,
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(unchanged) },
        { weight: 1, arbitrary: fc.constantFrom(...FRAMINGS) },
      ),
      fc.nat(),
    )
    .map(([draft, frame, choice]) => {
      const { bytes, hangsUp } = frame(draft, choice);
      return { route: draft.route, bytes, hangsUp };
    });
}

/** Generates the valid request, unchanged or with one change. */
function withOneChange({ path, headers, form }: ValidRequest, sender: Sender): fc.Arbitrary<Draft> {
  const draft: Draft = {
    route: null,
    method: form === '' ? 'GET' : 'POST',
    target: path,
    headers: [...BASE_HEADERS, ...(form === '' ? [] : [`Content-Type: ${FORM}`]), ...headers],
    body: form,
  };
  return fc.oneof<fc.Arbitrary<Draft>[]>(
    fc.constant(draft),
    fc.constantFrom(...METHODS).map((method) => ({ ...draft, method })),
    aType.map((type) => ({ ...draft, headers: [...BASE_HEADERS, `Content-Type: ${type}`, ...headers] })),
    aHeader(sender).map((header) => ({ ...draft, headers: [...draft.headers, header] })),
    someParameters(sender).map((more) => ({ ...draft, target: `${path}${path.includes('?') ? '&' : '?'}${more}` })),
    someParameters(sender).map((more) => ({ ...draft, body: `${form}&${more}` })),
    fc.nat(form.length).map((end) => ({ ...draft, body: form.slice(0, end) })),
    replaceOneValue(form).map((body) => ({ ...draft, body })),
  );
}

function aDraft({ path, methods }: AppRoute, sender: Sender): fc.Arbitrary<Draft> {
  const segment = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...SEGMENTS) },
    { weight: 1, arbitrary: fc.constantFrom(sender.clientId, '1') },
  );
  const filledForm = fc
    .tuple(fc.array(segment, { minLength: 2, maxLength: 2 }), fc.constantFrom(...TILES), fc.constantFrom(...ENDINGS))
    .map(
      ([[first = '', second = ''], tile, ending]) =>
        path.replace(/\/$/, '').replace(/\*\w+/, tile).replace(/:\w+/, first).replaceAll(/:\w+/g, second) + ending,
    );
  return aDraftTo(path, filledForm, methods, sender);
}

function aDraftTo(
  route: string | null,
  path: fc.Arbitrary<string>,
  methods: readonly string[],
  sender: Sender,
): fc.Arbitrary<Draft> {
  const query = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: someParameters(sender).map((text) => `?${text}`) },
    { weight: 2, arbitrary: anyTarget(20).map((text) => `?${text}`) },
    { weight: 1, arbitrary: manyPairs },
  );
  return fc
    .record({
      method: fc.oneof(
        {
          weight: 16,
          arbitrary: fc.constantFrom(...methods.filter((method) => COMMON_METHODS.test(method)), 'POST', 'GET'),
        },
        { weight: 2, arbitrary: fc.constantFrom(...methods) },
        { weight: 2, arbitrary: fc.constantFrom(...METHODS) },
      ),
      path,
      query,
      type: aType,
      headers: someHeaders(sender),
      body: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 9, arbitrary: aBody(sender) }),
    })
    .map(({ method, path: text, query: search, type, headers, body }) => ({
      route,
      method,
      target: Buffer.from(text + search).toString('latin1'),
      body,
      headers: [...BASE_HEADERS, ...(type === '' ? [] : [`Content-Type: ${type}`]), ...headers],
    }));
}

type EncodedRequest = Pick<FuzzRequest, 'bytes' | 'hangsUp'>;
type Framing = (draft: Draft, choice: number) => EncodedRequest;

function encode(
  { method, target, headers }: Draft,
  framing: readonly string[],
  trailer: string,
  { version = 'HTTP/1.1', newline = '\r\n' } = {},
): string {
  return [`${method} ${target} ${version}`, ...headers, ...framing, '', trailer].join(newline);
}

const contentLength = ({ body }: Draft): string => `Content-Length: ${body.length}`;
const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`;
const unchanged: Framing = (draft) => ({ bytes: encode(draft, [contentLength(draft)], draft.body), hangsUp: false });

function pick<T>(list: readonly [T, ...T[]], choice: number): T {
  return list[choice % list.length] ?? list[0];
}

const TRAILERS = [
  '',
  'Trailer: x\r\n',
  'Content-Length: 5\r\n',
  'Authorization: x\r\n',
  `X: ${'x'.repeat(9_000)}\r\n`,
] as const;
const CHUNK_SIZES = [
  'zz',
  '-1',
  '',
  'FFFFFFFFFFFFFFFFF',
  '7fffffff',
  '0x5',
  ' 5',
  '5 ',
  '5;a=b',
  `5;${'x'.repeat(20_000)}`,
  '5\n',
  '00000000005',
] as const;
const CODINGS = [
  'identity',
  'chunked, identity',
  'gzip, chunked',
  'xchunked',
  'chunked\x0b',
  'Chunked',
  ', chunked',
  '',
] as const;

/** Framings that clients use rarely or never. */
const FRAMINGS: readonly Framing[] = [
  // chunked, valid and malformed
  (draft, choice) => ({
    bytes: encode(
      draft,
      ['Transfer-Encoding: chunked'],
      `${draft.body === '' ? '' : chunk(draft.body)}0\r\n${pick(TRAILERS, choice)}\r\n`,
    ),
    hangsUp: false,
  }),
  (draft, choice) => ({
    bytes: encode(
      draft,
      ['Transfer-Encoding: chunked'],
      `${pick(CHUNK_SIZES, choice)}\r\n${draft.body.slice(0, 5)}\r\n0\r\n\r\n`,
    ),
    hangsUp: true,
  }),
  (draft) => ({ bytes: encode(draft, ['Transfer-Encoding: chunked'], chunk(draft.body).slice(0, -2)), hangsUp: true }),
  (draft) => ({
    bytes: encode(
      draft,
      ['Transfer-Encoding: chunked'],
      `${Array.from(draft.body.slice(0, 300), chunk).join('')}0\r\n\r\n`,
    ),
    hangsUp: false,
  }),
  // conflicting or incorrect lengths
  (draft) => ({
    bytes: encode(draft, [contentLength(draft), 'Transfer-Encoding: chunked'], `${chunk(draft.body)}0\r\n\r\n`),
    hangsUp: true,
  }),
  (draft) => ({
    bytes: encode(
      draft,
      ['Transfer-Encoding: chunked', 'Content-Length: 3'],
      '0\r\n\r\nGET /users/ HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(draft, [`Transfer-Encoding: ${pick(CODINGS, choice)}`], `${chunk(draft.body)}0\r\n\r\n`),
    hangsUp: true,
  }),
  (draft) => ({
    bytes: encode(
      draft,
      ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked', contentLength(draft)],
      draft.body,
    ),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(draft, [contentLength(draft), `Content-Length: ${draft.body.length + (choice % 7)}`], draft.body),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(
      draft,
      [`Content-Length: ${pick(['-1', '+5', '0x5', '5, 5', '1e3', '9'.repeat(30), '', ' ', '5 5', '٥'], choice)}`],
      draft.body,
    ),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(draft, [`Content-Length: ${draft.body.length + 1 + (choice % 500)}`], draft.body),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(draft, [`Content-Length: ${Math.max(0, draft.body.length - 1 - (choice % 50))}`], draft.body),
    hangsUp: false,
  }),
  // malformed heads
  (draft, choice) => ({
    bytes: encode(
      draft,
      [
        contentLength(draft),
        pick(
          [
            'X: a\0b',
            ' folded',
            'X : y',
            ': y',
            'X',
            'X: a\rb',
            `X: ${'x'.repeat(17_000)}`,
            'Host: two.example',
            'X: \x80\xff',
            '\xef\xbb\xbfX: y',
          ],
          choice,
        ),
      ],
      draft.body,
    ),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(
      draft,
      [contentLength(draft), ...Array.from({ length: 20 + (choice % 2_500) }, (_, index) => `X${index}: y`)],
      draft.body,
    ),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(draft, [contentLength(draft)], draft.body, {
      version: pick(
        ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.2', 'HTTP/9.9', 'http/1.1', 'HTTP', '', 'ICY'],
        choice,
      ),
    }),
    hangsUp: true,
  }),
  (draft) => ({ bytes: encode(draft, [contentLength(draft)], draft.body, { newline: '\n' }), hangsUp: true }),
  (draft) => ({
    bytes: encode({ ...draft, headers: draft.headers.slice(1) }, [contentLength(draft)], draft.body),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(
      {
        ...draft,
        target: pick(
          [
            `http://evil.example${draft.target}`,
            `${draft.target}#fragment`,
            `${draft.target} extra`,
            `${draft.target}\0`,
            `${draft.target}?${'x'.repeat(20_000)}`,
            draft.target.slice(1),
          ],
          choice,
        ),
      },
      [contentLength(draft)],
      draft.body,
    ),
    hangsUp: true,
  }),
  (draft) => ({ bytes: `\r\n\r\n${unchanged(draft, 0).bytes}`, hangsUp: false }),
  // pipelined requests, and an incomplete one
  (draft) => ({
    bytes: unchanged(
      { ...draft, headers: draft.headers.filter((line) => !line.startsWith('Connection')) },
      0,
    ).bytes.repeat(3),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: unchanged(draft, 0).bytes.slice(0, choice % (unchanged(draft, 0).bytes.length + 1)),
    hangsUp: true,
  }),
  (draft, choice) => ({
    bytes: encode(
      draft,
      [contentLength(draft), 'Connection: Upgrade', `Upgrade: ${pick(['websocket', 'h2c', 'TLS/1.3', ''], choice)}`],
      draft.body,
    ),
    hangsUp: true,
  }),
];
