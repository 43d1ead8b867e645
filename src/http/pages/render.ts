import type { EpochSeconds } from '../../domain/values.ts';
import { LANGUAGE_NAMES, offeredLanguage, type Language } from '../../language/languages.ts';
import { message, type Text } from '../../language/message.ts';
import type { Translator } from '../../language/translator.ts';
import type { Translators } from '../../language/translators.ts';
import type { AccountPages, AddAppLocals } from './account/locals.ts';
import type { ApiDescriptionLocals } from '../openapi/page.ts';
import type { AdminDashboardLocals } from './admin/dashboard-locals.ts';
import { adminPages, type AdminPages } from './admin/locals.ts';
import { applicationPages } from './applications/application-pages.ts';
import type { ApplicationPages } from './applications/locals.ts';
import type { AuditPages } from './audit/locals.ts';
import { createBrand, UNBRANDED, type Brand } from './brand.ts';
import type { AuthorizedApplicationLocals } from './account/grant-locals.ts';
import type { AuthorizeLocals } from './authorize/locals.ts';
import type { DeviceConsentLocals, DeviceLocals } from './device/locals.ts';
import type { LoggedOutLocals, LogoutLocals } from './logout/locals.ts';
import { resourcePages, type ResourcePages } from './resources/locals.ts';
import { navigationFor } from './navigation.ts';
import type { FieldErrors, PageContext } from './page-context.ts';
import type { RefusalLocals, RefusalPageLocals } from './refusals/refusal-locals.ts';
import { compileViews } from './views.ts';

export interface HomeLocals extends PageContext {
  readonly signupOpen: boolean;
  /** Whether there is no administrator yet. The page then refers to the set-up link. */
  readonly lacksAdministrator: boolean;
  /** Links to the API reference and to machine-readable documents. */
  readonly documents: readonly { readonly title: Text; readonly href: string }[];
  /** Some of the applications that the user owns, the most recently used first. Empty for visitors. */
  readonly applications: readonly {
    readonly id: string;
    readonly name: string;
    readonly lastUsed: EpochSeconds | null;
  }[];
  /** The number of all applications that the user owns. */
  readonly applicationCount: number;
  /** The applications that the user authorized most recently, newest first. Empty for visitors. */
  readonly authorized: readonly (AuthorizedApplicationLocals & { readonly permissions: readonly Text[] })[];
  /** The number of all applications that the user has authorized. */
  readonly authorizedCount: number;
  /** The newest refusals of requests from the user's applications, or from all applications for administrators. */
  readonly refusals: readonly {
    readonly href: string;
    readonly at: EpochSeconds;
    readonly headline: Text;
    /** The name of the application, or null if it was removed. */
    readonly application: string | null;
  }[];
  /** The server's problems and totals, for administrators; null for other users. */
  readonly server: Pick<AdminDashboardLocals, 'attention' | 'totals'> | null;
}

/** The page that posts an authorization response to the client. */
export interface FormPostLocals extends Pick<PageContext, 'readerLanguage'> {
  readonly redirectUri: string;
  readonly fields: readonly { readonly name: string; readonly value: string }[];
  /** The destination as shown to users: the host or, for a native application, the scheme. */
  readonly host: string;
}

export interface ErrorLocals extends PageContext {
  readonly status: number;
  readonly title: Text;
  readonly message: Text;
  /** Can be empty. */
  readonly advice: Text;
  readonly requestId: string;
  /** The values in the request that the message refers to. */
  readonly facts: readonly { readonly title: Text; readonly text: Text }[];
  /** The explanation, if the user may see it; otherwise null. */
  readonly refusal: RefusalLocals | null;
  /** The page that explains the refusal, if the reader may see it or may be a developer; otherwise null. */
  readonly explanationHref: string | null;
  /** The login page, if logging in, perhaps as a different user, may help; otherwise null. */
  readonly loginHref: string | null;
  /** The page for requesting a new link to reset a password, if the user's link failed; otherwise null. */
  readonly resetHref: string | null;
  /** The page where the user can correct the refused redirect URI of an application that the user owns, or null. */
  readonly changeHref: string | null;
  /** A link to try again: the same page, the page without its query, or the form. Null if a retry would not help. */
  readonly retry: { readonly href: string; readonly text: Text } | null;
  /** A link to a page that may help, such as the list of existing items, or null. */
  readonly link: { readonly href: string; readonly text: Text } | null;
}

