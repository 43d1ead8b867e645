import { isOwner } from '../../../domain/members.ts';
import type { Presentation } from '../../../domain/presentation.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { EpochSeconds, UserId } from '../../../domain/values.ts';
import { message, type Message } from '../../../language/message.ts';
import type { AuthorizationRequest } from '../../../oauth/endpoints/authorization-request.ts';
import { builtinCallbackUri } from '../../../oauth/clients/builtin-callback.ts';
import { isLoopback } from '../../../oauth/clients/redirect-uris.ts';
import type { ManagedGrants } from '../../../oauth/endpoints/requested-management.ts';
import type { Grants } from '../../../projections/grants.ts';
import type { Client } from '../../../projections/clients.ts';
import type { User } from '../../../projections/users.ts';
import type { Form } from '../../pipeline/form.ts';
import { PageError } from '../../pipeline/page-error.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { LoggedInUser } from '../../pipeline/web-session.ts';
import { applicationMark } from '../application-mark.ts';
import { publisherOf } from '../publisher.ts';
import type { ConsentApplicationLocals, AuthorizeLocals } from './locals.ts';

export interface ApplicationDeps {
  /** The user's existing authorizations. */
  readonly grants: Pick<Grants, 'listByUser'>;
  readonly users: { find(userId: UserId): User | undefined };
  readonly now: () => EpochSeconds;
}

export interface ConsentDeps extends ApplicationDeps {
  readonly managedGrants: ManagedGrants;
  readonly issuer: () => string;
}

/** Reports whether the value of the `allow` button means yes. Every value does, except for the usual ways to say no. */
export function isApproval(allow: string): boolean {
  return !['', 'false', '0', 'no'].includes(allow.toLowerCase());
}

type AllowedScope = Pick<AuthorizationRequest, 'scope'>;
type RequestedDetails = Pick<AuthorizationRequest, 'details'>;

/** Returns the reason why the user gave no access, or undefined if the user gave access. */
export function denialReason(allow: string, approval: AllowedScope, request: RequestedDetails): string | undefined {
  if (!isApproval(allow)) return 'the resource owner denied the request';
  return givesNoAccess(approval, request) ? 'the resource owner left out every scope' : undefined;
}

/**
 * Reports whether the approval gives no access. A request with authorization details always gives access if it is
 * approved, because users cannot leave the details out.
 */
export function givesNoAccess({ scope }: AllowedScope, { details }: RequestedDetails): boolean {
  return scope.length === 0 && details.length === 0;
}

/** The value of the `allow` button on a page where scopes have checkboxes. */
const ALLOW_CHECKED = 'ticked';

/**
 * Returns the part of the requested scope that the user allows. The form of the consent page sends the checked scopes.
 * A script can instead send the scopes to leave out; all other scopes are then allowed. `openid` cannot be left out,
 * because the application could not log the user in without it.
 */
export function allowedScope(requestedScope: Scope, form: Form): Scope {
  const [checkedScopes, omittedScopes] = [form.list('scope'), form.list('leave_out')];
  const hasCheckboxes = form.text('allow') === ALLOW_CHECKED || checkedScopes.length > 0;
  const isAllowed = (name: string): boolean =>
    (!hasCheckboxes || checkedScopes.includes(name)) && !omittedScopes.includes(name);
  return requestedScope.filter((name) => name === 'openid' || isAllowed(name));
}

/** Describes the application and the user's earlier authorizations of it, for the consent page. */
export function describeApplication(
  client: Client,
  { userId }: User,
  { grants, users, now }: ApplicationDeps,
): ConsentApplicationLocals {
  const earlierGrants = grants.listByUser(userId, now()).filter(({ clientId }) => clientId === client.clientId);
  const [oldestGrant] = earlierGrants; // grants are in log order
  const documentDescription = documentLocals(client);
  const name = documentDescription?.host ?? client.name;
  return {
    application: {
      name,
      mark: applicationMark({ ...client, name }),
      described: documentDescription,
      presentation: presentationLocals(client.presentation),
      owner: publisherOf(client, users),
      isSelfRegistered: client.selfRegistered !== undefined,
      isOwn: isOwner(client, userId),
      registeredAt: client.registeredAt as EpochSeconds,
      isNew: now() - client.registeredAt < NEW_APPLICATION_SECONDS,
      isTest: client.mode === 'test',
    },
    authorizedSince: oldestGrant === undefined ? null : (oldestGrant.grantedAt as EpochSeconds),
    allowedBefore: [...new Set(earlierGrants.flatMap(({ scope }) => scope))],
  };
}

/** Returns the locals for a client's metadata document, or null if the client is registered on this server. */
function documentLocals({ document, clientId, name }: Client): ConsentApplicationLocals['application']['described'] {
  if (document === undefined) return null;
  const { host } = new URL(clientId);
  return { host, uri: clientId, chosenName: name.replace(` (${host})`, '') };
}

/** The age below which the consent page warns about an application. */
const NEW_APPLICATION_SECONDS = 86_400;

function presentationLocals({ description, homepageUri, policyUri, tosUri }: Presentation) {
  const links = [
    { title: message('consent.website'), href: homepageUri },
    { title: message('consent.privacy-policy'), href: policyUri },
    { title: message('consent.terms'), href: tosUri },
  ];
  return {
    description,
    // Old logs may contain other schemes, and a link must never run a script.
    links: links.flatMap(({ title, href }) => (href !== null && /^https?:/i.test(href) ? [{ title, href }] : [])),
  };
}

/** Describes the destination of the authorization code. */
export function describeDestination(
  { client, redirectUri }: Pick<AuthorizationRequest, 'client' | 'redirectUri'>,
  issuer: string,
): AuthorizeLocals['destination'] {
  const builtinCallback = builtinCallbackUri(issuer, client.clientId);
  const { protocol, host } = new URL(redirectUri);
  if (redirectUri === builtinCallback) return { kind: 'builtin', name: host, uri: redirectUri };
  if (protocol !== 'https:' && protocol !== 'http:')
    return { kind: 'app', name: protocol.slice(0, -1), uri: redirectUri };
  return { kind: isLoopback(redirectUri) ? 'loopback' : 'web', name: host, uri: redirectUri };
}

/** Describes the effect of the request on an earlier grant, or returns null if the request starts a new grant. */
export function describeUpdate({ management }: Pick<AuthorizationRequest, 'management'>): AuthorizeLocals['update'] {
  if (management?.grantToUpdate === undefined || management.action === 'create') return null;
  return { action: management.action, grantedAt: management.grantToUpdate.grantedAt as EpochSeconds };
}

/** Returns a string that binds a consent form to the current session and its user. */
export function consentBinding(ctx: RequestContext, { user }: LoggedInUser): string {
  return `${ctx.state.webSession.csrfToken()} ${user.userId}`;
}

/** Returns the error for a form whose sealed request has expired or is bound to a different session or user. */
export function requestExpiredError(advice: Message): PageError {
  return new PageError(400, message('consent.expired-title'), message('consent.expired'), advice, {
    rule: 'request-aged',
  });
}
