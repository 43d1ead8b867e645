import { effectiveSecurity } from '../../domain/security-profile.ts';
import { codeLifetime } from '../credentials/lifetimes.ts';
import { endsWithSession } from '../../domain/login.ts';
import type { EpochSeconds, UserId } from '../../domain/values.ts';
import type { Client } from '../../projections/clients.ts';
import type { PresentedCredential } from '../credentials/credentials.ts';
import type { ProtocolRefusal } from '../refusals/refusal-messages.ts';
import type { GrantCredential, PastEvent } from '../refusals/refusal.ts';
import type { GrantHistory } from './grant-history.ts';

/** A refused code or token, and the client that presented it. */
export interface RefusedCredential<Credential extends PresentedCredential = PresentedCredential> {
  readonly credential: Credential;
  readonly client: Client;
  readonly now: EpochSeconds;
}

/**
 * Creates functions that explain, from the history of a grant, why its authorization code or device code is invalid.
 */
export function createCodeExplainer({
  users,
  settings,
}: {
  readonly users: { isActive(userId: UserId): boolean };
  readonly settings: { readonly authorizationCodeLifetimeSeconds: number };
}) {
  /** Returns why a grant ended, if it was not revoked, its client exists and the credential has not expired. */
  function explainEnd(
    { code, firstRefresh }: GrantHistory,
    parameter: GrantCredential | 'access token',
  ): Extract<ProtocolRefusal, { rule: 'user-inactive' | 'session-ended' }> {
    const start = code ?? firstRefresh;
    const endedWithSession = start !== null && endsWithSession(start) && users.isActive(start.userId);
    return { rule: endedWithSession ? 'session-ended' : 'user-inactive', parameter };
  }

  function explainCode(
    { credential, client, now }: RefusedCredential,
    history: GrantHistory | null,
    endsGrant: boolean,
    parameter: 'code' | 'device_code' = 'code',
  ): ProtocolRefusal {
    if (history === null) return { rule: 'credential-dead', parameter };
    const { code, redeemed, revoked } = history;
    if (code === null || code.codeHash !== credential.hash)
      return {
        rule: 'credential-unknown',
        parameter,
        form: parameter === 'code' ? 'authorization code' : 'device code',
      };
    if (code.clientId !== client.clientId) return { rule: 'credential-of-another-client', parameter };
    if (redeemed !== null) return { rule: 'code-redeemed', parameter, redeemed, endsGrant };
    if (revoked !== null)
      return { rule: 'grant-revoked', parameter, reason: revoked.reason, revoked: toPastEvent(revoked) };
    return now >= code.expiresAt ? explainExpiredCode(client, now, code.expiresAt) : explainEnd(history, parameter);
  }

  const explainExpiredCode = (client: Client, now: number, expiresAt: number): ProtocolRefusal => ({
    rule: 'code-expired',
    secondsAgo: now - expiresAt,
    lifetimeSeconds: codeLifetime(settings, effectiveSecurity(client, {})),
  });

  return { explainEnd, explainCode, explainExpiredCode };
}

/** Returns only the position and the age of an event, because its other members may be hashes. */
export function toPastEvent({ position, secondsAgo }: PastEvent): PastEvent {
  return { position, secondsAgo };
}
