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
import type { AuthorizedApplicationLocals } from './account/authorization-lookup.ts';
import type { AuthorizeLocals } from './authorize/locals.ts';
import type { LoggedOutLocals, LogoutLocals } from './logout/locals.ts';
import { navigation } from './navigation.ts';
import type { PageContext } from './page-context.ts';
import { CLAIM_MEANINGS } from './applications/try-it/claim-meanings.ts';
import { examplesFor } from './applications/try-it/examples.ts';
import { compileViews } from './views.ts';

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

/** The page that posts a response to the client; `host` is where it goes, for the user. */
export interface FormPostLocals {
  readonly redirectUri: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  readonly host: string;
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
  authorize(locals: AuthorizeLocals): string;
  formPost(locals: FormPostLocals): string;
  logOut(locals: LogoutLocals): string;
  loggedOut(locals: LoggedOutLocals): string;
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
    home: page('home', () => 'OAuth 2.0 and OpenID Connect server'),
    login: page('account/login', () => 'Log in'),
    setup: page('account/setup', () => 'Create the first administrator'),
    signup: page('account/signup', () => 'Sign up'),
    account: page('account/overview', () => 'My account'),
    profile: page('account/profile', () => 'Your profile'),
    sessions: page('account/sessions', () => 'Your sessions'),
    passkeys: page('account/passkeys', () => 'Your passkeys'),
    changePassword: page('account/password', () => 'Change your password'),
    addPasskey: page('account/add-passkey', () => 'Add a passkey'),
    eraseAccount: page('account/erase', () => 'Erase your account'),
    authorize: page('authorize', ({ application }) => `Authorize ${application.name}?`),
    formPost: view('form-post'),
    logOut: page('logout', () => 'Log out?'),
    loggedOut: page('logged-out', () => 'You’re logged out'),
    authorizedTokens: page('account/authorized-applications', () => 'Authorized applications'),
    authorizedApplication: page(
      'account/authorized-application',
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
      (locals) => tryItOf(locals, locals.clientSecret),
    ),
    applicationRotate: page('applications/rotate', ({ application }) => `Rotate the secret of ${application.name}?`),
    applicationDetail: page(
      'applications/detail',
      ({ application }) => application.name,
      (locals) => tryItOf(locals, null),
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

function tryItOf(locals: ApplicationPageLocals, clientSecret: string | null): object {
  const { application, forbiddenRedirectUris, tryIt } = locals;
  const forbidden = forbiddenRedirectUris.map(({ uri }) => uri);
  const redirectUris = application.redirectUris.filter((uri) => !forbidden.includes(uri));
  return {
    examples: examplesFor({ ...application, redirectUris, ...tryIt, clientSecret }),
    claimMeanings: application.grants.includes('authorization-code') ? CLAIM_MEANINGS : [],
  };
}