/** The page for a user who is not allowed to authorize an application in test mode. */
export interface TestModeLocals extends PageContext {
  readonly application: string;
  /** The destination of `back` as shown to users: the host or, for a native application, the scheme. */
  readonly host: string;
  /** The link, or the form if `fields` is not null, that sends the error to the application. */
  readonly back: { readonly address: string; readonly fields: Readonly<Record<string, string>> | null };
}

/** Every page as a function from locals to an HTML document. All strings are escaped. */
export interface Pages extends AccountPages, AdminPages, ApplicationPages, AuditPages, ResourcePages {
  home(locals: HomeLocals): string;
  authorize(locals: AuthorizeLocals): string;
  device(locals: DeviceLocals): string;
  deviceConsent(locals: DeviceConsentLocals): string;
  deviceDone(locals: PageContext): string;
  formPost(locals: FormPostLocals): string;
  testMode(locals: TestModeLocals): string;
  logOut(locals: LogoutLocals): string;
  loggedOut(locals: LoggedOutLocals): string;
  error(locals: ErrorLocals): string;
  refusal(locals: RefusalPageLocals): string;
  apiDescription(locals: ApiDescriptionLocals): string;
}

/** The members of locals that contain the errors of a form. */
interface FormErrors {
  readonly errors?: FieldErrors;
  /** An error that does not concern a single field. */
  readonly error?: Text | null | undefined;
  /** The errors of the forms on the audit pages. */
  readonly filters?: { readonly errors: FieldErrors };
  readonly query?: { readonly errors: FieldErrors };
}

function hasErrors({ errors, error, filters, query }: FormErrors): boolean {
  const allErrors = { ...errors, ...filters?.errors, ...query?.errors };
  return Object.keys(allErrors).length > 0 || (error ?? null) !== null;
}

/** Returns the title of a page. Screen readers read it first, so it says whether the form has errors. */
function formatTitle(title: string, locals: PageContext & FormErrors, { t }: Translator): string {
  return hasErrors(locals) ? t('layout.title-of-error', { title }) : title;
}

export interface PageRenderingDeps {
  /** Returns the time that relative times refer to. */
  readonly now: () => EpochSeconds;
  /** The languages of the pages. Readers who prefer none of them get the first one. */
  readonly languages: readonly [Language, ...Language[]];
  readonly translators?: Translators;
  readonly brand?: Brand;
}

/**
 * Returns the pages. Reads and compiles all views, so that rendering reads no files.
 * @throws SyntaxError if a view does not compile
 */
