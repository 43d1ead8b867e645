import type { Role } from '../../domain/events.ts';
import type { EpochSeconds } from '../../domain/values.ts';
import type { AccountPages } from './account/locals.ts';
import type { ApiDescriptionLocals } from '../openapi/page.ts';
import { adminPages, type AdminPages } from './admin/locals.ts';
import type {
  ApplicationCredentialsLocals,
  ApplicationDeleteLocals,
  ApplicationDetailLocals,
  ApplicationFormLocals,
  ApplicationListLocals,
  ApplicationPageLocals,
  ApplicationRotateLocals,
} from './applications/locals.ts';
import type { AuditPages } from './audit/locals.ts';
import { readAssets, type Assets } from './assets.ts';
import type { AuthorizedApplicationLocals, GrantLocals } from './account/authorization-lookup.ts';
import type { Flash } from '../pipeline/web-session.ts';
import { navigation } from './navigation.ts';
import type { Paging } from './paging.ts';
import { examplesFor } from './applications/try-it/examples.ts';
import { compileViews } from './views.ts';

/** The logged-in user. */
export interface PageUser {
  readonly username: string;
  /** Used only to select navigation entries. */
  readonly roles: readonly Role[];
}

/** What every page needs for its layout. */
export interface PageContext {
  /** The logged-in user, or null for a visitor. */
  readonly user: PageUser | null;
  /** The session's token, for every form of the page. */
  readonly csrfToken: string;
  /** The path of the request, to mark the current navigation entry. */
  readonly path: string;
  /** A message about the previous request, or null. */
  readonly flash: Flash | null;
}

/** Error messages by field name. Other keys are shown above the form. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface ScopeDescription {
  readonly name: string;
  /** Written by the operator. */
  readonly description: string;
  /** What the server's own routes allow for this scope, regardless of the description. */
  readonly effects: readonly string[];
}

export interface HomeLocals extends PageContext {
  readonly signupOpen: boolean;
  /** Links to the API reference and to machine-readable documents. */
  readonly documents: readonly { readonly title: string; readonly href: string }[];
  /** Newest first. Empty for visitors. */
  readonly applications: readonly {
    readonly id: string;
    readonly name: string;
    readonly lastUsed: EpochSeconds | null;
  }[];
  /** The total number. */
  readonly applicationCount: number;
  /** The applications that the user authorized, newest first. Empty for visitors. */
  readonly authorized: readonly AuthorizedApplicationLocals[];
  readonly authorizedCount: number;
}

export interface LoginLocals extends PageContext {
  /** The path to continue to. Empty for the home page. */
  readonly next: string;
  readonly username: string;
  readonly error: string | null;
  readonly signupOpen: boolean;
  /** The only origin at which passkeys work, or null if they don't work at all. */
  readonly passkeyOrigin: string | null;
}

export interface NewAccountLocals extends PageContext {
  readonly values: { readonly username: string; readonly email: string };
  readonly errors: FieldErrors;
}

export interface SignupLocals extends NewAccountLocals {
  /** The path to continue to. Empty for the home page. */
  readonly next: string;
}

export interface SetupLocals extends NewAccountLocals {
  /** The one-time secret of the set-up link. */
  readonly token: string;
}

export interface AuthorizeLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed authorization request, which the form posts back unchanged. */
  readonly request: string;
  readonly application: {
    readonly name: string;
    readonly owner: string;
    /** When it was registered. The page warns about new applications. */
    readonly knownSince: EpochSeconds;
    readonly isNew: boolean;
  };
  /** Since when the user has authorized it, or null. */
  readonly authorizedSince: EpochSeconds | null;
  /** The address of this request, to continue as a different user. */
  readonly logInAgain: string;
  /** Where the code goes: a web host, a loopback host, or an app's scheme. The page warns about the last two. */
  readonly destination: { readonly kind: 'web' | 'loopback' | 'app'; readonly name: string };
  /** The resource servers that the request named. Empty means no limit. */
  readonly resources: readonly string[];
  readonly scopes: readonly ScopeDescription[];
}

type AuthorizedApplication = AuthorizedApplicationLocals & {
  readonly owner: string;
  readonly scopes: readonly ScopeDescription[];
};

export interface AuthorizedTokensLocals extends PageContext {
  readonly paging: Paging;
  readonly applications: readonly (AuthorizedApplication & {
    /** The newest authorizations. */
    readonly newest: readonly GrantLocals[];
  })[];
}

