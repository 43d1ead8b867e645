import type { Attestation } from '../audit/proofs/attestation.ts';
import { createHeadReader } from '../audit/proofs/current-head.ts';
import type { Config } from '../config/config.ts';
import { createIntrospectedDetails } from '../oauth/details/presented-details.ts';
import { createGrantManagement } from '../oauth/endpoints/grant-management.ts';
import { createIntrospectionEndpoint } from '../oauth/endpoints/introspection.ts';
import { createRevocationEndpoint } from '../oauth/endpoints/revocation.ts';
import { createIntrospectionSigner } from '../oauth/endpoints/signed-introspection.ts';
import type { Projections } from '../projections/projections.ts';
import type { DetailParts } from './authorization-details.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { Credentials } from './credentials.ts';
import type { TokenChecks } from './token-checks.ts';

interface IssuedTokenDeps
  extends
    Pick<Credentials, 'catchUpIfGenuine' | 'refreshTokens' | 'resources' | 'signingKeys' | 'subjectFor' | 'wasIssued'>,
    Pick<TokenChecks, 'effectiveScope' | 'timeAwareGrants' | 'postMortem' | 'presentedTokens'>,
    Pick<DetailParts, 'managedGrants' | 'presentedDetails' | 'tokenDetails'> {
  readonly projections: Pick<
    Projections,
    'accessTokens' | 'clients' | 'clock' | 'exchanges' | 'grants' | 'groups' | 'users'
  >;
  readonly commands: Pick<CommandHandlers, 'grants'>;
  readonly attestation: Pick<Attestation, 'tree'>;
  readonly issuer: () => string;
  readonly settings: Config;
}

/** Creates the endpoints that introspect and revoke tokens, and that manage grants. */
export function createIssuedTokenParts(deps: IssuedTokenDeps) {
  const { projections, timeAwareGrants, presentedTokens, presentedDetails, tokenDetails, managedGrants } = deps;
  const { refreshTokens, wasIssued, postMortem, subjectFor, effectiveScope, resources, catchUpIfGenuine } = deps;
  const { issuer, settings } = deps;
  const { accessTokens, clients, exchanges, grants: liveGrants, users } = projections;
  const { grants } = deps.commands;
  return {
    grantManagement: createGrantManagement({
      grants: managedGrants,
      grantCommands: grants,
      clients,
      effectiveScope,
      resources,
    }),
    revocation: createRevocationEndpoint({
      grants,
      liveGrants,
      accessTokens,
      newestAt: projections.clock.newestAt,
      refreshTokens,
      wasIssued,
      catchUpIfGenuine,
    }),
    signIntrospection: createIntrospectionSigner({
      keys: deps.signingKeys,
      clients,
      issuer,
      logHead: createHeadReader(deps.attestation.tree, issuer),
    }),
    introspection: createIntrospectionEndpoint({
      grants,
      liveGrants: timeAwareGrants,
      exchanges,
      presentedTokens,
      presentedDetails,
      introspectedDetails: createIntrospectedDetails(resources),
      tokenDetails,
      refreshTokens,
      postMortem,
      findUsername: (userId) => users.find(userId)?.username,
      groupsOf: projections.groups.namesOf,
      subjectFor,
      issuer,
      effectiveScope,
      resources,
      catchUpIfGenuine,
      settings,
    }),
  };
}
