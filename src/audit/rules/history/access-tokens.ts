import type { EventOf } from '../../../domain/events.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import type { StreamName } from '../../../event-store/event-log.ts';
import type { AuditedEvent } from '../audited-event.ts';

type Issued = EventOf<'AccessTokenIssued'>['data'];

interface AccessTokenRecord {
  readonly stream: StreamName;
  readonly scope: readonly string[];
  /** Empty for every resource server. */
  readonly resource: readonly string[];
  readonly details: NonNullable<Issued['details']>;
  /** Earlier than when it was issued if a refresh has retired it. */
  expiresAt: EpochSeconds;
}

/** The access tokens that can be exchanged, according to the log. Expired ones are forgotten. */
export interface AccessTokenHistory {
  /** Undefined if it was never issued, or expired long ago. */
  find(tokenHash: string): Readonly<AccessTokenRecord> | undefined;
  /** Whether it can lack valid tokens, because the clock was ahead and they seemed to have expired. */
  isIncomplete(): boolean;
  apply(audited: AuditedEvent): void;
}

/** A token is known for longer than a decision about it takes, and small corrections of the clock do not matter. */
const RETENTION_SECONDS = 600;
const INITIAL_SIZE = 1_024;
const NONE: readonly [] = [];

export function createAccessTokenHistory(): AccessTokenHistory {
  const byHash = new Map<string, AccessTokenRecord>();
  /** Shares equal scopes, to save memory. */
  const scopes = new Map<string, readonly string[]>();
  let [newest, sweepsAt] = [0, INITIAL_SIZE];
  let hasGoneBack = false;

  const isForgotten = ({ expiresAt }: AccessTokenRecord): boolean => expiresAt + RETENTION_SECONDS < newest;

  /** Each sweep costs as much as the tokens since the one before, and leaves at most twice the valid ones. */
  function sweep(): void {
    for (const [hash, token] of byHash) if (isForgotten(token)) byHash.delete(hash);
    sweepsAt = Math.max(INITIAL_SIZE, 2 * byHash.size);
  }

  function share(scope: readonly string[]): readonly string[] {
    const key = scope.join(' ');
    const known = scopes.get(key) ?? scope;
    if (known === scope) scopes.set(key, scope);
    return known;
  }

  return {
    find(tokenHash) {
      const token = byHash.get(tokenHash);
      return token === undefined || isForgotten(token) ? undefined : token;
    },
    isIncomplete: () => hasGoneBack,
    apply({ event: { type, data }, recorded: { stream, recordedAt } }) {
      const at = recordedAt / 1000;
      if (at < newest - RETENTION_SECONDS) hasGoneBack = true;
      newest = Math.max(newest, at);
      if (type === 'AccessTokenIssued') {
        const { tokenHash, scope, resource = NONE, details = NONE, expiresAt } = data;
        if (byHash.size >= sweepsAt) sweep();
        byHash.set(tokenHash, { stream, scope: share(scope), resource, details, expiresAt });
      }
      const retired = type === 'RefreshTokenRotated' ? data.retired : undefined;
      const token = retired && byHash.get(retired.tokenHash);
      if (token?.stream === stream && retired !== undefined && retired.endsAt < token.expiresAt)
        token.expiresAt = retired.endsAt;
    },
  };
}
