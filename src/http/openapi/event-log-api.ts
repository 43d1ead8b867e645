import { BAD_REQUEST, cacheControl, header, NOT_FOUND, SERVER_ERRORS, STRING } from './shared-responses.ts';
import type { ApiResponse, Operation, Parameter, Schema } from './operation.ts';

// See http/api/events.ts and http/api/log.ts.

const TAG = 'Event log';

const EVENT_LINES: Schema = {
  type: 'string',
  description:
    'One JSON object per line, with the `position` and the stored `record`. Earlier releases recorded unsealed ' +
    'hashes of user-chosen client secrets. Only administrators get these records unchanged. For other callers, ' +
    '`secret` contains `redacted` instead of the hash, so the record differs from the stored one.',
};
const EVENT_STREAM: Schema = { type: 'string', description: 'Server-sent events. The id of an event is its position.' };
const POSITION: Schema = { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 };

export const READ_EVENTS: Operation = {
  method: 'GET',
  path: '/o/events/',
  id: 'readEvents',
  tag: TAG,
  summary: 'Read the event log, page by page or live',
  description: 'With `Accept: text/event-stream`, new events follow until the token is no longer valid.',
  parameters: [
    {
      name: 'after',
      in: 'query',
      description: 'The position of the last event that the caller has read.',
      schema: { ...POSITION, default: 0 },
    },
    {
      name: 'limit',
      in: 'query',
      description: 'The maximum number of events in a page. A page never has more than 10000.',
      schema: { ...POSITION, minimum: 1, default: 1000 },
    },
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'Takes precedence over `after` in a request for a stream.',
      schema: POSITION,
    },
  ],
  responses: {
    200: {
      description: 'The events after `after`, in order and without gaps.',
      headers: {
        Link: {
          ...header('The next page, with `rel="next"`. Absent on the last page.', {
            type: 'string',
            pattern: '; rel="next"$',
          }),
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
  const headers = cacheControl('Must be revalidated before each use.', '^no-cache$');
  return { 200: { description, headers, content: { 'text/plain': { schema: STRING } } }, ...SERVER_ERRORS };
}

export const READ_CHECKPOINT: Operation = {
  method: 'GET',
  path: '/o/log/checkpoint',
  id: 'readCheckpoint',
  tag: TAG,
  publicSecurity: [],
  summary: 'The latest checkpoint of the log',
  responses: noteResponses('A signed head (C2SP tlog-checkpoint). Reading it issues a new one at most once a minute.'),
};

export const READ_KEY: Operation = {
  method: 'GET',
  path: '/o/log/key',
  id: 'readKey',
  tag: TAG,
  publicSecurity: [],
  summary: 'The key for verifying checkpoints',
  responses: noteResponses('A verifier key (C2SP signed-note).'),
};

const INDEX: Parameter = {
  name: 'index',
  in: 'path',
  required: true,
  description: 'The tile index, padded with zeros to three digits.',
  schema: { type: 'string', pattern: '^[0-9]{3}$' },
};
const LEVEL: Parameter = {
  name: 'level',
  in: 'path',
  required: true,
  description: 'The level of the tile. Level 0 contains the hashes of the records.',
  schema: { type: 'integer', minimum: 0, maximum: 63 },
};
const WIDTH: Parameter = {
  name: 'width',
  in: 'path',
  required: true,
  description: 'The number of hashes or records in the tile.',
  schema: { type: 'integer', minimum: 1, maximum: 255 },
};
const LARGE_INDEX =
  'An index of 1000 or more is split into groups of three digits. Each group but the last is between an `x` and a ' +
  'slash: `x001/234`.';

function tileResponses(description: string, cacheScope: 'public' | 'private'): Readonly<Record<number, ApiResponse>> {
  const headers = cacheControl(
    'Immutable if the tile is full.',
    `^(?:no-cache|${cacheScope}, max-age=31536000, immutable)$`,
  );
  return {
    200: { description, headers, content: { 'application/octet-stream': { schema: {} } } },
    400: BAD_REQUEST,
    404: NOT_FOUND,
    ...SERVER_ERRORS,
  };
}

const HASHES = {
  method: 'GET',
  tag: TAG,
  publicSecurity: [],
  description: LARGE_INDEX,
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
    summary: 'A partial tile of hashes',
    parameters: [LEVEL, INDEX, WIDTH],
  },
];

const RECORDS = {
  method: 'GET',
  tag: TAG,
  description: LARGE_INDEX,
  responses: tileResponses('The records, each preceded by its length in two bytes (C2SP tlog-tiles).', 'private'),
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
    summary: 'The records of a partial tile',
    parameters: [INDEX, WIDTH],
  },
];
