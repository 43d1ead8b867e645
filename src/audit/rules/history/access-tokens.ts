import type { EventOf } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

type IssuedToken = EventOf<'AccessTokenIssued'>['data'];

interface AccessTokenRecord {
  readonly stream: StreamName;
  readonly scope: readonly string[];
  /** Empty means every resource server. */
  readonly resource: readonly string[];
  readonly details: NonNullable<IssuedToken['details']>;
  /** The expiry, or the earlier time when a refresh made the token invalid. */
  expiresAt: EpochSeconds;
}

/** The access tokens that can be exchanged, according to the log. Expired ones are forgotten. */
export interface AccessTokenHistory {
  /** Returns undefined if the token was never issued, or is no longer retained. */
  find(tokenHash: string): Readonly<AccessTokenRecord> | undefined;
  /** Reports whether valid tokens may be missing, because they seemed to have expired while the clock was ahead. */
  isIncomplete(): boolean;
  apply(auditedEvent: AuditedEvent): void;
}

/** Tokens are retained after their expiry, for decisions that take some time and for small clock corrections. */
const RETENTION_SECONDS = 600;
const INITIAL_SIZE = 1_024;
const NONE: readonly [] = [];

export function createAccessTokenHistory(): AccessTokenHistory {
  const byHash = new Map<string, AccessTokenRecord>();
  /** Shares equal scopes, to save memory. */
  const scopes = new Map<string, readonly string[]>();
  let [newestTime, nextSweepSize] = [0, INITIAL_SIZE];
  let hasGoneBack = false;

  const isForgotten = ({ expiresAt }: AccessTokenRecord): boolean => expiresAt + RETENTION_SECONDS < newestTime;

  /** Runs when the number of tokens has doubled since the last sweep, so its average cost per token is constant. */
  function sweep(): void {
    for (const [hash, token] of byHash) if (isForgotten(token)) byHash.delete(hash);
    nextSweepSize = Math.max(INITIAL_SIZE, 2 * byHash.size);
  }

  function share(scope: readonly string[]): readonly string[] {
    const key = scope.join(' ');
    const sharedScope = scopes.get(key) ?? scope;
    if (sharedScope === scope) scopes.set(key, scope);
    return sharedScope;
  }

  return {
    find(tokenHash) {
      const token = byHash.get(tokenHash);
      return token === undefined || isForgotten(token) ? undefined : token;
    },
    isIncomplete: () => hasGoneBack,
    apply({ event: { type, data }, record: { stream, recordedAt } }) {
      const seconds = recordedAt / 1000;
      if (seconds < newestTime - RETENTION_SECONDS) hasGoneBack = true;
      newestTime = Math.max(newestTime, seconds);
      if (type === 'AccessTokenIssued') {
        const { tokenHash, scope, resource = NONE, details = NONE, expiresAt } = data;
        if (byHash.size >= nextSweepSize) sweep();
        byHash.set(tokenHash, { stream, scope: share(scope), resource, details, expiresAt });
      }
      const retiredToken = type === 'RefreshTokenRotated' ? data.retired : undefined;
      const token = retiredToken && byHash.get(retiredToken.tokenHash);
      if (token?.stream === stream && retiredToken !== undefined && retiredToken.endsAt < token.expiresAt)
        token.expiresAt = retiredToken.endsAt;
    },
  };
}
