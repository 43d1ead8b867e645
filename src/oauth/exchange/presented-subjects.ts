import type { ActorToken, SubjectToken } from '../../domain/token-exchange.ts';
import { DecisionOutdated, type ObservedRevision } from '../../event-store/event-log.ts';
import { oauthError, type OAuthError } from '../endpoints/errors.ts';
import { requireParameter, type Parameters } from '../endpoints/parameters.ts';
import { ID_TOKEN_TYPE } from '../openid/id-token.ts';
import type { SubjectFor } from '../openid/subjects.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import type { DeclaredToken, ExchangedParameter, SeenToken } from '../refusals/exchange-refusal.ts';
import { knownKeywords } from '../refusals/sanitize.ts';
import { unverifiedClaims, unverifiedHeader } from '../signing/jws.ts';
import type { ExchangeContext, PresentedToken, ReadPresentedToken } from './presented-token.ts';
import type { ObserveDependencies } from './token-dependencies.ts';
import { TOKEN_TYPES } from './token-types.ts';

/** The tokens of an exchange, which were valid when they were read. */
export interface PresentedSubjects {
  readonly subject: SubjectToken;
  readonly actor: ActorToken | undefined;
  /** The observed revisions of everything that the tokens depend on: see `ObserveDependencies`. */
  readonly basedOn: readonly ObservedRevision[];
  /** Reports whether the tokens are still valid when the exchange is recorded. */
  isStillValid(): boolean;
  /** Returns the error that explains why one of the tokens is no longer valid. */
  invalidTokenError(): Promise<OAuthError>;
}

/**
 * Reads the subject token and, if there is one, the actor token of a request.
 * @throws OAuthError if a parameter is missing, a token is invalid or not of its declared type, or the `may_act` claim
 *   does not allow the actor
 * @throws DecisionOutdated if a concurrent refresh has retired a token
 */
export type ReadSubjects = (parameters: Parameters, context: ExchangeContext) => Promise<PresentedSubjects>;

export function createSubjectsReader(deps: {
  readonly readAccessToken: ReadPresentedToken;
  readonly readIdToken: ReadPresentedToken;
  /** The readers of tokens from trusted issuers. */
  readonly foreignReaders: Readonly<Record<'jwt' | 'idToken', ReadPresentedToken>>;
  readonly observeDependencies: ObserveDependencies;
  readonly subjectFor: SubjectFor;
  readonly issuer: () => string;
}): ReadSubjects {
  const { readAccessToken, readIdToken, foreignReaders, observeDependencies, subjectFor, issuer } = deps;

  async function readToken(
    parameters: Parameters,
    parameter: ExchangedParameter,
    context: ExchangeContext,
  ): Promise<PresentedToken> {
    const value = requireParameter(parameters, parameter);
    const type = declaredType(parameters, parameter);
    const actualKind = tokenKind(value, issuer());
    const { declared, accepted } = TOKEN_KINDS[type];
    if (!accepted.includes(actualKind))
      throw oauthError({ rule: 'exchange-token-type', parameter, declared, seen: actualKind });
    if (type === 'accessToken') return readAccessToken(value, parameter, context);
    const reader = type === 'idToken' && actualKind === 'ID token' ? readIdToken : foreignReaders[type];
    return reader(value, parameter, context);
  }

  /**
   * Refuses the exchange if the `may_act` claim does not allow the actor (RFC 8693 §4.4). Without an actor token, the
   * client itself is the actor.
   */
  function requireActorMayAct(subject: PresentedToken, actor: PresentedToken | undefined, context: ExchangeContext) {
    if (subject.mayAct === undefined) return;
    const { clientId } = context;
    const { userId } = actor?.token ?? { userId: null };
    const ownParty = { issuer: issuer(), subject: userId === null ? clientId : subjectFor(clientId, userId) };
    if (!subject.mayAct({ clientId, ...(actor?.party ?? ownParty) })) throw oauthError({ rule: 'exchange-may-act' });
  }

  return async (parameters, context) => {
    const subject = await readToken(parameters, 'subject_token', context);
    const hasActor = parameters.get('actor_token') !== undefined;
    if (!hasActor && parameters.get('actor_token_type') !== undefined)
      throw oauthError({ rule: 'exchange-type-alone' });
    const actor = hasActor ? await readToken(parameters, 'actor_token', context) : undefined;
    requireActorMayAct(subject, actor, context);
    const tokens = actor === undefined ? [subject] : [subject, actor];
    const dependencies = await observeDependencies(tokens.map(({ token }) => token));
    const isStillValid = (): boolean => tokens.every((token) => token.isStillValid());
    const invalidTokenError = (): Promise<OAuthError> =>
      actor === undefined || !subject.isStillValid() ? subject.invalidTokenError() : actor.invalidTokenError();
    if (dependencies === undefined || !isStillValid()) throw await invalidTokenError();
    // The observed revisions include the refresh, so the append would not detect it.
    if (tokens.some((token) => token.wasRetired?.() === true)) throw new DecisionOutdated(null);
    return {
      subject: subject.token,
      actor: actor && toActorToken(actor.token),
      basedOn: [...dependencies, ...tokens.flatMap(({ basedOn }) => basedOn)],
      isStillValid,
      invalidTokenError,
    };
  };
}

/** Lists the members, because a spread is slow: see `createAccessTokenReader`. */
function toActorToken(token: SubjectToken): ActorToken {
  const { grantId, clientId, userId, foreign, scope, expiresAt, tokenHash, details, exchange } = token;
  const isExchanged = exchange !== undefined;
  return { grantId, clientId, userId, foreign, scope, expiresAt, tokenHash, details, isExchanged };
}

/**
 * For each declared type, the kind of token that it stands for and the kinds that are passed to its reader. The reader
 * also explains why a token of an unknown format is invalid.
 */
const TOKEN_KINDS: Readonly<
  Record<keyof typeof TOKEN_TYPES, { readonly declared: DeclaredToken; readonly accepted: readonly SeenToken[] }>
> = {
  accessToken: { declared: 'access token', accepted: ['access token', 'JWT', 'other', 'incomplete'] },
  idToken: { declared: 'ID token', accepted: ['ID token', 'JWT of another issuer', 'other'] },
  jwt: { declared: 'JWT of another issuer', accepted: ['JWT of another issuer', 'other'] },
};

/**
 * Returns the declared type of a token.
 * @throws OAuthError if the type is missing or unsupported
 */
function declaredType(parameters: Parameters, parameter: ExchangedParameter): keyof typeof TOKEN_TYPES {
  const name = `${parameter}_type` as const;
  const type = requireParameter(parameters, name);
  const match = (Object.keys(TOKEN_TYPES) as (keyof typeof TOKEN_TYPES)[]).find((key) => TOKEN_TYPES[key] === type);
  if (match !== undefined) return match;
  const [allowed, seen, { length }] = [Object.values(TOKEN_TYPES), knownKeywords(type), type];
  throw oauthError({ rule: 'parameter-value', parameter: name, allowed, seen, length });
}

/** Returns the kind of a token, judging by its format and its unverified header and claims. */
function tokenKind(value: string, ownIssuer: string): SeenToken {
  const form = credentialForm(value);
  if (form !== 'JWT') return form;
  const claims = unverifiedClaims(value);
  if (claims !== undefined && claims['iss'] !== ownIssuer) return 'JWT of another issuer';
  return unverifiedHeader(value)?.['typ'] === ID_TOKEN_TYPE ? 'ID token' : 'JWT';
}
