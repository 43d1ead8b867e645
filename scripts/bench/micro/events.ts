import { z } from 'zod';
import { authorizationGrant, type Grant, type GrantEvent } from '../../../src/domain/authorization-grant.ts';
import { encodeEvent, type DomainEvent } from '../../../src/domain/events.ts';
import {
  unreachable,
  type ClientId,
  type CredentialHash,
  type EpochSeconds,
  type GrantId,
  type UserId,
} from '../../../src/domain/values.ts';
import type { Pair } from './pair.ts';

const HASH = 'A'.repeat(43) as CredentialHash;
const CLIENT = 'a-client-of-some-length' as ClientId;
const USER = 'U'.repeat(22) as UserId;
const EXPIRES_AT = 1_700_000_000 as EpochSeconds;

const ISSUED = {
  type: 'AccessTokenIssued',
  data: {
    tokenHash: HASH,
    grantId: 'G'.repeat(22) as GrantId,
    clientId: CLIENT,
    userId: USER,
    scope: ['read'],
    expiresAt: EXPIRES_AT,
  },
} as const satisfies DomainEvent;

/** The properties that several events of a grant have in common. */
const SHARED = { clientId: CLIENT, userId: USER, scope: ['read'] } as const;

const ROTATED = {
  type: 'RefreshTokenRotated',
  data: { spentHash: HASH, tokenHash: HASH, scope: SHARED.scope, rotatedAt: EXPIRES_AT, expiresAt: null },
} as const satisfies GrantEvent;

/** The properties that a command adds to its events. */
const CONTEXT = {
  recordedAt: 1_700_000_000_000,
  actor: { kind: 'client', id: CLIENT },
  requestId: 'R'.repeat(22),
} as const;

/** The schema of an issued access token. Zod interprets it at each call; `encodeEvent` uses compiled code instead. */
const schema = z.strictObject({
  tokenHash: z.string().regex(/^[\w-]{43}$/),
  grantId: z.string().regex(/^[\w-]{22}$/),
  clientId: z.string().min(1),
  userId: z
    .string()
    .regex(/^[\w-]{22}$/)
    .nullable(),
  scope: z.array(z.string().min(1)).readonly(),
  resource: z.array(z.string().min(1)).readonly().optional(),
  previousSecretUsed: z.literal(true).optional(),
  expiresAt: z.int().nonnegative(),
});

/** A password grant and its first refreshes. */
const STREAM: readonly GrantEvent[] = [
  { type: 'ConsentGiven', data: { ...SHARED, grantId: ISSUED.data.grantId, basis: 'password' } },
  ISSUED,
  { type: 'RefreshTokenIssued', data: { ...SHARED, tokenHash: HASH, tagged: true, expiresAt: null } },
  ...Array.from({ length: 4 }, (): readonly GrantEvent[] => [ROTATED, ISSUED]).flat(),
];

/** Like `evolve`, applies one of these events to a grant, but with spreads. */
function evolveBySpreading(grant: Grant, event: GrantEvent): Grant {
  const { refresh } = grant;
  switch (event.type) {
    case 'ConsentGiven':
      return { ...grant, status: 'open', clientId: event.data.clientId };
    case 'AccessTokenIssued':
      return { ...grant, clientId: event.data.clientId, access: event.data };
    case 'RefreshTokenIssued': {
      const { tokenHash: currentHash, tagged, resource = [], ...family } = event.data;
      const unrotated = {
        hasUntagged: tagged !== true,
        confirmation: undefined,
        rotation: null,
        refreshesSinceSummary: 0,
      };
      return { ...grant, refresh: { ...family, currentHash, resource, ...unrotated } };
    }
    case 'RefreshTokenRotated': {
      if (refresh === null) return grant;
      const { tokenHash: currentHash, spentHash, rotatedAt: at, expiresAt } = event.data;
      const refreshesSinceSummary = refresh.refreshesSinceSummary + 1;
      const rotation = { spentHash, at };
      return { ...grant, refresh: { ...refresh, currentHash, expiresAt, rotation, refreshesSinceSummary } };
    }
    case 'AuthorizationCodeIssued':
    case 'AuthorizationCodeRedeemed':
    case 'DeviceAuthorized':
    case 'DeviceDenied':
    case 'DeviceCodeRedeemed':
    case 'TokenExchanged':
    case 'AssertionRedeemed':
    case 'IdTokenIssued':
    case 'GrantSummarized':
    case 'GrantRevoked':
      return grant;
    default:
      return unreachable(event);
  }
}

/** Returns the comparisons for code that runs for every event. */
export function eventPairs(): readonly Pair[] {
  const { version } = encodeEvent(ISSUED);
  const payload = { type: ISSUED.type, version, data: ISSUED.data };
  const { initial, evolve } = authorizationGrant;
  return [
    {
      name: 'schema: compiled vs. interpreted',
      file: 'domain/events.ts',
      optimized: () => encodeEvent(ISSUED),
      baseline: () => ({ ...payload, data: schema.parse(ISSUED.data) }),
    },
    {
      name: 'envelope: member by member vs. spread',
      file: 'event-store/command-handler.ts',
      optimized: () => {
        const { type, data } = payload;
        const { recordedAt, actor, requestId } = CONTEXT;
        return { type, version, data, recordedAt, actor, requestId };
      },
      baseline: () => ({ ...payload, ...CONTEXT }),
    },
    {
      name: `state of a grant after ${STREAM.length} events: member by member vs. spread`,
      file: 'domain/authorization-grant.ts',
      optimized: () => STREAM.reduce(evolve, initial),
      baseline: () => STREAM.reduce(evolveBySpreading, initial),
    },
  ];
}
