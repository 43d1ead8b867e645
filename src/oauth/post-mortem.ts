import type { Grant, GrantRefusal, RedeemCode, RefreshGrant } from '../domain/authorization-grant.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { AccessTokens } from '../projections/access-tokens.ts';
import type { Client } from '../projections/clients.ts';
import { formOfCredential } from '../refusals/credential-form.ts';
import { quotableNames } from '../refusals/quotable.ts';
import type { Happened, Refusal } from '../refusals/refusal.ts';
import { uriDifferences } from '../refusals/uri-difference.ts';
import { parseAccessToken, type Presented } from './credentials.ts';
import { expiryOfRefreshToken, type GrantHistory, type ReadGrantHistory } from './grant-history.ts';

/** A token or code that was refused, and whose it is said to be. */
interface Refused {
  readonly presented: Presented;
  readonly client: Client;
  readonly now: EpochSeconds;
}

/** Why a credential is dead, for those who may know: the caller is told no more than that it is. */
export interface PostMortem {
  /** Of a code whose grant is over, or was never there. */
  deadCode(refused: Refused): Promise<Refusal>;
  /** Of a code that the grant's own stream refused. */
  refusedCode(refused: Refused, refusal: GrantRefusal, grant: Grant, command: Pick<RedeemCode, 'redirectUri' | 'verifier' | 'resource'>): Promise<Refusal>;
  deadRefreshToken(refused: Refused): Promise<Refusal>;
  refusedRefreshToken(refused: Refused, refusal: GrantRefusal, grant: Grant, command: Pick<RefreshGrant, 'scope' | 'resource'>): Promise<Refusal>;
  /** Of a bearer token that is no good here, with the client that it was issued to; null where nothing is known of it. */
  deadAccessToken(token: string, now: EpochSeconds): Promise<{ readonly refusal: Refusal; readonly clientId: string | null }>;
}

