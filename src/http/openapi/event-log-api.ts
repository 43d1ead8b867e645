import { BAD_REQUEST, cacheControl, header, NOT_FOUND, SERVER_ERRORS, STRING } from './shared-responses.ts';
import type { ApiResponse, Operation, Parameter, Schema } from './operation.ts';

/** See routes/events.ts and routes/log.ts. */

const TAG = 'Event log';

const EVENT_LINES: Schema = {
  type: 'string',
  description:
    'A JSON object on each line: `position`, and the `record` as it is stored. Only for a token of an ' +
    'administrator, it has hashes of chosen client secrets that earlier releases recorded without a seal; for others ' +
    'their `secret` is `redacted`, and such a line is not the stored record.',
};
const EVENT_STREAM: Schema = { type: 'string', description: 'Server-sent events; the id of each is its position.' };
const POSITION: Schema = { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };

export const READ_EVENTS: Operation = {
  method: 'GET',
  path: '/o/events/',
  id: 'readEvents',
  tag: TAG,
  summary: 'Read the event log, a page at a time or live',
  description: 'With `Accept: text/event-stream` it goes on with what happens from then on, until the token is dead.',
  parameters: [
    {
      name: 'after',
      in: 'query',
      description: 'The position of the last event that is known already.',
      schema: { ...POSITION, default: 0 },
    },
    {
      name: 'limit',
      in: 'query',
      description: 'How many at most, of a page; never more than 10000.',
      schema: { ...POSITION, minimum: 1, default: 1000 },
    },
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'Of a stream: the same as `after`, and instead of it.',
      schema: POSITION,
    },
  ],
  responses: {
    200: {
      description: 'The events behind `after`, in order and without a gap.',
      headers: {
        Link: {
          ...header('The next page, where there is more: `rel="next"`.', { type: 'string', pattern: '; rel="next"$' }),
          required: false,
        },
      },
      content: { 'application/x-ndjson': { schema: EVENT_LINES }, 'text/event-stream': { schema: EVENT_STREAM } },
    },
    400: BAD_REQUEST,
    ...SERVER_ERRORS,
  },
};

function noteResponses(description: string): Readonly<Record<number, ApiResponse>> {
  const headers = cacheControl('To be asked for each time.', '^no-cache$');
  return { 200: { description, headers, content: { 'text/plain': { schema: STRING } } }, ...SERVER_ERRORS };
}

export const READ_CHECKPOINT: Operation = {
  method: 'GET',
  path: '/o/log/checkpoint',
  id: 'readCheckpoint',
  tag: TAG,
  publicSecurity: [],
  summary: 'The signed root of the log',
  responses: noteResponses('The newest C2SP tlog-checkpoint; a new one is issued once a minute at most.'),
};

export const READ_KEY: Operation = {
  method: 'GET',
  path: '/o/log/key',
  id: 'readKey',
  tag: TAG,
  publicSecurity: [],
  summary: 'The key that verifies checkpoints',
  responses: noteResponses('A verifier key as C2SP signed-note has it.'),
};

const INDEX: Parameter = {
  name: 'index',
  in: 'path',
  required: true,
  description: 'Which tile; three digits.',
  schema: { type: 'string', pattern: '^[0-9]{3}$' },
};
const LEVEL: Parameter = {
  name: 'level',
  in: 'path',
  required: true,
  description: 'How far above the leaves.',
  schema: { type: 'integer', minimum: 0, maximum: 63 },
};
const WIDTH: Parameter = {
  name: 'width',
  in: 'path',
  required: true,
  description: 'How much of it there is.',
  schema: { type: 'integer', minimum: 1, maximum: 255 },
};
const BEYOND =
  'From the thousandth on, further groups of three digits go before, each with an x and a slash: `x001/234`.';

function tileResponses(what: string, reach: string): Readonly<Record<number, ApiResponse>> {
  const headers = cacheControl('For good once it is full.', `^(?:no-cache|${reach}, max-age=31536000, immutable)$`);
  return {
    200: { description: what, headers, content: { 'application/octet-stream': { schema: {} } } },
    400: BAD_REQUEST,
    404: NOT_FOUND,
    ...SERVER_ERRORS,
  };
}

const HASHES = {
  method: 'GET',
  tag: TAG,
  publicSecurity: [],
  description: BEYOND,
  responses: tileResponses('The hashes, 32 bytes each (C2SP tlog-tiles).', 'public'),
} as const;

export const READ_TILE: readonly Operation[] = [
  {
    ...HASHES,
    path: '/o/log/tile/{level}/{index}',
    id: 'readTile',
    summary: 'A full tile of hashes',
    parameters: [LEVEL, INDEX],
  },
  {
    ...HASHES,
    path: '/o/log/tile/{level}/{index}.p/{width}',
    id: 'readPartialTile',
    summary: 'A tile of hashes that is not full yet',
    parameters: [LEVEL, INDEX, WIDTH],
  },
];

const RECORDS = {
  method: 'GET',
  tag: TAG,
  description: BEYOND,
  responses: tileResponses('The records, each behind its length in two bytes (C2SP tlog-tiles).', 'private'),
} as const;

export const READ_ENTRIES: readonly Operation[] = [
  {
    ...RECORDS,
    path: '/o/log/tile/entries/{index}',
    id: 'readEntries',
    summary: 'The records of a full tile',
    parameters: [INDEX],
  },
  {
    ...RECORDS,
    path: '/o/log/tile/entries/{index}.p/{width}',
    id: 'readSomeEntries',
    summary: 'The records of a tile that is not full yet',
    parameters: [INDEX, WIDTH],
  },
];
