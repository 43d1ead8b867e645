import type { Freshness } from '../event-store/freshness.ts';
import type { PresentedTokens } from '../oauth/credentials/presented-tokens.ts';
import type { CatchUpIfGenuine } from '../oauth/credentials/unknown-credentials.ts';
import { createAccessTokenReader } from '../oauth/exchange/presented-access-tokens.ts';
import { createForeignJwtReader } from '../oauth/exchange/presented-foreign-tokens.ts';
import { createIdTokenReader } from '../oauth/exchange/presented-id-tokens.ts';
import { createSubjectsReader, type ReadSubjects } from '../oauth/exchange/presented-subjects.ts';
import { createDependencyObserver } from '../oauth/exchange/token-dependencies.ts';
import type { PostMortem } from '../oauth/grant-types/post-mortem.ts';
import type { IssuedDetails } from '../oauth/details/presented-details.ts';
import type { ForeignSubjects } from '../oauth/issuers/foreign-subjects.ts';
import type { ReadForeignToken } from '../oauth/issuers/foreign-tokens.ts';
import type { VerifyIdToken } from '../oauth/openid/id-token-hint.ts';
import type { SubjectFor } from '../oauth/openid/subjects.ts';
import type { KnownResources } from '../oauth/resources/known-resources.ts';
import type { Grants } from '../projections/grants.ts';
import type { Projections } from '../projections/projections.ts';
import type { CommandHandlers } from './command-handlers.ts';

export interface ExchangeDeps {
  readonly projections: Pick<Projections, 'exchanges' | 'grants' | 'clients' | 'users' | 'trustedIssuers'>;
  readonly commands: Pick<CommandHandlers, 'sessions' | 'grants'>;
  readonly timeAwareGrants: Pick<Grants, 'isLive'>;
  readonly presentedTokens: PresentedTokens;
  readonly issuedDetails: IssuedDetails;
  readonly postMortem: PostMortem;
  readonly catchUpIfGenuine: CatchUpIfGenuine | undefined;
  readonly freshness: Pick<Freshness, 'catchUpThrottled'> | undefined;
  readonly verifyIdToken: VerifyIdToken;
  readonly readForeignToken: ReadForeignToken;
  readonly foreignSubjects: ForeignSubjects;
  readonly resources: KnownResources;
  readonly subjectFor: SubjectFor;
  readonly issuer: () => string;
}

/** Creates the function that reads the tokens in an exchange request (RFC 8693). */
export function createExchangeTokenReader(deps: ExchangeDeps): ReadSubjects {
  const { projections, presentedTokens, issuedDetails, postMortem, catchUpIfGenuine } = deps;
  const { sessions, grants } = deps.commands;
  const { exchanges, grants: logins, clients, users, trustedIssuers } = projections;
  const { verifyIdToken, readForeignToken, foreignSubjects, resources, subjectFor, issuer } = deps;
  const foreignDeps = { readForeignToken, foreignSubjects, trustedIssuers, users, resources, issuer };
  return createSubjectsReader({
    readAccessToken: createAccessTokenReader({
      presentedTokens,
      exchanges,
      issuedDetails,
      logins,
      postMortem,
      catchUpIfGenuine,
    }),
    readIdToken: createIdTokenReader({
      grants,
      liveGrants: deps.timeAwareGrants,
      verifyIdToken,
      catchUp: deps.freshness?.catchUpThrottled,
    }),
    foreignReaders: {
      jwt: createForeignJwtReader('jwt', foreignDeps),
      idToken: createForeignJwtReader('id_token', foreignDeps),
    },
    observeDependencies: createDependencyObserver({
      grants,
      sessions,
      exchanges,
      logins,
      clients,
      users,
      trustedIssuers,
    }),
    subjectFor,
    issuer,
  });
}
