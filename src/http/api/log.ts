import type { Attestation } from '../../audit/proofs/attestation.ts';
import type { EventLog, Position } from '../../event-store/event-log.ts';
import { declareForRoute } from '../../policy/declaration.ts';
import { allScopes } from '../../policy/policies.ts';
import { encodeEntryBundle } from '../../audit/merkle/entry-bundle.ts';
import { parseTilePath, type TilePath } from '../../audit/merkle/tile-path.ts';
import { TILE_WIDTH } from '../../audit/merkle/tile.ts';
import { READ_CHECKPOINT, READ_ENTRIES, READ_KEY, READ_TILE } from '../openapi/event-log-api.ts';
import type { Endpoint } from '../endpoint.ts';
import { requirePolicy } from '../pipeline/require-policy.ts';
import type { RequestContext } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

const COMMON = { method: 'GET', kind: 'protocol', authentication: 'bearer' } as const satisfies Omit<Endpoint, 'path'>;

export interface LogRoutesDeps {
  readonly attestation: Attestation;
  readonly log: Pick<EventLog, 'readAll' | 'head'>;
}

/**
 * Returns the routes that serve the log to verifiers (C2SP tlog-tiles): the checkpoint, its verifier key and tiles of
 * hashes for anyone, and the records for callers with the `audit` scope.
 */
export function logRoutes({ attestation, log }: LogRoutesDeps): readonly Route[] {
  return [
    {
      ...COMMON,
      path: '/o/log/checkpoint',
      openApi: [READ_CHECKPOINT],
      pipeline: [async (ctx) => sendText(ctx, await currentCheckpoint(attestation))],
    },
    {
      ...COMMON,
      path: '/o/log/key',
      openApi: [READ_KEY],
      pipeline: [(ctx) => sendText(ctx, `${attestation.verifierKey()}\n`)],
    },
    {
      ...COMMON,
      path: '/o/log/tile/entries/*path',
      openApi: READ_ENTRIES,
      pipeline: [
        declareForRoute('/o/log/tile/entries/', () => requirePolicy(allScopes(['audit']))),
        async (ctx) => {
          const tile = requestedTile(ctx);
          const entries = tile === undefined ? undefined : await readEntries(tile);
          if (tile === undefined || entries === undefined) return respondWithTileNotFound(ctx);
          sendTile(ctx, tile, encodeEntryBundle(entries), 'private');
        },
      ],
    },
    {
      ...COMMON,
      path: '/o/log/tile/*path',
      openApi: READ_TILE,
      pipeline: [
        async (ctx) => {
          const tile = requestedTile(ctx);
          const hashes =
            tile === undefined || tile.level === 'entries'
              ? undefined
              : await attestation.tree.findTile(tile.level, tile.index, tile.width);
          if (tile === undefined || hashes === undefined) return respondWithTileNotFound(ctx);
          sendTile(ctx, tile, hashes, 'public');
        },
      ],
    },
  ];

  async function readEntries({ index, width }: TilePath): Promise<readonly string[] | undefined> {
    const first = index * TILE_WIDTH;
    if (first + width > log.head()) return undefined;
    const records: string[] = [];
    for await (const events of log.readAll(first as Position)) {
      for (const { record } of events) if (records.length < width) records.push(record);
      if (records.length === width) break;
    }
    return records;
  }
}

function sendText(ctx: RequestContext, text: string): void {
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = text;
}

/** Returns the newest checkpoint. If that fails, returns this node's last checkpoint, which remains valid. */
async function currentCheckpoint(attestation: Attestation): Promise<string> {
  try {
    return await attestation.checkpoint();
  } catch (error) {
    const last = attestation.lastCheckpoint();
    if (last === undefined) throw error;
    return last;
  }
}

function requestedTile(ctx: RequestContext): TilePath | undefined {
  return parseTilePath(ctx.path.slice('/o/log/'.length));
}

function respondWithTileNotFound(ctx: RequestContext): void {
  ctx.status = 404;
  ctx.body = { detail: 'The log has no such tile.' };
}

/** Sends a tile. A full tile never changes, so caches may store it. */
function sendTile(ctx: RequestContext, { width }: TilePath, bytes: Buffer, cacheScope: 'public' | 'private'): void {
  ctx.type = 'application/octet-stream';
  ctx.set('Cache-Control', width === TILE_WIDTH ? `${cacheScope}, max-age=31536000, immutable` : 'no-cache');
  ctx.body = bytes;
}