export interface AuthorizedApplicationPageLocals extends PageContext {
  readonly paging: Paging;
  readonly application: AuthorizedApplication;
  readonly grants: readonly GrantLocals[];
}

export interface ErrorLocals extends PageContext {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** What the user can do. May be empty. */
  readonly whatToDo: string;
  readonly requestId: string;
}

/** Every page as a function from locals to an HTML document. All strings are escaped. */
export interface Pages extends AccountPages, AdminPages, AuditPages {
  home(locals: HomeLocals): string;
  login(locals: LoginLocals): string;
  setup(locals: SetupLocals): string;
  signup(locals: SignupLocals): string;
  authorize(locals: AuthorizeLocals): string;
  authorizedTokens(locals: AuthorizedTokensLocals): string;
  authorizedApplication(locals: AuthorizedApplicationPageLocals): string;
  error(locals: ErrorLocals): string;
  apiDescription(locals: ApiDescriptionLocals): string;
  applicationList(locals: ApplicationListLocals): string;
  applicationForm(locals: ApplicationFormLocals): string;
  applicationCredentials(locals: ApplicationCredentialsLocals): string;
  applicationRotate(locals: ApplicationRotateLocals): string;
  applicationDetail(locals: ApplicationDetailLocals): string;
  applicationDelete(locals: ApplicationDeleteLocals): string;
}

/**
 * Reads and compiles all views once. Rendering reads no files.
 * @throws SyntaxError a view does not compile
 */
export function createRenderer(assets: Assets = readAssets()): Pages {
  const view = compileViews(assets);
  const layout = view('layout');
  const page = <Locals extends PageContext>(
    name: string,
    title: (locals: Locals) => string,
    more: (locals: Locals) => object = () => ({}),
  ) => {
    const body = view(name);
    return (locals: Locals): string =>
      layout({
        title: title(locals),
        ...frame(locals),
        body: body({ ...locals, ...more(locals) }),
      });
  };
  return {
    ...adminPages(page),
    home: page('home', () => 'OAuth 2.0 authorization server'),
    login: page('login', () => 'Log in'),
    setup: page('setup', () => 'Create the first administrator'),
    signup: page('signup', () => 'Sign up'),
    account: page('account/overview', () => 'My account'),
    sessions: page('account/sessions', () => 'Your sessions'),
    passkeys: page('account/passkeys', () => 'Your passkeys'),
    changePassword: page('account/password', () => 'Change your password'),
    addPasskey: page('account/add-passkey', () => 'Add a passkey'),
    eraseAccount: page('account/erase', () => 'Erase your account'),
    authorize: page('authorize', ({ application }) => `Authorize ${application.name}?`),
    authorizedTokens: page('authorized-tokens', () => 'Authorized applications'),
    authorizedApplication: page(
      'authorized-application',
      ({ application }) => `Authorizations for ${application.name}`,
    ),
    error: page('error', ({ title }) => title),
    apiDescription: page('api-description', () => 'API'),
    applicationList: page('applications/list', () => 'My applications'),
    applicationForm: page('applications/form', ({ application }) =>
      application === null ? 'Register an application' : `Edit ${application.name}`,
    ),
    applicationCredentials: page(
      'applications/credentials',
      ({ application }) => `Credentials of ${application.name}`,
      (locals) => ({ examples: examplesOf(locals, locals.clientSecret) }),
    ),
    applicationRotate: page('applications/rotate', ({ application }) => `Rotate the secret of ${application.name}?`),
    applicationDetail: page(
      'applications/detail',
      ({ application }) => application.name,
      (locals) => ({ examples: examplesOf(locals, null) }),
    ),
    applicationDelete: page('applications/delete', ({ application }) => `Delete ${application.name}?`),
    auditTimeline: page('audit/timeline', () => 'Events'),
    auditEvent: page('audit/event', ({ event }) => `Event ${event.row.position}`),
    auditAsOf: page('audit/as-of', () => 'Access at a point in time'),
    auditLog: page('audit/log', () => 'The log'),
  };
}

function frame({ user, csrfToken, path, flash }: PageContext): object {
  return { user, csrfToken, flash, navigation: user === null ? [] : navigation(user.roles, path) };
}

function examplesOf(locals: ApplicationPageLocals, clientSecret: string | null): object {
  const { application, forbiddenRedirectUris, tryIt } = locals;
  const forbidden = forbiddenRedirectUris.map(({ uri }) => uri);
  const redirectUris = application.redirectUris.filter((uri) => !forbidden.includes(uri));
  return examplesFor({ ...application, redirectUris, ...tryIt, clientSecret });
}