export function createPostMortem(parts: {
  readonly history: ReadGrantHistory;
  readonly accessTokens: Pick<AccessTokens, 'find' | 'trace'>;
  readonly clients: { find(clientId: string): Client | undefined };
  readonly issuer: () => string;
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number; readonly refreshReuseWindowSeconds: number };
}): PostMortem {
  const { history, accessTokens, clients, issuer, settings } = parts;
  const look = ({ presented, client }: Refused): Promise<GrantHistory | null> => history(presented.grantId, client.clientType === 'confidential');

  function ofCode({ presented, client, now }: Refused, found: GrantHistory | null, endsGrant: boolean): Refusal {
    const parameter = 'code';
    if (found === null) return { rule: 'credential-dead', parameter };
    const { code, redeemed, revoked } = found;
    if (code === null || code.codeHash !== presented.hash) return { rule: 'credential-unknown', parameter, form: 'authorization code' };
    if (code.clientId !== client.clientId) return { rule: 'credential-of-another-client', parameter };
    if (redeemed !== null) return { rule: 'code-redeemed', redeemed, endsGrant };
    if (revoked !== null) return { rule: 'grant-revoked', parameter, reason: revoked.reason, revoked: when(revoked) };
    return now >= code.expiresAt ? codeExpired(now, code.expiresAt) : { rule: 'user-inactive', parameter };
  }

  const codeExpired = (now: number, expiresAt: number): Refusal =>
    ({ rule: 'code-expired', secondsAgo: now - expiresAt, lifetimeSeconds: settings.authorizationCodeLifetimeSeconds });

  function ofRefreshToken({ presented, client, now }: Refused, found: GrantHistory | null, isReused: boolean): Refusal {
    const parameter = 'refresh_token';
    if (found === null) return isReused ? reused(null) : { rule: 'credential-dead', parameter };
    const { firstRefresh, rotations, revoked } = found;
    const token = expiryOfRefreshToken(found, presented.hash);
    if (firstRefresh === null || token === undefined) return { rule: 'credential-unknown', parameter, form: 'refresh token' };
    if (firstRefresh.clientId !== client.clientId) return { rule: 'credential-of-another-client', parameter };
    const rotated = rotations.find(({ spentHash }) => spentHash === presented.hash);
    if (rotated !== undefined && (isReused || revoked?.reason === 'refresh-token-reused')) return reused(when(rotated));
    if (revoked !== null) return { rule: 'grant-revoked', parameter, reason: revoked.reason, revoked: when(revoked) };
    const { expiresAt } = token;
    return expiresAt !== null && now >= expiresAt ? { rule: 'refresh-token-expired', secondsAgo: now - expiresAt } : { rule: 'user-inactive', parameter };
  }

  const reused = (rotated: Happened | null): Refusal => ({ rule: 'refresh-token-reused', rotated, windowSeconds: settings.refreshReuseWindowSeconds });

  return {
    deadCode: async (refused) => ofCode(refused, await look(refused), false),

    async refusedCode(refused, refusal, { code }, { redirectUri, verifier, resource }) {
      switch (refusal) {
        case 'redirect-uri-mismatch':
          return redirectUri === null
            ? { rule: 'redirect-uri-left-out' }
            : { rule: 'redirect-uri-differs', expected: code?.redirectUri ?? '', differences: uriDifferences(code?.redirectUri ?? '', redirectUri) };
        case 'code-verifier-missing': case 'code-verifier-unexpected': return { rule: refusal };
        case 'code-verifier-mismatch':
          return { rule: refusal, method: code?.codeChallenge?.method ?? 'S256', isChallenge: verifier?.plain === code?.codeChallenge?.challenge };
        case 'resource-exceeds-grant': return notGranted('resource-not-granted', resource, code?.resource ?? []);
        case 'code-expired': return codeExpired(refused.now, code?.expiresAt ?? refused.now);
        case 'code-replayed': {
          const found = await look(refused);
          return found === null ? { rule: 'code-redeemed', redeemed: null, endsGrant: true } : ofCode(refused, found, true);
        }
        case 'client-mismatch': return { rule: 'credential-of-another-client', parameter: 'code' };
        case 'code-unknown': case 'grant-revoked': case 'grant-exists': case 'refresh-token-unknown': case 'refresh-token-expired':
        case 'refresh-token-reused': case 'retry-scope-differs': case 'retry-resource-differs': case 'scope-exceeds-grant': default:
          return ofCode(refused, await look(refused), false);
      }
    },

    deadRefreshToken: async (refused) => ofRefreshToken(refused, await look(refused), false),

    async refusedRefreshToken(refused, refusal, { refresh }, { scope, resource }) {
      switch (refusal) {
        case 'scope-exceeds-grant': return notGranted('scope-not-granted', scope ?? [], refresh?.scope ?? []);
        case 'resource-exceeds-grant': return notGranted('resource-not-granted', resource, refresh?.resource ?? []);
        case 'retry-scope-differs': return { rule: 'retry-differs', parameter: 'scope', before: refresh?.rotation?.scope ?? [] };
        case 'retry-resource-differs': return { rule: 'retry-differs', parameter: 'resource', before: refresh?.rotation?.access?.resource ?? [] };
        case 'client-mismatch': return { rule: 'credential-of-another-client', parameter: 'refresh_token' };
        case 'refresh-token-reused': return ofRefreshToken(refused, await look(refused), true);
        case 'refresh-token-unknown': case 'refresh-token-expired': case 'grant-revoked': case 'grant-exists': case 'code-unknown':
        case 'code-expired': case 'code-replayed': case 'redirect-uri-mismatch': case 'code-verifier-missing':
        case 'code-verifier-unexpected': case 'code-verifier-mismatch': default:
          return ofRefreshToken(refused, await look(refused), false);
      }
    },

    async deadAccessToken(token, now) {
      const hash = parseAccessToken(token);
      const live = hash === undefined ? undefined : accessTokens.find(hash, now);
      if (live !== undefined) return { refusal: { rule: 'token-for-other-resource', resource: live.resource, here: issuer() }, clientId: live.clientId };
      const traced = hash === undefined ? undefined : accessTokens.trace(hash);
      if (traced === undefined) return { refusal: { rule: 'token-unknown', form: formOfCredential(token) }, clientId: null };
      const { clientId, expiresAt, grantId } = traced;
      if (now >= expiresAt) return { refusal: { rule: 'token-expired', secondsAgo: now - expiresAt }, clientId };
      if (clients.find(clientId) === undefined) return { refusal: { rule: 'token-client-removed' }, clientId: null };
      const found = await history(grantId, false);
      const revoked = found?.revoked ?? null;
      const parameter = 'access token';
      const refusal: Refusal = found !== null && revoked === null
        ? { rule: 'user-inactive', parameter }
        : { rule: 'grant-revoked', parameter, reason: revoked?.reason ?? null, revoked: revoked && when(revoked) };
      return { refusal, clientId };
    },
  };
}

/** Of an event nothing else is taken along: it has hashes. */
function when({ position, secondsAgo }: Happened): Happened {
  return { position, secondsAgo };
}

function notGranted(rule: 'scope-not-granted' | 'resource-not-granted', asked: readonly string[], granted: readonly string[]): Refusal {
  return { rule, missing: quotableNames(asked.filter((name) => !granted.includes(name))), granted };
}
