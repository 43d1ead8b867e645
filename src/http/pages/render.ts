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

/** Whoever a page is shown to. */
export interface PageUser {
  readonly username: string;
  /** They decide what the navigation offers, and nothing else. */
  readonly roles: readonly Role[];
}

/** What every page needs for its frame. */
export interface PageContext {
  /** Who is logged in; null shows the frame of a visitor. */
  readonly user: PageUser | null;
  /** Of the session; it goes into every form of the page, log-out included. */
  readonly csrfToken: string;
  /** Of the request, for the navigation to mark. */
  readonly path: string;
  /** What the request before this one did; null when there is nothing to say. */
  readonly flash: Flash | null;
}

/** Field name → what is wrong with it; a key that is no field's name is shown above the form. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface ScopeDescription {
  readonly name: string;
  /** In the operator's words. */
  readonly description: string;
  /** What the server's own routes let a token with it do, whatever the description says. */
  readonly effects: readonly string[];
}

export interface HomeLocals extends PageContext {
  readonly signupOpen: boolean;
  /** What software can read about this server. */
  readonly documents: readonly { readonly title: string; readonly href: string }[];
  /** The newest first; empty for a visitor. */
  readonly applications: readonly {
    readonly id: string;
    readonly name: string;
    readonly lastUsed: EpochSeconds | null;
  }[];
  /** How many there are in all. */
  readonly applicationCount: number;
  /** The applications that they have authorized, the newest first; empty for a visitor. */
  readonly authorized: readonly AuthorizedApplicationLocals[];
  readonly authorizedCount: number;
}

export interface LoginLocals extends PageContext {
  /** Where to go afterwards; empty for the home page. */
  readonly next: string;
  readonly username: string;
  readonly error: string | null;
  readonly signupOpen: boolean;
  /** Where alone a browser can use a passkey; null where none can. */
  readonly passkeyOrigin: string | null;
}

export interface NewAccountLocals extends PageContext {
  readonly values: { readonly username: string; readonly email: string };
  readonly errors: FieldErrors;
}

export interface SignupLocals extends NewAccountLocals {
  /** Where to go afterwards; the home page when empty. */
  readonly next: string;
}

export interface SetupLocals extends NewAccountLocals {
  /** The one-time secret of the set-up link. */
  readonly token: string;
}

export interface AuthorizeLocals extends PageContext {
  readonly user: PageUser;
  /** The sealed authorization request, posted back as it is. */
  readonly request: string;
  readonly application: {
    readonly name: string;
    readonly owner: string;
    /** Its registration, which is warned of where it is new. */
    readonly knownSince: EpochSeconds;
    readonly isNew: boolean;
  };
  /** Since when it may already act for this person; null: it may not. */
  readonly authorizedSince: EpochSeconds | null;
  /** The address of this request, for somebody else to log in at. */
  readonly logInAgain: string;
  /** Where the code goes: a web host, a loopback host, or the scheme of an app. Anything but the web is warned of. */
  readonly destination: { readonly kind: 'web' | 'loopback' | 'app'; readonly name: string };
  /** The resource servers that the request named; none: everywhere. */
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
    /** The newest of its authorizations. */
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
  /** What the reader can do about it; empty for nothing. */
  readonly whatToDo: string;
  readonly requestId: string;
}

/** Every page: its locals in, a whole HTML document out. Every string of the locals is escaped. */
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
 * Reads and compiles every view once; rendering touches no file.
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
    authorizedApplication: page('authorized-application', ({ application }) => `Authorizations of ${application.name}`),
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
