import type { RevocationReason } from '../../domain/events.ts';
import type { ExchangeProblem } from '../../domain/token-exchange.ts';
import type { CredentialForm } from './credential-form.ts';

/** A parameter of a token exchange that contains a token. */
export type ExchangedParameter = 'subject_token' | 'actor_token';

/** The description for callers of a token that is not valid, whatever the reason. */
export const INVALID_EXCHANGED_TOKEN: Readonly<Record<ExchangedParameter, string>> = {
  subject_token: 'the subject_token is unknown, expired or revoked',
  actor_token: 'the actor_token is unknown, expired or revoked',
};

type AsRule<Problem> = Problem extends { readonly problem: infer Name extends string }
  ? { readonly rule: `exchange-${Name}` } & Omit<Problem, 'problem'>
  : never;

/** RFC 8693. Tokens that are not valid any more have the refusals of bearer tokens. */
export type ExchangeRefusal =
  | AsRule<ExchangeProblem>
  | {
      readonly rule: 'exchange-token-type';
      readonly parameter: ExchangedParameter;
      readonly declared: 'access token' | 'ID token';
      readonly seen: CredentialForm | 'ID token';
    }
  /** A grant above an exchanged token was revoked; null if something else ended, such as a session or an account. */
  | {
      readonly rule: 'exchange-chain-ended';
      readonly reason: RevocationReason | null;
      readonly revoked: { readonly position: number; readonly secondsAgo: number } | null;
    }
  /** The token that the requested detail exceeds, and the types of its details. */
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
  /** The token is not valid any more. Why concerns its own application, with which the client has no policy. */
  | { readonly rule: 'exchange-token-ended'; readonly parameter: ExchangedParameter }
  | { readonly rule: 'exchange-resource-removed'; readonly parameter: ExchangedParameter }
  | { readonly rule: 'exchange-format'; readonly seen: 'opaque' };
