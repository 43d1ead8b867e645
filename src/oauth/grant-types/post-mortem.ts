import type { Confirmation } from '../../domain/confirmation.ts';
import type { Grant, GrantRefusal, RedeemCode, RefreshGrant } from '../../domain/authorization-grant.ts';
import type { Resources } from '../../domain/resource.ts';
import { unreachable, type EpochSeconds, type UserId } from '../../domain/values.ts';
import type { Position } from '../../event-store/event-log.ts';
import type { AccessTokens } from '../../projections/access-tokens.ts';
import type { Client } from '../../projections/clients.ts';
import type { Exchanges } from '../../projections/exchanges.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { sanitizeNames } from '../refusals/sanitize.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import type { GrantCredential, PastEvent, SeenKey } from '../refusals/refusal.ts';
import { uriDifferences } from '../refusals/uri-difference.ts';
import { hasRandomSignature, isJwt, parseAccessToken } from '../credentials/credentials.ts';
import type { TokenSignatures } from '../signing/token-signatures.ts';
import { createChainExplainer } from './chain-explanations.ts';
import { createCodeExplainer, toPastEvent, type RefusedCredential } from './code-explanations.ts';
import type { GrantHistory, ReadGrantHistory } from './grant-history.ts';
import type { PresentedRefreshToken } from '../credentials/refresh-tokens.ts';

/** Explains to the owner and the operator why a credential is invalid. The caller learns only that it is invalid. */
export interface PostMortem {
  /** Explains the refusal of a code whose grant has ended or never existed. */
  explainEndedCode(credential: RefusedCredential): Promise<ProtocolRefusal>;
  /** Explains the refusal of a device code whose grant has ended. */
  explainEndedDeviceCode(credential: RefusedCredential): Promise<ProtocolRefusal>;
  /** Explains why the decider refused a device code. */
  explainRefusedDeviceCode(
    credential: RefusedCredential,
    refusal: GrantRefusal,
    grant: Grant,
    resource: Resources,
  ): Promise<ProtocolRefusal>;
  /** Explains why the decider refused a code. */
  explainRefusedCode(
    credential: RefusedCredential,
    refusal: GrantRefusal,
    grant: Grant,
    command: Pick<RedeemCode, 'redirectUri' | 'verifier' | 'resource' | 'confirmation'>,
  ): Promise<ProtocolRefusal>;
  explainEndedRefreshToken(credential: RefusedCredential<PresentedRefreshToken>): Promise<ProtocolRefusal>;
  /** Explains why the grant had ended by the time its new tokens were recorded. */
  explainEndedGrant(credential: RefusedCredential, parameter: GrantCredential): Promise<ProtocolRefusal>;
  explainRefusedRefreshToken(
    credential: RefusedCredential<PresentedRefreshToken>,
    refusal: GrantRefusal,
    grant: Grant,
    command: Pick<RefreshGrant, 'scope' | 'resource' | 'confirmation'>,
  ): Promise<ProtocolRefusal>;
  /** Explains why an access token is invalid. `clientId` is null if the token is unknown or its client was removed. */
  explainInvalidAccessToken(
    token: string,
    now: EpochSeconds,
  ): Promise<{ readonly refusal: ProtocolRefusal; readonly clientId: string | null }>;
}

