import type { RevocationReason } from '../../domain/events.ts';
import type { ExchangeProblem } from '../../domain/token-exchange.ts';
import type { CredentialForm } from './credential-form.ts';

/** A parameter of a token exchange that contains a token. */
export type ExchangedParameter = 'subject_token' | 'actor_token';

/** The error description for an invalid token. It does not reveal the reason. */
export const INVALID_EXCHANGED_TOKEN: Readonly<Record<ExchangedParameter, string>> = {
  subject_token: 'the subject_token is unknown, expired or revoked',
  actor_token: 'the actor_token is unknown, expired or revoked',
};

/** The kind of a token, as the request for a token exchange declares it. */
export type DeclaredToken = 'access token' | 'ID token' | 'JWT of another issuer';

/** The kind of a token, judging by its format. `JWT` means an access token from this server. */
export type SeenToken = CredentialForm | DeclaredToken;

type AsRule<Problem> = Problem extends { readonly problem: infer Name extends string }
  ? { readonly rule: `exchange-${Name}` } & Omit<Problem, 'problem'>
  : never;

/**
 * Why a token exchange is refused (RFC 8693). An access token that is no longer valid is refused under the rules for
 * bearer tokens, or under `exchange-token-ended`.
 */
export type ExchangeRefusal =
  | AsRule<ExchangeProblem>
  | {
      readonly rule: 'exchange-token-type';
      readonly parameter: ExchangedParameter;
      readonly declared: DeclaredToken;
      readonly seen: SeenToken;
    }
  /** `no-id`: an earlier release issued the ID token, without the id of its grant. */
  | {
      readonly rule: 'exchange-id-token';
      readonly parameter: ExchangedParameter;
      readonly problem: 'not-verified' | 'no-id' | 'expired' | 'not-newest' | 'ended';
    }
  /** The `may_act` claim of the subject token does not allow the actor (RFC 8693 §4.4). */
  | { readonly rule: 'exchange-may-act' }
  /**
   * `revoked` is the revocation of a grant from which the token descends; null if something else ended, such as a
   * session.
   */
  | {
      readonly rule: 'exchange-chain-ended';
      readonly reason: RevocationReason | null;
      readonly revoked: { readonly position: number; readonly secondsAgo: number } | null;
    }
  /** `limit` is the token whose details do not cover the requested detail; `allowed` lists the types of its details. */
  | {
      readonly rule: 'exchange-details-beyond';
      readonly limit: 'subject' | 'actor';
      readonly type: string;
      readonly allowed: readonly string[];
    }
  | { readonly rule: 'exchange-no-details-left' }
  | { readonly rule: 'exchange-type-alone' }
  | { readonly rule: 'exchange-second-factor' }
  | { readonly rule: 'exchange-too-many'; readonly limit: number }
  /**
   * The token is no longer valid. The reason is withheld, because no exchange policy allows the client to exchange the
   * tokens of the client that the token was issued to.
   */
  | { readonly rule: 'exchange-token-ended'; readonly parameter: ExchangedParameter }
  | { readonly rule: 'exchange-resource-removed'; readonly parameter: ExchangedParameter }
  | { readonly rule: 'exchange-format'; readonly seen: 'opaque' };
