import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { encodeEvent, type DomainEvent } from '../../../src/domain/events.ts';
import { grantStream } from '../../../src/domain/streams.ts';
import type { ClientId, CredentialHash, EpochSeconds, GrantId, UserId } from '../../../src/domain/values.ts';
import type { Position, RecordedEvent, Revision } from '../../../src/event-store/event-log.ts';
import { createExchanges } from '../../../src/projections/exchanges.ts';
import type { BenchOptions } from '../arguments.ts';
import type { BenchResult, Session } from '../session.ts';

const TARGETS = { bytes: 200, expiryMs: 10 };
const HOUR = 3_600;
const GATEWAY = 'gateway-client' as ClientId;
const WEB = 'web-client' as ClientId;

/**
 * Measures the memory that live exchanges take, without their access tokens, and the time to remove those that expired
 * within one hour. Each exchange is from the grant of a different user, with a different login and a different token of
 * the same actor.
 */
export async function exchanges({ tokens }: BenchOptions, { report }: Session): Promise<BenchResult> {
  const live = createExchanges({
    isGrantLive: () => true,
    hasGrantEnded: () => false,
    isClientEnabled: () => true,
    isClientRegistered: () => true,
    assertedGrants: { listByIssuer: () => [], listByActor: () => [] },
  });
  report(`exchanging ${tokens} tokens`);
  const bytesBefore = measureUsedBytes();
  let position = 0;
  let newest = '' as GrantId;
  const apply = (event: DomainEvent, stream: RecordedEvent['stream'], second: number): void => {
    position += 1;
    live.apply({
      ...encodeEvent(event),
      stream,
      revision: 0 as Revision,
      position: position as Position,
      recordedAt: second * 1000,
      actor: { kind: 'operator' },
      requestId: null,
      record: '',
    });
  };
  for (let count = 0; count < tokens; count += 1) {
    newest = randomId<GrantId>();
    apply(exchangeEvent(newest), grantStream(newest), 0);
  }
  const bytesPerExchange = (measureUsedBytes() - bytesBefore) / tokens;
  const lookupNanoseconds = measureNanoseconds(() => live.isLive(newest));
  const startedAt = performance.now();
  apply({ type: 'GrantRevoked', data: { reason: 'revoked-by-client' } }, grantStream(randomId<GrantId>()), 2 * HOUR);
  const expiryMs = performance.now() - startedAt;
  if (live.find(newest) !== undefined) throw new Error('an exchange did not expire');
  return {
    method: `${tokens} exchanges that expire in one hour, in this process, without their access tokens`,
    cells: [
      ['quantity', 'figure', 'target'],
      ['bytes per exchange (heap and buffers)', bytesPerExchange.toFixed(0), `≤ ${TARGETS.bytes}`],
      ['milliseconds to remove all of them', expiryMs.toFixed(2), `≤ ${TARGETS.expiryMs}`],
      ['nanoseconds to decide whether one is live', lookupNanoseconds.toFixed(0), ''],
    ],
    remarks: [],
    figures: { tokens, bytesPerExchange, expiryMs, lookupNanoseconds },
  };
}

function exchangeEvent(grantId: GrantId): DomainEvent {
  const parent = randomId<GrantId>();
  const actor = { clientId: GATEWAY, userId: null };
  return {
    type: 'TokenExchanged',
    data: {
      grantId,
      clientId: GATEWAY,
      userId: randomId<UserId>(),
      mode: 'delegation',
      scope: ['read'],
      parent: { grantId: parent, clientId: WEB, tokenHash: randomHash(), tokenType: 'access_token' },
      actor: { ...actor, grantId: randomId<GrantId>(), tokenHash: randomHash() },
      chain: [actor],
      depth: 1,
      root: { grantId: parent, clientId: WEB },
      requested: { scope: [] },
      expiresAt: (HOUR - 1) as EpochSeconds,
      login: { sessionHash: randomHash(), authTime: 0 as EpochSeconds, amr: ['pwd'], acr: 'pwd' },
    },
  };
}

const randomId = <Id extends string>(): Id => randomBytes(17).toString('base64url').slice(0, 22) as Id;
const randomHash = (): CredentialHash => randomBytes(32).toString('base64url') as CredentialHash;

/** Measures the memory in use after a garbage collection. */
function measureUsedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Measures the mean processor time of a call. */
function measureNanoseconds(act: () => unknown): number {
  const calls = 200_000;
  for (let call = 0; call < calls; call += 1) act();
  const startUsage = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) act();
  const { user, system } = process.cpuUsage(startUsage);
  return ((user + system) * 1000) / calls;
}