export function createPages(deps: PageRenderingDeps): Pages {
  const { now, languages, brand = createBrand(UNBRANDED) } = deps;
  const { translators = brand.translators } = deps;
  const view = compileViews({ assets: brand.assets, brand: brand.pageParts }, translators, now);
  const layout = view('layout');
  const languageFor = ({ readerLanguage }: Pick<PageContext, 'readerLanguage'>): Language =>
    offeredLanguage(readerLanguage, languages);

  const languageChoices = languages.map((tag) => ({ tag, name: LANGUAGE_NAMES[tag] }));

  const page = <Locals extends PageContext>(
    name: string,
    title: (locals: Locals) => Text,
    viewLocals: (locals: Locals) => object = () => ({}),
    isFocused = false,
  ) => {
    const body = view(name);
    return (locals: Locals): string => {
      const language = languageFor(locals);
      const translator = translators[language];
      const timeZone = locals.timeZone?.name;
      const html = body({ ...locals, ...viewLocals(locals) }, language, timeZone);
      const pageTitle = formatTitle(translator.text(title(locals)), locals, translator);
      const detectsTimeZone = locals.timeZone?.isChosen !== true;
      const frame = { title: pageTitle, languages: languageChoices, detectsTimeZone, isFocused, ...splitMenu(html) };
      return layout({ ...frameLocals(locals), ...frame }, language, timeZone);
    };
  };
  /** Compiles a page for one task, without navigation. */
  const focusedPage = <Locals extends PageContext>(name: string, title: (locals: Locals) => Text) =>
    page(name, title, undefined, true);
  const renderRequiredApp = focusedPage<AddAppLocals>('account/add-app', () => message('add-app.required-title'));
  const renderOptionalApp = page<AddAppLocals>('account/add-app', () => message('add-app.title'));
  return {
    ...adminPages(page),
    ...applicationPages(page),
    ...resourcePages(page),
    home: page('home', ({ user }) => message(user === null ? 'home.title' : 'navigation.home')),
    login: focusedPage('account/login', () => message('login.title')),
    setup: focusedPage('account/setup', () => message('setup.title')),
    signup: focusedPage('account/signup', () => message('signup.title')),
    forgotPassword: focusedPage('account/forgot', () => message('forgot.title')),
    resetRequested: focusedPage('account/forgot-sent', () => message('forgot-sent.title')),
    resetPassword: focusedPage('account/reset', () => message('reset.title')),
    accountInvitation: focusedPage('account/invitation', () => message('account-invitation.title')),
    verifyEmail: focusedPage('account/verify', () => message('verify.title')),
    account: page('account/overview', () => message('navigation.account')),
    secondStep: focusedPage('account/second-step', () => message('second-step.title')),
    addApp: (locals) => (locals.isRequired ? renderRequiredApp : renderOptionalApp)(locals),
    recoveryCodes: page('account/recovery-codes', () => message('recovery-codes.title')),
    twoStep: page('account/two-step', () => message('two-step.title')),
    confirmTwoStep: page('account/confirm-two-step', () => message('two-step.title')),
    profile: page('account/profile', () => message('profile.title')),
    sessions: page('account/sessions', () => message('sessions.title')),
    activity: page('account/activity', () => message('activity.title')),
    passkeys: page('account/passkeys', () => message('passkeys.yours')),
    waysToLogIn: page('account/ways', () => message('ways.title')),
    changePassword: page('account/password', () => message('own-password.title')),
    addPasskey: page('account/add-passkey', () => message('passkeys.add')),
    eraseAccount: page('account/erase', () => message('erase.title')),
    authorize: focusedPage('authorize', ({ application: { name } }) => message('consent.title', { application: name })),
    device: focusedPage('device', () => message('device.title')),
    deviceConsent: focusedPage('device-consent', ({ application: { name } }) =>
      message('consent.title-on-device', { application: name }),
    ),
    deviceDone: focusedPage('device-done', () => message('device-done.title')),
    formPost: (locals) => view('form-post')(locals, languageFor(locals)),
    testMode: focusedPage('test-mode', ({ application }) => message('test-mode.title', { application })),
    logOut: focusedPage('logout', () => message('logout.title')),
    loggedOut: page('logged-out', () => message('logged-out.title')),
    authorizedApplications: page('account/authorized-applications', () => message('navigation.authorized')),
    authorizedApplication: page('account/authorized-application', ({ application: { name } }) =>
      message('authorized.title-of', { application: name }),
    ),
    connectedAgents: page('account/agents', () => message('agents.title')),
    error: page('error', ({ title }) => title),
    refusal: page('refusals/refusal', ({ refusal }) => refusal.headline),
    apiDescription: page('api-description', () => 'API'),
    auditTimeline: page('audit/timeline', () => message('audit.events')),
    auditEvent: page('audit/event', ({ event }) => message('event.title', { position: String(event.row.position) })),
    auditGrant: page('audit/grant', () => message('grant.title')),
    auditAsOf: page('audit/as-of', () => message('audit.as-of')),
    auditBlastRadius: page('audit/blast-radius', () => message('audit.blast-radius')),
    auditLog: page('audit/log', () => message('audit.log')),
  };
}

/** The comment that ends a page's menu. */
const MENU_END = '<!-- end of the menu -->';

/** Separates the menu of a rendered page from its body. Without a menu, `menu` is empty. */
function splitMenu(html: string): { readonly menu: string; readonly body: string } {
  const end = html.indexOf(MENU_END);
  return end < 0 ? { menu: '', body: html } : { menu: html.slice(0, end), body: html.slice(end + MENU_END.length) };
}

function frameLocals({ user, csrfToken, path, flash }: PageContext): object {
  return { user, csrfToken, flash, navigation: user === null ? [] : navigationFor(user.roles, path) };
}
