import type { SubjectToken } from '../../domain/token-exchange.ts';
import type { ClientId, EpochSeconds, GrantId } from '../../domain/values.ts';
import type { ObservedRevision } from '../../event-store/event-log.ts';
import type { OAuthError } from '../endpoints/errors.ts';
import type { ExchangedParameter } from '../refusals/exchange-refusal.ts';
import type { ActingParty } from './may-act.ts';

/** A subject token or an actor token that was valid when it was read. */
export interface PresentedToken {
  readonly token: SubjectToken;
  /**
   * The revisions that the token depends on because of its type, in addition to those that `ObserveDependencies`
   * returns.
   */
  readonly basedOn: readonly ObservedRevision[];
  /** Reports whether the token is still valid when the exchange is recorded. */
  isStillValid(): boolean;
  /** Reports whether a refresh has retired the token since it was read, which makes the token expire earlier. */
  readonly wasRetired?: (() => boolean) | undefined;
  /** Returns the error that explains why the token is no longer valid. */
  invalidTokenError(): Promise<OAuthError>;
  /** The token's subject at another issuer; undefined for a token from this server. */
  readonly party?: { readonly issuer: string; readonly subject: string } | undefined;
  /**
   * Reports whether the token's `may_act` claim allows the actor (RFC 8693 §4.4); undefined if it has no such claim.
   */
  readonly mayAct?: ((actor: ActingParty) => boolean) | undefined;
}

/** The facts about an exchange that the readers of its tokens need. */
export interface ExchangeContext {
  /** The client that exchanges the tokens. */
  readonly clientId: ClientId;
  /** The grant of the exchange. */
  readonly grantId: GrantId;
  readonly now: EpochSeconds;
  /**
   * Reports whether the exchanging client may exchange tokens that were issued to the client `clientId`, and may
   * therefore learn why one of those tokens is no longer valid.
   */
  mayExchange(clientId: ClientId): boolean;
}

/**
 * Reads a token that a client presents for an exchange.
 * @throws OAuthError if the token is invalid or not accepted here
 */
export type ReadPresentedToken = (
  value: string,
  parameter: ExchangedParameter,
  context: ExchangeContext,
) => Promise<PresentedToken>;
