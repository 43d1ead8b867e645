import type { AuthorizedApplication } from '../../../audit/queries/authorized-applications.ts';
import { NO_PRESENTATION } from '../../../domain/presentation.ts';
import type { UserId } from '../../../domain/values.ts';
import { withParameters } from '../../../oauth/clients/redirect-uris.ts';
import { claimsOfScope, type ScopeClaims } from '../../../oauth/openid/user-claims.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';
import { applicationMark, type ApplicationMark } from '../application-mark.ts';
import { describeClaims } from '../authorize/claim-names.ts';
import type { DescribeScope } from '../authorize/scope-descriptions.ts';
import { publisherOf } from '../publisher.ts';
import { authorizedApplicationLocals, type AuthorizedApplicationLocals } from './grant-locals.ts';
import type { Text } from '../../../language/message.ts';
import type { ScopeDescription } from '../authorize/locals.ts';

export interface AuthorizedLocalsDeps {
  readonly clients: Pick<Clients, 'find'>;
  readonly users: { find(userId: UserId): User | undefined };
  readonly issuer: () => string;
  readonly describeScope: DescribeScope;
  readonly settings: { readonly scopeClaims: ScopeClaims };
}

/** An authorized application, as described on the user's pages. */
export type DescribedApplication = AuthorizedApplicationLocals & {
  readonly mark: ApplicationMark;
  readonly owner: Text;
  readonly scopes: readonly ScopeDescription[];
  /** A sentence about the claims that the application gets individually, not through a scope; may be empty. */
  readonly sharesByName: Text;
  /** The URL where the application starts a login for the user; null if it has none. */
  readonly openUrl: string | null;
};

/** Describes an authorized application for the user's pages. */
export function describeAuthorizedApplication(
  application: AuthorizedApplication,
  { clients, users, issuer, describeScope, settings }: AuthorizedLocalsDeps,
): DescribedApplication {
  const client = clients.find(application.clientId);
  const loginUri = client?.openid.initiateLoginUri ?? null;
  const readsClaims = application.scope.includes('openid');
  const scopeClaims = claimsOfScope(application.scope, settings.scopeClaims);
  const claimsByName = application.grants.flatMap(({ claims }) => [
    ...(claims?.idToken ?? []),
    ...(claims?.userinfo ?? []),
  ]);
  const individualClaims = [...new Set(claimsByName)].filter((claim) => !scopeClaims.includes(claim));
  return {
    ...authorizedApplicationLocals(application),
    mark: applicationMark(client ?? { ...application, presentation: NO_PRESENTATION, logo: null }),
    owner: publisherOf(client, users),
    scopes: application.scope
      .map((name) => describeScope(name, application.resource))
      .map((scope) => (readsClaims ? scope : { ...scope, shares: '' })),
    sharesByName: describeClaims(individualClaims),
    // `iss` tells the application to start the login at this server (OpenID Connect Core §4).
    openUrl: loginUri === null ? null : withParameters(loginUri, { iss: issuer() }),
  };
}