export function createPostMortem(deps: {
  readonly history: ReadGrantHistory;
  readonly accessTokens: Pick<AccessTokens, 'find' | 'findRetained'>;
  readonly signatures: Pick<TokenSignatures, 'retiredKey' | 'isSigned'>;
  readonly clients: { find(clientId: string): Client | undefined };
  readonly exchanges: Pick<Exchanges, 'listAncestry'>;
  readonly users: { isActive(userId: UserId): boolean };
  readonly issuer: () => string;
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number; readonly refreshReuseWindowSeconds: number };
}): PostMortem {
  const { history: readGrantHistory, accessTokens, signatures, clients, users, issuer, settings } = deps;
  const readHistory = ({ credential, client }: RefusedCredential): Promise<GrantHistory | null> =>
    readGrantHistory(credential.grantId, client.clientType === 'confidential');

  const explainEndedChain = createChainExplainer(readGrantHistory, deps.exchanges);
  const { explainEnd, explainCode, explainExpiredCode } = createCodeExplainer({ users, settings });

  function explainRefreshToken(
    { credential, client, now }: RefusedCredential<PresentedRefreshToken>,
    history: GrantHistory | null,
    isReuseDetected: boolean,
  ): ProtocolRefusal {
    const parameter = 'refresh_token';
    if (history === null) return isReuseDetected ? reuseRefusal(null) : { rule: 'credential-dead', parameter };
    const { firstRefresh, rotations, isComplete, revoked } = history;
    const issuedTokens = [...rotations, ...(firstRefresh === null ? [] : [firstRefresh])];
    const [newestToken] = issuedTokens;
    const token = issuedTokens.find(({ tokenHash }) => tokenHash === credential.hash);
    const isGenuine = credential.isTagged || isReuseDetected || token !== undefined;
    const isUnknown = firstRefresh === null || newestToken === undefined || (!isGenuine && isComplete);
    if (isUnknown) return { rule: 'credential-unknown', parameter, form: 'refresh token' };
    if (!isGenuine) return { rule: 'credential-dead', parameter };
    if (firstRefresh.clientId !== client.clientId) return { rule: 'credential-of-another-client', parameter };
    const isSuperseded = newestToken.tokenHash !== credential.hash;
    const rotation = rotations.find(({ spentHash }) => spentHash === credential.hash);
    const isReuse = isReuseDetected || revoked?.reason === 'refresh-token-reused';
    if (isSuperseded && isReuse) return reuseRefusal(rotation === undefined ? null : toPastEvent(rotation));
    if (revoked !== null)
      return { rule: 'grant-revoked', parameter, reason: revoked.reason, revoked: toPastEvent(revoked) };
    const { expiresAt } = token ?? newestToken;
    const isExpired = expiresAt !== null && now >= expiresAt;
    return isExpired ? { rule: 'refresh-token-expired', secondsAgo: now - expiresAt } : explainEnd(history, parameter);
  }

  const reuseRefusal = (rotated: PastEvent | null): ProtocolRefusal => ({
    rule: 'refresh-token-reused',
    rotated,
    windowSeconds: settings.refreshReuseWindowSeconds,
  });

  return {
    explainEndedCode: async (credential) => explainCode(credential, await readHistory(credential), false),

    async explainRefusedCode(credential, refusal, { code }, { redirectUri, verifier, resource, confirmation }) {
      switch (refusal) {
        case 'redirect-uri-mismatch':
          return redirectUri === null
            ? { rule: 'redirect-uri-left-out' }
            : {
                rule: 'redirect-uri-differs',
                expected: code?.redirectUri ?? '',
                differences: uriDifferences(code?.redirectUri ?? '', redirectUri),
              };
        case 'code-verifier-missing':
        case 'code-verifier-unexpected':
        case 'updated-grant-ended':
          return { rule: refusal };
        case 'code-verifier-mismatch':
          return {
            rule: refusal,
            method: code?.codeChallenge?.method ?? 'S256',
            isChallenge: verifier?.plain === code?.codeChallenge?.challenge,
          };
        case 'code-bound-to-key':
          return { rule: 'credential-bound-to-key', parameter: 'code', seen: describeKey(confirmation) };
        case 'resource-exceeds-grant':
          return notGrantedRefusal('resource-not-granted', resource, code?.resource ?? []);
        case 'details-exceed-grant':
          return DETAILS_NOT_GRANTED;
        case 'code-expired':
          return explainExpiredCode(credential.client, credential.now, code?.expiresAt ?? credential.now);
        case 'code-replayed': {
          const history = await readHistory(credential);
          return history === null
            ? { rule: 'code-redeemed', parameter: 'code', redeemed: null, endsGrant: true }
            : explainCode(credential, history, true);
        }
        case 'client-mismatch':
          return { rule: 'credential-of-another-client', parameter: 'code' };
        case 'code-unknown':
        case 'device-denied':
        case 'grant-revoked':
        case 'grant-exists':
        case 'refresh-token-unknown':
        case 'refresh-token-expired':
        case 'refresh-token-reused':
        case 'retry-scope-differs':
        case 'refresh-token-bound-to-key':
        case 'retry-resource-differs':
        case 'retry-key-differs':
        case 'retry-details-differ':
        case 'scope-exceeds-grant':
        case 'exchange-refused':
          return explainCode(credential, await readHistory(credential), false);
        default:
          return unreachable(refusal);
      }
    },

    explainEndedDeviceCode: async (code) => explainCode(code, await readHistory(code), false, 'device_code'),

    async explainRefusedDeviceCode(credential, refusal, { deviceCode }, resource) {
      if (refusal === 'device-denied') return { rule: refusal };
      if (refusal === 'resource-exceeds-grant')
        return notGrantedRefusal('resource-not-granted', resource, deviceCode?.resource ?? []);
      if (refusal === 'details-exceed-grant') return DETAILS_NOT_GRANTED;
      if (refusal === 'client-mismatch') return { rule: 'credential-of-another-client', parameter: 'device_code' };
      const [history, isReplay] = [await readHistory(credential), refusal === 'code-replayed'];
      return history === null && isReplay
        ? { rule: 'code-redeemed', parameter: 'device_code', redeemed: null, endsGrant: true }
        : explainCode(credential, history, isReplay, 'device_code');
    },

    explainEndedRefreshToken: async (token) => explainRefreshToken(token, await readHistory(token), false),

    async explainEndedGrant(credential, parameter) {
      const history = await readHistory(credential);
      if (history === null) return { rule: 'credential-dead', parameter };
      const { revoked } = history;
      return revoked === null
        ? explainEnd(history, parameter)
        : { rule: 'grant-revoked', parameter, reason: revoked.reason, revoked: toPastEvent(revoked) };
    },

    async explainRefusedRefreshToken(credential, refusal, { access, refresh }, { scope, resource, confirmation }) {
      switch (refusal) {
        case 'scope-exceeds-grant':
          return notGrantedRefusal('scope-not-granted', scope ?? [], refresh?.scope ?? []);
        case 'resource-exceeds-grant':
          return notGrantedRefusal('resource-not-granted', resource, refresh?.resource ?? []);
        case 'details-exceed-grant':
          return DETAILS_NOT_GRANTED;
        case 'retry-details-differ':
          return {
            rule: 'retry-differs',
            parameter: 'authorization_details',
            before: access?.details?.map(({ type }) => type) ?? [],
          };
        case 'retry-scope-differs':
          return { rule: 'retry-differs', parameter: 'scope', before: access?.scope ?? [] };
        case 'retry-resource-differs':
          return { rule: 'retry-differs', parameter: 'resource', before: access?.resource ?? [] };
        case 'refresh-token-bound-to-key':
          return { rule: 'credential-bound-to-key', parameter: 'refresh_token', seen: describeKey(confirmation) };
        case 'retry-key-differs':
          return { rule: 'retry-key-differs', seen: describeKey(confirmation) };
        case 'client-mismatch':
          return { rule: 'credential-of-another-client', parameter: 'refresh_token' };
        case 'refresh-token-reused':
          return explainRefreshToken(credential, await readHistory(credential), true);
        case 'refresh-token-unknown':
        case 'refresh-token-expired':
        case 'grant-revoked':
        case 'grant-exists':
        case 'code-unknown':
        case 'device-denied':
        case 'code-expired':
        case 'code-replayed':
        case 'redirect-uri-mismatch':
        case 'code-verifier-missing':
        case 'code-verifier-unexpected':
        case 'code-verifier-mismatch':
        case 'code-bound-to-key':
        case 'updated-grant-ended':
        case 'exchange-refused':
          return explainRefreshToken(credential, await readHistory(credential), false);
        default:
          return unreachable(refusal);
      }
    },

    async explainInvalidAccessToken(token, now) {
      const hash = parseAccessToken(token);
      const isForged = hasRandomSignature(token) && !(await signatures.isSigned(token));
      if (hash === undefined || isForged)
        return { refusal: { rule: 'token-unknown', form: credentialForm(token) }, clientId: null };
      const accessToken = accessTokens.findRetained(hash);
      const retiredKey = accessToken === undefined || !isJwt(token) ? undefined : signatures.retiredKey(token);
      if (accessToken !== undefined && retiredKey !== undefined)
        return { refusal: { rule: 'token-key-retired', kid: retiredKey.kid }, clientId: accessToken.clientId };
      const liveToken = accessTokens.find(hash, now);
      if (liveToken !== undefined)
        return {
          refusal: { rule: 'token-for-other-resource', resource: liveToken.resource, here: issuer() },
          clientId: liveToken.clientId,
        };
      if (accessToken === undefined)
        return { refusal: { rule: 'token-unknown', form: credentialForm(token) }, clientId: null };
      const { clientId, expiresAt, grantId, retiredPosition: position } = accessToken;
      const secondsAgo = now - expiresAt;
      if (secondsAgo >= 0) return { refusal: endedTokenRefusal(secondsAgo, position), clientId };
      const client = clients.find(clientId);
      if (client === undefined) return { refusal: { rule: 'token-client-removed' }, clientId: null };
      if (client.disabledAt !== undefined) return { refusal: { rule: 'token-client-disabled' }, clientId };
      if (accessToken.exchanged === true) return { refusal: await explainEndedChain(grantId), clientId };
      const history = await readGrantHistory(grantId, false);
      const [revoked, parameter] = [history?.revoked ?? null, 'access token'] as const;
      const refusal: ProtocolRefusal =
        history !== null && revoked === null
          ? explainEnd(history, parameter)
          : {
              rule: 'grant-revoked',
              parameter,
              reason: revoked?.reason ?? null,
              revoked: revoked && toPastEvent(revoked),
            };
      return { refusal, clientId };
    },
  };
}

/** Returns the refusal of an access token that has expired or was superseded by a refresh. */
function endedTokenRefusal(secondsAgo: number, position: Position | undefined): ProtocolRefusal {
  return position === undefined
    ? { rule: 'token-expired', secondsAgo }
    : { rule: 'token-superseded', secondsAgo, position };
}

/** A refusal without a list of details. The token endpoint usually refuses such requests earlier, with a list. */
const DETAILS_NOT_GRANTED: ProtocolRefusal = { rule: 'details-not-granted', type: '', granted: [] };

function describeKey(confirmation: Confirmation | undefined): SeenKey {
  if (confirmation === undefined) return 'none';
  return confirmation.method === 'jkt' ? 'another key' : 'a certificate';
}

function notGrantedRefusal(
  rule: 'scope-not-granted' | 'resource-not-granted',
  requested: readonly string[],
  granted: readonly string[],
): ProtocolRefusal {
  return { rule, missing: sanitizeNames(requested.filter((name) => !granted.includes(name))), granted };
}
