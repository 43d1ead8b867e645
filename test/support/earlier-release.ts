import { createHmac, hash, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { EventToAppend } from '../../src/event-store/event-log.ts';
import type { RunningService, TestClient } from './running-service.ts';

/** A refresh token of a release without tags, and the access token issued with it. */
export interface UntaggedTokens {
  readonly access: string;
  readonly refresh: string;
}

const LIFETIME_SECONDS = 36_000;

/**
 * Appends a refresh family as an earlier release would have written it: tokens without tags, rotations that retire
 * nothing, no summary. Returns its tokens, oldest first; the last one is current.
 */
export async function appendUntaggedFamily(
  running: RunningService,
  client: TestClient,
  { rotations, secondsBetween = 60 }: { readonly rotations: number; readonly secondsBetween?: number },
): Promise<readonly UntaggedTokens[]> {
  const { username } = await running.addUser();
  const { projections, keys, entropy } = running.service();
  const userId = projections.users.findByName(username)?.userId ?? '';
  const grantId = entropy.bytes(16).toString('base64url');
  const stream = `grant-${grantId}`;
  const scope = ['read', 'write'];
  const clientAndUser = { clientId: client.id, userId };
  const accessTokenIssued = (tokens: UntaggedTokens): EventToAppend =>
    event(running, client, 'AccessTokenIssued', 2, {
      tokenHash: hashOf(tokens.access),
      grantId,
      ...clientAndUser,
      scope,
      expiresAt: now(running) + LIFETIME_SECONDS,
    });
  const tokens: UntaggedTokens[] = [
    {
      access: withChecksum(`gla_${entropy.bytes(32).toString('base64url')}`),
      refresh: withChecksum(`glr_${grantId}${entropy.bytes(32).toString('base64url')}`),
    },
  ];
  let currentToken = tokens[0]!;
  let { revision } = await running.log.append(stream, 'no-stream', [
    event(running, client, 'ConsentGiven', 1, { grantId, ...clientAndUser, scope, basis: 'password' }),
    accessTokenIssued(currentToken),
    event(running, client, 'RefreshTokenIssued', 2, {
      tokenHash: hashOf(currentToken.refresh),
      ...clientAndUser,
      scope,
      expiresAt: null,
    }),
  ]);
  for (let nth = 0; nth < rotations; nth += 1) {
    running.clock.advance(secondsBetween);
    const next = untaggedSuccessors(currentToken.refresh, grantId, keys.refresh);
    const rotation = event(running, client, 'RefreshTokenRotated', 1, {
      spentHash: hashOf(currentToken.refresh),
      tokenHash: hashOf(next.refresh),
      scope,
      rotatedAt: now(running),
      expiresAt: null,
    });
    ({ revision } = await running.log.append(stream, revision, [rotation, accessTokenIssued(next)]));
    tokens.push(next);
    currentToken = next;
  }
  return tokens;
}

/** Returns a token that was never issued, in the format of earlier releases. Forging one takes only a grant id. */
export function unknownUntaggedToken(grantId: string, nth: number): string {
  return withChecksum(`glr_${grantId}${hash('sha256', `junk ${nth}`, 'base64url')}`);
}

export const grantIdIn = (refreshToken: string): string => refreshToken.slice(4, 26);

function untaggedSuccessors(refreshToken: string, grantId: string, key: KeyObject): UntaggedTokens {
  const derive = (label: string): string =>
    createHmac('sha256', key).update(`${label}:${refreshToken}`).digest('base64url');
  return {
    access: withChecksum(`gla_${derive('access')}`),
    refresh: withChecksum(`glr_${grantId}${derive('refresh')}`),
  };
}

function event(
  { clock }: RunningService,
  client: TestClient,
  type: string,
  version: number,
  data: object,
): EventToAppend {
  return { type, version, data, recordedAt: clock.now(), actor: { kind: 'client', id: client.id }, requestId: null };
}

const now = ({ clock }: RunningService): number => Math.floor(clock.now() / 1000);
const hashOf = (credential: string): string => hash('sha256', credential, 'base64url');

/** Appends the checksum to the body of a credential. A checksum needs no key. */
export function withChecksum(body: string): string {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return body + checksum.toString('base64url');
}
