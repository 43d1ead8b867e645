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
interface PresentedSubjects {
  readonly subject: SubjectToken;
  readonly actor: ActorToken | undefined;
  /** The observed revisions of everything on which the tokens depend: see `ObserveDependencies`. */
  readonly basedOn: readonly ObservedRevision[];
  /** Reports whether the tokens are still valid when the exchange is recorded. */
  isStillValid(): boolean;
  /** Returns the error that explains why one of the tokens is no longer valid. */
  endError(): Promise<OAuthError>;
}

/**
 * Reads the subject token and the actor token of a request.
 * @throws OAuthError if a parameter is missing, or a token is invalid or not of its declared type
 * @throws DecisionOutdated if a concurrent refresh has retired a token
 */
export type ReadSubjects = (parameters: Parameters, context: ExchangeContext) => Promise<PresentedSubjects>;

export function createSubjectsReader(deps: {
  readonly readAccessToken: ReadPresentedToken;
  readonly readIdToken: ReadPresentedToken;
  /** The readers of tokens from trusted issuers. */
  readonly readForeign: Readonly<Record<'jwt' | 'idToken', ReadPresentedToken>>;
  readonly observeDependencies: ObserveDependencies;
  readonly subjectFor: SubjectFor;
  readonly issuer: () => string;
}): ReadSubjects {
  const { readAccessToken, readIdToken, readForeign, observeDependencies, subjectFor, issuer } = deps;

  async function readToken(
    parameters: Parameters,
    parameter: ExchangedParameter,
    context: ExchangeContext,
  ): Promise<PresentedToken> {
    const value = requireParameter(parameters, parameter);
    const type = declaredType(parameters, parameter);
    const seen = tokenKind(value, issuer());
    const { declared, accepted } = DECLARED[type];
    if (!accepted.includes(seen)) throw oauthError({ rule: 'exchange-token-type', parameter, declared, seen });
    if (type === 'accessToken') return readAccessToken(value, parameter, context);
    const read = type === 'idToken' && seen === 'ID token' ? readIdToken : readForeign[type];
    return read(value, parameter, context);
  }

  /**
   * Refuses the exchange if the claim `may_act` does not allow the actor (RFC 8693 §4.4). Without an actor token, the
   * client itself acts.
   */
  function requireActorMayAct(presented: PresentedToken, acting: PresentedToken | undefined, context: ExchangeContext) {
    if (presented.mayAct === undefined) return;
    const { clientId } = context;
    const { userId } = acting?.token ?? { userId: null };
    const own = { issuer: issuer(), subject: userId === null ? clientId : subjectFor(clientId, userId) };
    if (!presented.mayAct({ clientId, ...(acting?.party ?? own) })) throw oauthError({ rule: 'exchange-may-act' });
  }

  return async (parameters, context) => {
    const presented = await readToken(parameters, 'subject_token', context);
    const hasActor = parameters.get('actor_token') !== undefined;
    if (!hasActor && parameters.get('actor_token_type') !== undefined)
      throw oauthError({ rule: 'exchange-type-alone' });
    const acting = hasActor ? await readToken(parameters, 'actor_token', context) : undefined;
    requireActorMayAct(presented, acting, context);
    const all = [presented, acting ?? []].flat();
    const dependencies = await observeDependencies(all.map(({ token }) => token));
    const isStillValid = (): boolean => all.every((each) => each.isStillValid());
    const endError = (): Promise<OAuthError> =>
      acting === undefined || !presented.isStillValid() ? presented.endError() : acting.endError();
    if (dependencies === undefined || !isStillValid()) throw await endError();
    // The observed revisions include the refresh, so the append would not detect it.
    if (all.some((each) => each.wasRetired?.() === true)) throw new DecisionOutdated(null);
    return {
      subject: presented.token,
      actor: acting && { ...acting.token, isExchanged: acting.token.exchange !== undefined },
      basedOn: [...dependencies, ...all.flatMap(({ basedOn }) => basedOn)],
      isStillValid,
      endError,
    };
  };
}

/** The kind of token that each type declares. The reader of the type explains strings of unknown format. */
const DECLARED: Readonly<
  Record<keyof typeof TOKEN_TYPES, { readonly declared: DeclaredToken; readonly accepted: readonly SeenToken[] }>
> = {
  accessToken: { declared: 'access token', accepted: ['access token', 'JWT', 'other', 'incomplete'] },
  idToken: { declared: 'ID token', accepted: ['ID token', 'JWT of another issuer', 'other'] },
  jwt: { declared: 'JWT of another issuer', accepted: ['JWT of another issuer', 'other'] },
};

/**
 * Returns the declared type.
 * @throws OAuthError if the type is missing or unsupported
 */
function declaredType(parameters: Parameters, parameter: ExchangedParameter): keyof typeof TOKEN_TYPES {
  const name = `${parameter}_type` as const;
  const type = requireParameter(parameters, name);
  const known = (Object.keys(TOKEN_TYPES) as (keyof typeof TOKEN_TYPES)[]).find((key) => TOKEN_TYPES[key] === type);
  if (known !== undefined) return known;
  const [allowed, seen, { length }] = [Object.values(TOKEN_TYPES), knownKeywords(type), type];
  throw oauthError({ rule: 'parameter-value', parameter: name, allowed, seen, length });
}

/** Returns the kind of token, from its format and its unverified claims. */
function tokenKind(value: string, ownIssuer: string): SeenToken {
  const form = credentialForm(value);
  if (form !== 'JWT') return form;
  const claims = unverifiedClaims(value);
  if (claims !== undefined && claims['iss'] !== ownIssuer) return 'JWT of another issuer';
  return unverifiedHeader(value)?.['typ'] === ID_TOKEN_TYPE ? 'ID token' : 'JWT';
}
