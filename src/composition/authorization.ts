import type { Config } from '../config/config.ts';
import type { EpochSeconds } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import type { ClientDirectory } from '../oauth/clients/client-directory.ts';
import type { FindClientKeys } from '../oauth/clients/client-key-finder.ts';
import { createRequestSeal } from '../oauth/credentials/sealed-request.ts';
import { createDpopProofs } from '../oauth/dpop/dpop-proofs.ts';
import { createAuthorizationEndpoint } from '../oauth/endpoints/authorization-endpoint.ts';
import { createAuthorizationResponseBuilder } from '../oauth/endpoints/authorization-response.ts';
import { createLoginSeal } from '../oauth/openid/demanded-login.ts';
import { createEffectiveRequests } from '../oauth/requests/effective-requests.ts';
import { createPushedRequestHandler } from '../oauth/requests/pushed-requests.ts';
import { createRequestUris } from '../oauth/requests/request-uris.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { CookieKeys } from '../platform/keys/cookie-keys.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import type { Entropy } from '../platform/ports.ts';
import type { Projections } from '../projections/projections.ts';
import type { DetailParts } from './authorization-details.ts';
import type { CommandHandlers } from './command-handlers.ts';
import type { Credentials } from './credentials.ts';
import type { TokenChecks } from './token-checks.ts';

interface AuthorizationDeps
  extends
    Pick<Credentials, 'credentials' | 'resources' | 'signingKeys' | 'subjects'>,
    Pick<TokenChecks, 'verifyIdToken'>,
    Pick<DetailParts, 'managedGrants' | 'tokenDetails'> {
  readonly projections: Pick<Projections, 'grants' | 'groups' | 'users'>;
  readonly commands: Pick<CommandHandlers, 'grants'>;
  readonly log: Pick<EventLog, 'shared'>;
  readonly directory: ClientDirectory;
  readonly findClientKeys: FindClientKeys;
  readonly egress: Egress;
  readonly limits: RateLimits;
  readonly cookieKeys: Pick<CookieKeys, 'cookies'>;
  readonly entropy: Entropy;
  readonly now: () => EpochSeconds;
  readonly issuer: () => string;
  readonly settings: Config;
}

/** Creates the parts that read, seal and answer authorization requests, and that check proofs of possession. */
export function createAuthorizationParts(deps: AuthorizationDeps) {
  const { projections, directory, findClientKeys, resources, limits, egress, entropy, now, issuer, settings } = deps;
  const { grants: liveGrants, groups, users } = projections;
  const { cookies } = deps.cookieKeys;
  const requestUris = createRequestUris(cookies, entropy);
  const effectiveRequests = createEffectiveRequests({
    directory,
    findClientKeys,
    requestUris,
    egress,
    issuer,
    settings,
  });
  return {
    effectiveRequests,
    pushRequest: createPushedRequestHandler({
      effectiveRequests,
      requestUris,
      limits,
      resources,
      grants: deps.managedGrants,
      settings,
    }),
    requestSeal: createRequestSeal(cookies, entropy),
    loginSeal: createLoginSeal(cookies),
    authorization: createAuthorizationEndpoint({
      grants: deps.commands.grants,
      liveGrants,
      credentials: deps.credentials,
      buildResponse: createAuthorizationResponseBuilder({ keys: deps.signingKeys, issuer, now }),
      issuer,
      subjects: deps.subjects,
      users,
      groupsOf: groups.namesOf,
      tokenDetails: deps.tokenDetails,
      verifyIdToken: deps.verifyIdToken,
      settings,
    }),
    dpopProofs: createDpopProofs({ entropy, startedAt: now(), requiresNonces: deps.log.shared !== undefined }),
  };
}
