import { narrowToLimits } from '../../domain/assertion-grant.ts';
import { observedTrustedIssuer } from '../../domain/streams.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { TrustedIssuers } from '../../projections/trusted-issuers.ts';
import type { Users } from '../../projections/users.ts';
import { oauthError } from '../endpoints/errors.ts';
import { accessLimits } from '../issuers/foreign-limits.ts';
import type { ForeignSubjects } from '../issuers/foreign-subjects.ts';
import type { ReadForeignToken } from '../issuers/foreign-tokens.ts';
import type { ExchangedParameter } from '../refusals/exchange-refusal.ts';
import { sanitize } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { identifiesActor } from './may-act.ts';
import type { PresentedToken, ReadPresentedToken } from './presented-token.ts';

/**
 * Creates the reader for JWTs from trusted issuers in token exchanges. The issuer's registration determines the allowed
 * clients, uses, scopes and resource servers, and how the subject is mapped to an account.
 */
export function createForeignJwtReader(
  tokenType: 'jwt' | 'id_token',
  deps: {
    readonly readForeignToken: ReadForeignToken;
    readonly foreignSubjects: ForeignSubjects;
    readonly trustedIssuers: Pick<TrustedIssuers, 'find'>;
    readonly users: Pick<Users, 'isActive'>;
    readonly resources: Pick<KnownResources, 'scopes' | 'uris'>;
    readonly issuer: () => string;
  },
): ReadPresentedToken {
  const { readForeignToken, foreignSubjects, trustedIssuers, users, resources, issuer } = deps;

  return async (value, parameter, { clientId, grantId, now }): Promise<PresentedToken> => {
    const foreignToken = await readForeignToken(value, { parameter, use: USES[parameter], now }, clientId);
    const { trustedIssuer, claims, subject, tokenHash, keyId, algorithm, expiresAt } = foreignToken;
    const { by: mapping } = trustedIssuer.subject;
    const userId = foreignSubjects.find(foreignToken, parameter)?.userId ?? null;
    const access = narrowToLimits({ scope: [], resource: [] }, accessLimits(foreignToken, resources));
    if ('problem' in access)
      throw oauthError({
        rule: access.problem === 'no-scope-left' ? 'issuer-no-scope-left' : 'issuer-no-resource-left',
      });
    const subjectHash = foreignSubjects.hashSubject(foreignToken);
    const foreign = {
      issuer: trustedIssuer.issuer,
      tokenHash,
      tokenType,
      subjectHash,
      mapping,
      keyId,
      algorithm,
      expiresAt,
    };
    const { may_act: mayAct } = claims;
    return {
      token: {
        grantId,
        clientId,
        userId,
        tokenHash,
        tokenType: 'access_token',
        foreign,
        ...access,
        expiresAt: Math.min(expiresAt, now + trustedIssuer.maxTokenLifetimeSeconds) as EpochSeconds,
        login: undefined,
        exchange: undefined,
      },
      party: { issuer: trustedIssuer.issuer, subject },
      basedOn: [observedTrustedIssuer(trustedIssuer)],
      isStillValid: () =>
        trustedIssuers.find(trustedIssuer.issuer)?.revision === trustedIssuer.revision &&
        (userId === null || users.isActive(userId)),
      invalidTokenError: async () =>
        oauthError(
          trustedIssuers.find(trustedIssuer.issuer) === undefined
            ? { rule: 'issuer-untrusted', parameter, seen: sanitize(trustedIssuer.issuer) }
            : { rule: 'issuer-subject', parameter, mapping },
        ),
      mayAct:
        mayAct === undefined ? undefined : (actor) => identifiesActor(mayAct, trustedIssuer.issuer, actor, issuer()),
    };
  };
}

const USES = { subject_token: 'subject-token', actor_token: 'actor-token' } as const satisfies Record<
  ExchangedParameter,
  string
>;
