import type { EpochSeconds } from '../../src/domain/values.ts';
import { createOnce } from '../../src/event-store/once.ts';
import { PROFILE_FIELDS } from '../../src/domain/profile.ts';
import { PASSWORD, PLAIN_TEXTS, FAILING_PASSWORD, type Viewer, type Scene } from '../support/scene.ts';

/** A page in one of its states, and how to open it. Every new page must be added here. */
export interface PageEntry {
  readonly name: string;
  readonly as: Viewer;
  /** The server to use instead of the one with data. */
  readonly server?: 'fresh' | 'broken' | 'strict';
  readonly path: (scene: Scene) => string;
  /** The expected status; 200 by default. */
  readonly status?: number;
  /** The form to submit on the page at `path`. The entry then describes the page that follows. */
  readonly form?: {
    /** The form's action; the page's path by default. */
    readonly action?: (scene: Scene) => string;
    readonly fields: (scene: Scene) => Readonly<Record<string, string | readonly string[]>>;
  };
}

const applicationPath = ({ application }: Scene): string => `/o/applications/${application.id}/`;
const setUpPath = ({ fresh }: Scene): string => `/accounts/setup/?token=${fresh.service().setup.token() ?? ''}`;
const query = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString();

const authorizationPath = (
  client: { readonly id: string },
  { texts }: Scene,
  otherParameters: Readonly<Record<string, string>> = {},
): string =>
  `/o/authorize/?${query({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: texts.redirectUri,
    state: texts.invalidInput,
    ...otherParameters,
  })}`;

/** Returns the path of the page for a new device request. */
const devicePath = ({ running, deviceApplication }: Scene, scope: string): string => {
  const { service } = running;
  const client = service().projections.clients.find(deviceApplication.id);
  if (client === undefined) throw new Error('the application for devices is missing');
  const { user_code } = service().deviceAuthorization({
    parameters: new Map([['scope', scope]]),
    client,
    address: '192.0.2.7',
    agent: 'Firefox on Linux',
    now: Math.floor(running.clock.now() / 1000) as EpochSeconds,
    once: createOnce(),
  });
  return `/o/device/?${query({ user_code })}`;
};

const invalidAuthorizationPath = (scene: Scene): string =>
  authorizationPath(scene.application, scene, { redirect_uri: `${scene.texts.redirectUri}/other` });
const memberRefusalPath = ({ running, application }: Scene): string =>
  `/o/refusals/${running.service().explanations.listByClient(application.id)[0]?.id ?? ''}/`;

const findAccount = ({ running }: Scene, username: string) => {
  const account = running.service().projections.users.findByName(username);
  if (account === undefined) throw new Error(`there is no user ${username}`);
  return account;
};
/** Returns the path and query of a link in an e-mail. */
const withoutOrigin = (url: string): string => url.slice(new URL(url).origin.length);
const nowInSeconds = ({ running }: Scene): number => Math.floor(running.clock.now() / 1000);
/** Returns the hashes of the member's and the administrator's sessions. */
const findSessionHashes = (scene: Scene): readonly string[] =>
  [scene.texts.member, scene.texts.administrator].flatMap((username) =>
    scene.running
      .service()
      .projections.sessions.listByUser(findAccount(scene, username).userId, nowInSeconds(scene))
      .map(({ sessionHash }) => sessionHash),
  );
const resetPath = (scene: Scene): string =>
  withoutOrigin(
    scene.running.service().accountLinks.resetUrl(findAccount(scene, scene.texts.member), nowInSeconds(scene)),
  );
const verificationPath = (scene: Scene): string =>
  withoutOrigin(
    scene.running.service().accountLinks.verificationUrl(findAccount(scene, scene.texts.member), nowInSeconds(scene)),
  );
const passkeyRemovalPath = (scene: Scene): string => {
  const { userId } = findAccount(scene, scene.texts.member);
  const [passkey] = scene.running.service().projections.passkeys.listByUser(userId);
  return `/accounts/passkeys/${passkey?.passkeyId ?? ''}/remove/`;
};
const findMemberKeyId = ({ running, application }: Scene): string =>
  running.service().projections.clients.find(application.id)?.authentication.keys[0]?.keyId ?? '';
const userPath = (scene: Scene, username: string): string => `/admin/users/${findAccount(scene, username).id}/`;
const adminUserPath =
  (suffix: string) =>
  (scene: Scene): string =>
    `${userPath(scene, scene.texts.colleague)}${suffix}`;
/** Returns the path of a page for the administrator's own account. */
const ownAdminPath =
  (suffix: string) =>
  (scene: Scene): string =>
    `${userPath(scene, scene.texts.administrator)}${suffix}`;
const grantRevocationPath = (scene: Scene): string => {
  const [grant] = scene.running
    .service()
    .projections.grants.listByUser(findAccount(scene, scene.texts.colleague).userId, scene.running.clock.now() / 1000);
  return adminUserPath(`grants/${grant?.grantId ?? ''}/`)(scene);
};
/** Returns the path of the page with the blast radius of the agent's grant. */
const blastRadiusPath = ({ exchangesPath }: Scene): string =>
  `/audit/blast-radius/?${query({ grant: exchangesPath.split('/').at(-2) ?? '' })}`;
const adminApplicationPath =
  (suffix: string) =>
  ({ requestingApplication }: Scene): string =>
    `/admin/applications/${requestingApplication.id}/${suffix}`;

export const PAGES: readonly PageEntry[] = [
  // visitors
  { name: 'start page for visitors', as: 'visitor', path: () => '/' },
  { name: 'start page of a server without administrators', as: 'visitor', server: 'fresh', path: () => '/' },
  { name: 'API description', as: 'visitor', path: () => '/docs/' },
  { name: 'login', as: 'visitor', path: () => '/accounts/login/' },
  {
    name: 'login for an application',
    as: 'visitor',
    path: (scene) => `/accounts/login/?${query({ next: authorizationPath(scene.requestingApplication, scene) })}`,
  },
  {
    name: 'failed login',
    as: 'visitor',
    path: () => '/accounts/login/',
    status: 422,
    form: { fields: ({ texts }) => ({ username: texts.invalidInput, password: texts.invalidInput }) },
  },
  { name: 'second login step', as: 'careful', path: () => '/accounts/login/second-step/' },
  {
    name: 'second login step, wrong code',
    as: 'careful',
    path: () => '/accounts/login/second-step/',
    status: 422,
    form: { fields: ({ texts }) => ({ code: texts.invalidInput }) },
  },
  {
    name: 'required app',
    as: 'member',
    server: 'strict',
    path: () => '/accounts/login/second-step/set-up/',
  },
  {
    name: 'required app, wrong code',
    as: 'member',
    server: 'strict',
    path: () => '/accounts/login/second-step/set-up/',
    status: 422,
    form: { fields: () => ({ code: '000000' }) },
  },
  { name: 'forgotten password', as: 'visitor', path: () => '/accounts/forgot/' },
  { name: 'requested link', as: 'visitor', path: () => '/accounts/forgot/sent/' },
  { name: 'new password', as: 'visitor', path: resetPath },
  {
    name: 'refused new password',
    as: 'visitor',
    path: resetPath,
    status: 422,
    form: { fields: () => ({ new_password: 'short' }) },
  },
  {
    name: 'invitation to create an account',
    as: 'visitor',
    path: ({ accountInvitationLink }) => withoutOrigin(accountInvitationLink),
  },
  { name: 'e-mail address to verify', as: 'visitor', path: verificationPath },
  { name: 'invalid link', as: 'visitor', path: () => '/accounts/reset/', status: 404 },
  { name: 'logged out', as: 'visitor', path: () => '/o/logout/' },
  { name: 'sign-up', as: 'visitor', path: () => '/accounts/signup/' },
  {
    name: 'sign-up for an application',
    as: 'visitor',
    path: (scene) => `/accounts/signup/?${query({ next: authorizationPath(scene.requestingApplication, scene) })}`,
  },
  { name: 'closed sign-up', as: 'visitor', server: 'fresh', path: () => '/accounts/signup/', status: 403 },
  {
    name: 'refused sign-up',
    as: 'visitor',
    path: ({ texts }) => `/accounts/signup/?${query({ next: texts.invalidInput })}`,
    status: 422,
    form: {
      action: () => '/accounts/signup/',
      fields: ({ texts }) => ({
        username: texts.member,
        email: texts.invalidInput,
        password: 'x'.repeat(8),
        next: texts.invalidInput,
      }),
    },
  },

  { name: 'set-up', as: 'visitor', server: 'fresh', path: setUpPath },
  {
    name: 'refused set-up',
    as: 'visitor',
    server: 'fresh',
    path: setUpPath,
    status: 422,
    form: {
      action: () => '/accounts/setup/',
      fields: ({ texts }) => ({ username: '', email: texts.invalidInput, password: 'x'.repeat(8) }),
    },
  },

  // pages for every logged-in user
  { name: 'start page', as: 'member', path: () => '/' },
  { name: 'API description, logged in', as: 'member', path: () => '/docs/' },
  { name: "newcomer's start page", as: 'newcomer', path: () => '/' },
  { name: "administrator's start page", as: 'administrator', path: () => '/' },

  // the user's account
  { name: 'account', as: 'member', path: () => '/accounts/' },
  {
    name: 'refused name change',
    as: 'member',
    path: () => '/accounts/',
    status: 422,
    form: {
      action: () => '/accounts/profile/',
      fields: ({ texts }) => ({
        first_name: texts.invalidInput,
        last_name: texts.invalidInput,
        email: texts.invalidInput.padEnd(300, ' x'),
      }),
    },
  },
  { name: 'profile', as: 'member', path: () => '/accounts/details/' },
  {
    name: 'refused profile',
    as: 'member',
    path: () => '/accounts/details/',
    status: 422,
    form: {
      fields: ({ texts }) =>
        Object.fromEntries(PROFILE_FIELDS.map((name) => [name, texts.invalidInput.padEnd(400, 'x')])),
    },
  },
  { name: 'sessions', as: 'member', path: () => '/accounts/sessions/' },
  { name: 'activity', as: 'member', path: () => '/accounts/activity/' },
  { name: "newcomer's activity", as: 'newcomer', path: () => '/accounts/activity/?type=application' },
  { name: "auditor's activity", as: 'auditor', path: () => '/accounts/activity/' },
  { name: 'two-step login', as: 'member', path: () => '/accounts/two-step/' },
  { name: 'new app', as: 'member', path: () => '/accounts/two-step/app/' },
  {
    name: 'new app, wrong code',
    as: 'member',
    status: 422,
    path: () => '/accounts/two-step/app/',
    form: { fields: () => ({ code: '000000', password: PASSWORD }) },
  },
  { name: 'removing the authenticator app', as: 'member', path: () => '/accounts/two-step/remove-app/' },
  { name: 'turning two-step login off', as: 'member', path: () => '/accounts/two-step/off/' },
  { name: 'recovery codes, already shown', as: 'member', path: () => '/accounts/two-step/codes/shown-before/' },
  { name: 'recovery codes, confirmation', as: 'member', path: () => '/accounts/two-step/new-codes/' },
  { name: 'passkeys', as: 'member', path: () => '/accounts/passkeys/' },
  { name: 'no passkeys on this page', as: 'newcomer', path: () => '/accounts/passkeys/?page=9' },
  { name: 'removing a passkey', as: 'member', path: passkeyRemovalPath },
  { name: 'password change', as: 'member', path: () => '/accounts/password/' },
  {
    name: 'refused password change',
    as: 'member',
    path: () => '/accounts/password/',
    status: 422,
    form: { fields: () => ({ current_password: 'x', new_password: 'x' }) },
  },
  { name: 'new passkey', as: 'member', path: () => '/accounts/passkeys/add/' },
  {
    name: 'refused passkey',
    as: 'member',
    path: () => '/accounts/passkeys/add/',
    status: 422,
    form: { fields: ({ texts }) => ({ name: texts.invalidInput, answer: texts.invalidInput }) },
  },
  { name: 'erasure', as: 'member', path: () => '/accounts/erase/' },
  {
    name: 'refused erasure',
    as: 'member',
    path: () => '/accounts/erase/',
    status: 422,
    form: { fields: ({ texts }) => ({ username: `not ${texts.member}`, password: texts.invalidInput }) },
  },
  { name: 'erasure as the only administrator', as: 'administrator', path: () => '/accounts/erase/' },

  // the user's applications
  { name: 'applications', as: 'member', path: () => '/o/applications/' },
  { name: 'no applications', as: 'newcomer', path: () => '/o/applications/' },
  { name: 'registration', as: 'newcomer', path: () => '/o/applications/register/' },
  { name: 'registration for experts', as: 'newcomer', path: () => '/o/applications/register/?view=expert' },
  {
    name: 'refused registration',
    as: 'newcomer',
    path: () => '/o/applications/register/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        application_kind: 'browser',
        name: '',
        redirect_uris: texts.invalidInput,
        presentation: 'yes',
        description: texts.invalidInput.padEnd(400, 'x'),
        homepage_uri: texts.invalidInput,
        policy_uri: texts.invalidInput,
        tos_uri: texts.invalidInput,
      }),
    },
  },
  {
    name: 'refused registration for experts',
    as: 'newcomer',
    path: () => '/o/applications/register/?view=expert',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        name: '',
        client_type: texts.invalidInput,
        authorization_grant_type: texts.invalidInput,
        redirect_uris: texts.invalidInput,
        allowed_origins: texts.invalidInput,
        openid: 'yes',
        post_logout_redirect_uris: texts.invalidInput,
        backchannel_logout_uri: texts.invalidInput,
        initiate_login_uri: texts.invalidInput,
        default_max_age: '-1',
        subject_type: 'private',
        sector_identifier_uri: texts.invalidInput,
        id_token_algorithm: 'none',
        userinfo_algorithm: 'none',
      }),
    },
  },
  {
    name: 'registered application',
    as: 'auditor',
    path: () => '/o/applications/register/',
    form: {
      fields: ({ texts }) => ({
        name: texts.applications[0],
        client_type: 'confidential',
        authorization_grant_type: ['authorization-code', 'client-credentials'],
        redirect_uris: texts.redirectUri,
        allowed_origins: '',
      }),
    },
  },
  { name: 'application', as: 'member', path: applicationPath },
  {
    name: 'public application',
    as: 'member',
    path: ({ publicApplication }) => `/o/applications/${publicApplication.id}/`,
  },
  {
    name: 'application with a private key',
    as: 'member',
    path: ({ protectedApplication }) => `/o/applications/${protectedApplication.id}/`,
  },
  { name: 'Try it', as: 'member', path: (scene) => `${applicationPath(scene)}try/` },
  {
    name: 'Try it, for a public application',
    as: 'member',
    path: ({ publicApplication }) => `/o/applications/${publicApplication.id}/try/?language=java`,
  },
  {
    name: 'Try it, for an application with a private key',
    as: 'member',
    path: ({ protectedApplication }) => `/o/applications/${protectedApplication.id}/try/`,
  },
  { name: 'callback page', as: 'member', path: (scene) => `${applicationPath(scene)}callback/` },
  {
    name: 'callback page with a code',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}callback/?${query({ code: scene.texts.invalidInput, state: 'x' })}`,
  },
  {
    name: 'callback page with an error',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}callback/?error=access_denied`,
  },
  {
    name: "error 404, callback page of another user's application",
    as: 'newcomer',
    status: 404,
    path: (scene) => `${applicationPath(scene)}callback/`,
  },
  { name: 'application refusals', as: 'member', path: (scene) => `${applicationPath(scene)}refusals/` },
  {
    name: 'no refusal found',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}refusals/?${query({ q: scene.texts.invalidInput })}`,
  },
  { name: 'refusal', as: 'member', path: memberRefusalPath },
  {
    name: "refused request from one's own application",
    as: 'member',
    path: (scene) => invalidAuthorizationPath(scene),
    status: 400,
  },
  {
    name: 'refused request, explained later',
    as: 'visitor',
    path: (scene) => invalidAuthorizationPath(scene),
    status: 400,
  },
  {
    name: 'people who manage or test an application',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}people/`,
  },
  {
    name: 'leaving an application',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}people/${findAccount(scene, scene.texts.member).id}/remove/`,
  },
  { name: 'switching an application to test mode', as: 'member', path: (scene) => `${applicationPath(scene)}mode/` },
  {
    name: 'invitation link, already shown',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}people/invitation/shown-before/`,
  },
  {
    name: 'invitation to test an application',
    as: 'newcomer',
    path: ({ invitation }) => `/o/invitations/?${query({ invitation })}`,
  },
  { name: 'invalid invitation', as: 'member', path: () => '/o/invitations/?invitation=x', status: 410 },
  { name: 'application settings', as: 'member', path: (scene) => `${applicationPath(scene)}update/` },
  { name: 'application keys', as: 'member', path: (scene) => `${applicationPath(scene)}keys/` },
  {
    name: 'application keys, none',
    as: 'member',
    path: ({ publicApplication }) => `/o/applications/${publicApplication.id}/keys/`,
  },
  {
    name: 'removing an application key',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}keys/${findMemberKeyId(scene)}/remove/`,
  },
  {
    name: 'application settings with OpenID Connect',
    as: 'member',
    path: ({ publicApplication }) => `/o/applications/${publicApplication.id}/update/`,
  },
  {
    name: 'refused application settings',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}update/`,
    status: 422,
    form: {
      fields: ({ texts }) => ({
        name: texts.applications[0],
        client_type: 'confidential',
        authorization_grant_type: 'authorization-code',
        redirect_uris: texts.invalidInput,
        allowed_origins: texts.invalidInput,
      }),
    },
  },
  { name: 'deletion', as: 'member', path: (scene) => `${applicationPath(scene)}delete/` },
  {
    name: 'rotated secret',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}rotate_secret/`,
    form: { fields: () => ({ old_secret: 'day' }) },
  },
  { name: 'secret rotation', as: 'member', path: (scene) => `${applicationPath(scene)}rotate_secret/` },
  {
    name: 'secret, already shown',
    as: 'member',
    path: (scene) => `${applicationPath(scene)}credentials/shown-before/`,
  },
  {
    name: 'applications, searched',
    as: 'member',
    path: ({ texts }) => `/o/applications/?${query({ q: `${texts.invalidInput} nowhere` })}`,
  },

  // authorizing applications
  {
    name: 'consent',
    as: 'member',
    path: (scene) => authorizationPath(scene.requestingApplication, scene, { scope: 'read write' }),
  },
  { name: 'device code', as: 'member', path: () => '/o/device/' },
  {
    name: 'device code, unknown',
    as: 'member',
    path: ({ texts }) => `/o/device/?${query({ user_code: texts.invalidInput.slice(0, 60) })}`,
    status: 422,
  },
  { name: 'consent on a device', as: 'member', path: (scene) => devicePath(scene, 'read write') },
  { name: 'consent on a device, to one permission', as: 'newcomer', path: (scene) => devicePath(scene, 'read') },
  { name: 'answered device request', as: 'member', path: () => '/o/device/done/' },
  {
    name: 'consent to a program on a computer',
    as: 'member',
    path: (scene) =>
      authorizationPath(scene.publicApplication, scene, {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }),
  },
  {
    name: 'consent to a new application',
    as: 'member',
    path: (scene) => authorizationPath(scene.newApplication, scene, { scope: 'read' }),
  },
  {
    name: 'consent to nine permissions',
    as: 'member',
    path: (scene) =>
      authorizationPath(scene.newApplication, scene, {
        scope: 'openid profile email address phone offline_access read write groups',
      }),
  },
  {
    name: 'consent to share a profile',
    as: 'member',
    path: (scene) =>
      authorizationPath(scene.requestingApplication, scene, {
        scope: 'openid profile email address read offline_access',
        claims: '{"userinfo":{"phone_number":null,"locale":null}}',
      }),
  },
  {
    name: 'consent to share an empty profile',
    as: 'newcomer',
    path: (scene) =>
      authorizationPath(scene.requestingApplication, scene, {
        scope: 'openid',
        claims: '{"userinfo":{"email":{"essential":true},"phone_number":null}}',
      }),
  },
  {
    name: 'application in test mode',
    as: 'newcomer',
    path: (scene) => authorizationPath(scene.testedApplication, scene),
    status: 403,
  },
  {
    name: 'application in test mode, with form_post',
    as: 'newcomer',
    path: (scene) => authorizationPath(scene.testedApplication, scene, { response_mode: 'form_post' }),
    status: 403,
  },
  {
    name: 'logout for an application',
    as: 'member',
    path: ({ requestingApplication }) => `/o/logout/?${query({ client_id: requestingApplication.id })}`,
  },
  { name: 'authorized applications', as: 'member', path: () => '/o/authorized_tokens/' },
  {
    name: 'authorized application',
    as: 'member',
    path: ({ requestingApplication }) => `/o/authorized_tokens/applications/${requestingApplication.id}/`,
  },
  {
    name: 'authorized application that passed access on',
    as: 'member',
    path: ({ agent }) => `/o/authorized_tokens/applications/${agent.id}/`,
  },
  {
    name: 'authorized applications, searched',
    as: 'member',
    path: ({ texts }) => `/o/authorized_tokens/?${query({ q: `${texts.invalidInput} nowhere` })}`,
  },
  { name: 'no authorized applications', as: 'newcomer', path: () => '/o/authorized_tokens/' },
  { name: 'connected agents', as: 'member', path: () => '/accounts/agents/' },
  { name: 'no connected agents', as: 'newcomer', path: () => '/accounts/agents/' },

  // administration
  { name: 'resource servers', as: 'member', path: () => '/o/resources/' },
  { name: 'no resource servers', as: 'newcomer', path: () => '/o/resources/' },
  { name: 'resource servers, as an administrator', as: 'administrator', path: () => '/o/resources/' },
  { name: 'resource server registration', as: 'administrator', path: () => '/o/resources/register/' },
  {
    name: 'refused resource server registration',
    as: 'administrator',
    path: () => '/o/resources/register/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        resource_uri: texts.invalidInput,
        name: texts.invalidInput,
        resource_scopes: `openid ${texts.invalidInput}`,
        access_token_lifetime: 'x',
      }),
    },
  },
  {
    name: 'forbidden resource server registration',
    as: 'member',
    path: () => '/o/resources/register/',
    status: 403,
  },
  { name: 'resource server settings', as: 'member', path: ({ resourceServerPath }) => resourceServerPath },
  {
    name: 'removing a resource server',
    as: 'member',
    path: ({ resourceServerPath }) => `${resourceServerPath}delete/`,
  },
  { name: 'dashboard', as: 'administrator', path: () => '/admin/' },
  { name: 'users', as: 'administrator', path: () => '/admin/users/' },
  {
    name: 'users, searched',
    as: 'administrator',
    path: ({ texts }) => `/admin/users/?${query({ q: texts.invalidInput })}`,
  },
  { name: 'no users', as: 'administrator', path: () => '/admin/users/?page=9' },
  { name: 'pending invitations', as: 'administrator', path: () => '/admin/users/invitations/' },
  { name: 'no pending invitations', as: 'administrator', path: () => '/admin/users/invitations/?page=9' },
  { name: 'inviting a user', as: 'administrator', path: () => '/admin/users/invite/' },
  {
    name: 'invitation link for a user, already shown',
    as: 'administrator',
    path: () => '/admin/users/invite/link/shown-before/',
  },
  { name: 'new user', as: 'administrator', path: () => '/admin/users/add/' },
  {
    name: 'refused new user',
    as: 'administrator',
    path: () => '/admin/users/add/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        username: texts.member,
        email: texts.invalidInput,
        first_name: texts.invalidInput,
        last_name: texts.invalidInput,
        password: 'short',
        role: texts.invalidInput,
      }),
    },
  },
  { name: 'user', as: 'administrator', path: adminUserPath('') },
  { name: 'own user', as: 'administrator', path: ownAdminPath('') },
  { name: 'own roles', as: 'administrator', path: ownAdminPath('roles/') },
  { name: "disabling one's own account", as: 'administrator', path: ownAdminPath('disable/') },
  { name: "erasing one's own account", as: 'administrator', path: ownAdminPath('erase/') },
  { name: "logging out of one's own account", as: 'administrator', path: ownAdminPath('sign_out/') },
  { name: "user's names", as: 'administrator', path: adminUserPath('profile/') },
  { name: "user's sessions", as: 'administrator', path: adminUserPath('sessions/') },
  { name: "user's roles", as: 'administrator', path: adminUserPath('roles/') },
  { name: 'new password for a user', as: 'administrator', path: adminUserPath('password/') },
  {
    name: "user's generated password",
    as: 'administrator',
    path: adminUserPath('password/'),
    form: { fields: () => ({ password: '' }) },
  },
  { name: 'password, already shown', as: 'administrator', path: adminUserPath('password/made/shown-before/') },
  { name: "user's applications", as: 'administrator', path: adminUserPath('applications/') },
  { name: 'applications that a user has authorized', as: 'administrator', path: adminUserPath('authorizations/') },
  {
    name: 'authorizations of one application',
    as: 'administrator',
    path: (scene) => adminUserPath(`authorizations/${scene.application.id}/`)(scene),
  },
  {
    name: 'revoking all authorizations of one application',
    as: 'administrator',
    path: (scene) => adminUserPath(`authorizations/${scene.application.id}/revoke/`)(scene),
  },
  { name: 'disabling a user', as: 'administrator', path: adminUserPath('disable/') },
  { name: "revoking all of a user's access", as: 'administrator', path: adminUserPath('revoke_access/') },
  { name: 'logging a user out', as: 'administrator', path: adminUserPath('sign_out/') },
  {
    name: "removing a user's second factors",
    as: 'administrator',
    path: (scene) => `${userPath(scene, scene.texts.careful)}remove_second_factors/`,
  },
  { name: 'erasing a user', as: 'administrator', path: adminUserPath('erase/') },
  { name: 'revoking one authorization', as: 'administrator', path: grantRevocationPath },
  {
    name: 'error 409, the last administrator',
    as: 'administrator',
    path: (scene) => `${userPath(scene, scene.texts.administrator)}disable/`,
    status: 409,
    form: { fields: () => ({}) },
  },
  { name: "user's groups", as: 'administrator', path: adminUserPath('groups/') },
  { name: 'groups', as: 'administrator', path: () => '/admin/groups/' },
  { name: 'no groups', as: 'administrator', path: () => '/admin/groups/?page=9' },
  { name: 'new group', as: 'administrator', path: () => '/admin/groups/add/' },
  {
    name: 'refused new group',
    as: 'administrator',
    path: () => '/admin/groups/add/',
    status: 422,
    form: { fields: ({ texts }) => ({ group_name: texts.applications[0] }) },
  },
  { name: 'group', as: 'administrator', path: () => '/admin/groups/1/' },
  { name: 'group, nobody found', as: 'administrator', path: () => '/admin/groups/1/?page=9' },
  { name: 'group title', as: 'administrator', path: () => '/admin/groups/1/title/' },
  { name: 'users to add to a group', as: 'administrator', path: () => '/admin/groups/1/add/' },
  { name: 'removing a group', as: 'administrator', path: () => '/admin/groups/1/remove/' },
  { name: 'all applications', as: 'administrator', path: () => '/admin/applications/' },
  { name: 'all applications, none found', as: 'administrator', path: () => '/admin/applications/?page=9' },
  { name: "another user's application", as: 'administrator', path: adminApplicationPath('') },
  {
    name: 'registration of a machine by an administrator',
    as: 'administrator',
    path: () => '/admin/applications/register/?preset=machine',
  },
  { name: 'registration by an administrator', as: 'administrator', path: () => '/admin/applications/register/' },
  {
    name: 'refused registration by an administrator',
    as: 'administrator',
    path: () => '/admin/applications/register/',
    status: 422,
    form: { fields: ({ texts }) => ({ name: texts.invalidInput, username: texts.invalidInput }) },
  },
  { name: "settings of another user's application", as: 'administrator', path: adminApplicationPath('update/') },
  {
    name: "removing a key from another user's application",
    as: 'administrator',
    path: (scene) => `/admin/applications/${scene.application.id}/keys/${findMemberKeyId(scene)}/remove/`,
  },
  { name: "keys of another user's application", as: 'administrator', path: adminApplicationPath('keys/') },
  {
    name: "refused keys of another user's application",
    as: 'administrator',
    path: adminApplicationPath('keys/'),
    status: 422,
    form: { fields: ({ texts }) => ({ client_keys: texts.invalidInput }), action: adminApplicationPath('keys/') },
  },
  { name: 'transferring an application', as: 'administrator', path: adminApplicationPath('transfer/') },
  { name: 'restricted scopes', as: 'administrator', path: adminApplicationPath('scopes/') },
  { name: 'application users', as: 'administrator', path: adminApplicationPath('users/') },
  {
    name: "people who manage or test another user's application",
    as: 'administrator',
    path: adminApplicationPath('people/'),
  },
  {
    name: "removing the owner of another user's application",
    as: 'administrator',
    path: (scene) => adminApplicationPath(`people/${findAccount(scene, scene.texts.colleague).id}/remove/`)(scene),
  },
  {
    name: "switching another user's application to test mode",
    as: 'administrator',
    path: adminApplicationPath('mode/'),
  },
  { name: 'secret rotation for another user', as: 'administrator', path: adminApplicationPath('rotate_secret/') },
  {
    name: 'secret for another user, already shown',
    as: 'administrator',
    path: adminApplicationPath('credentials/shown-before/'),
  },
  {
    name: 'rotated secret for another user',
    as: 'administrator',
    path: adminApplicationPath('rotate_secret/'),
    form: { fields: () => ({ old_secret: 'day' }) },
  },
  { name: 'disabling an application', as: 'administrator', path: adminApplicationPath('disable/') },
  { name: 'removing an application', as: 'administrator', path: adminApplicationPath('remove/') },
  { name: 'all refusals', as: 'administrator', path: () => '/admin/refusals/' },
  { name: 'all refusals, none found', as: 'administrator', path: () => '/admin/refusals/?q=nothing' },
  { name: 'client domains', as: 'administrator', path: () => '/admin/domains/' },
  {
    name: 'invalid client domain',
    as: 'administrator',
    path: () => '/admin/domains/',
    status: 422,
    form: { fields: ({ texts }) => ({ domain: `${texts.invalidInput}/` }) },
  },
  { name: 'exchange policies', as: 'administrator', path: () => '/admin/exchange-policies/' },
  { name: 'new exchange policy', as: 'administrator', path: () => '/admin/exchange-policies/add/' },
  {
    name: 'refused exchange policy',
    as: 'administrator',
    path: () => '/admin/exchange-policies/add/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        exchange_client: texts.invalidInput,
        exchange_subject: texts.invalidInput,
        exchange_scope: texts.invalidInput,
        exchange_resources: texts.invalidInput,
      }),
    },
  },
  {
    name: 'exchange policy settings',
    as: 'administrator',
    path: ({ exchangePolicyPath }) => exchangePolicyPath,
  },
  {
    name: 'removing an exchange policy',
    as: 'administrator',
    path: ({ exchangePolicyPath }) => `${exchangePolicyPath}remove/`,
  },
  { name: 'trusted issuers', as: 'administrator', path: () => '/admin/trusted-issuers/' },
  { name: 'new trusted issuer', as: 'administrator', path: () => '/admin/trusted-issuers/add/' },
  {
    name: 'new trusted issuer with a preset',
    as: 'administrator',
    path: () => '/admin/trusted-issuers/add/?preset=github',
  },
  {
    name: 'refused trusted issuer',
    as: 'administrator',
    path: () => '/admin/trusted-issuers/add/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        trust_issuer: `é ${texts.invalidInput}`,
        trust_audience: texts.invalidInput,
        trust_claims: `!\n${texts.invalidInput}`,
        trust_clients: texts.invalidInput,
        trust_scope: `é ${texts.invalidInput}`,
        trust_resources: texts.invalidInput,
      }),
    },
  },
  {
    name: 'trusted issuer settings',
    as: 'administrator',
    path: ({ trustedIssuerPath }) => trustedIssuerPath,
  },
  {
    name: 'removing a trusted issuer',
    as: 'administrator',
    path: ({ trustedIssuerPath }) => `${trustedIssuerPath}remove/`,
  },
  { name: 'providers', as: 'administrator', path: () => '/admin/providers/' },
  { name: 'new provider', as: 'administrator', path: () => '/admin/providers/add/' },
  { name: 'new provider with a preset', as: 'administrator', path: () => '/admin/providers/add/?preset=entra' },
  {
    name: 'refused provider',
    as: 'administrator',
    path: () => '/admin/providers/add/',
    status: 422,
    form: {
      fields: ({ texts }) => ({
        provider_id: `! ${texts.invalidInput}`,
        provider_name: texts.invalidInput,
        provider_issuer: texts.invalidInput,
        provider_client_id: `é ${texts.invalidInput}`,
        provider_domains: `! ${texts.invalidInput}`,
        provider_roles: texts.invalidInput,
      }),
    },
  },
  { name: 'provider settings', as: 'administrator', path: () => '/admin/providers/corp/' },
  { name: 'removing a provider', as: 'administrator', path: () => '/admin/providers/corp/remove/' },
  { name: 'ways to log in', as: 'member', path: () => '/accounts/ways/' },
  { name: 'settings', as: 'administrator', path: () => '/admin/settings/' },
  { name: 'settings found', as: 'administrator', path: () => '/admin/settings/?q=refresh' },
  { name: 'setting', as: 'administrator', path: () => '/admin/settings/refreshReuseWindowSeconds/' },
  { name: 'setting with a choice', as: 'administrator', path: () => '/admin/settings/approvalPrompt/' },
  { name: 'setting with a list', as: 'administrator', path: () => '/admin/settings/redirectUriSchemes/' },
  { name: 'start-up setting', as: 'administrator', path: () => '/admin/settings/port/' },
  {
    name: 'setting, refused',
    as: 'administrator',
    path: () => '/admin/settings/refreshReuseWindowSeconds/',
    status: 422,
    form: { fields: ({ texts }) => ({ setting_value: texts.invalidInput }) },
  },
  {
    name: 'setting, with the forecast',
    as: 'administrator',
    path: () => '/admin/settings/requirePar/',
    form: { fields: () => ({ setting_value: 'true' }) },
  },
  { name: 'resetting a setting', as: 'administrator', path: () => '/admin/settings/scopeDisplay/reset/' },
  { name: 'brand', as: 'administrator', path: () => '/admin/brand/' },
  {
    name: 'brand, preview',
    as: 'administrator',
    path: () => '/admin/brand/',
    form: {
      fields: () => ({ brand_name: 'Harbour & Sons', brand_color: '#9a1f5c' }),
      action: () => '/admin/brand/preview/',
    },
  },
  {
    name: 'brand, refused',
    as: 'administrator',
    path: () => '/admin/brand/',
    status: 422,
    form: {
      fields: ({ texts }) => ({ brand_color: '#ffcc00', brand_privacy: texts.invalidInput }),
      action: () => '/admin/brand/',
    },
  },
  {
    name: 'brand, with another e-mail',
    as: 'administrator',
    path: () => '/admin/brand/?mail=invitation&language=de',
  },
  { name: 'texts', as: 'administrator', path: () => '/admin/brand/texts/?type=mails' },
  { name: 'texts, none found', as: 'administrator', path: () => '/admin/brand/texts/?page=9999' },
  { name: 'text', as: 'administrator', path: () => '/admin/brand/texts/mail.reset.request/' },
  { name: 'text without placeholders', as: 'administrator', path: () => '/admin/brand/texts/login.title/' },
  {
    name: 'text, refused',
    as: 'administrator',
    path: () => '/admin/brand/texts/mail.reset.request/',
    status: 422,
    form: { fields: ({ texts }) => ({ own_text_en: texts.invalidInput, own_text_de: '{username}' }) },
  },
  { name: 'signing keys', as: 'administrator', path: () => '/admin/keys/' },
  { name: 'signing keys, none found', as: 'administrator', path: () => '/admin/keys/?q=nothing' },
  { name: 'signing key rotation', as: 'administrator', path: () => '/admin/keys/rotate/' },
  {
    name: 'refused signing key rotation',
    as: 'administrator',
    path: () => '/admin/keys/rotate/',
    status: 422,
    form: { fields: () => ({ key_algorithm: [], key_start: 'never' }) },
  },
  {
    name: 'retiring a signing key',
    as: 'administrator',
    path: ({ running }) => `/admin/keys/${running.service().projections.signingKeys.all()[0]?.kid ?? ''}/retire/`,
  },
  { name: 'all sessions', as: 'administrator', path: () => '/admin/sessions/' },
  {
    name: 'confirmation before sessions end',
    as: 'administrator',
    path: () => '/admin/sessions/',
    form: { action: () => '/admin/sessions/end/', fields: (scene) => ({ session_hash: findSessionHashes(scene) }) },
  },
  { name: 'all sessions, none found', as: 'administrator', path: () => '/admin/sessions/?page=9' },
  { name: 'scopes', as: 'administrator', path: () => '/admin/scopes/' },
  { name: 'new scope', as: 'administrator', path: () => '/admin/scopes/add/' },
  {
    name: 'refused scope',
    as: 'administrator',
    path: () => '/admin/scopes/add/',
    status: 422,
    form: { fields: ({ texts }) => ({ scope_name: `é ${texts.invalidInput}`, scope_description: texts.invalidInput }) },
  },
  { name: 'scope', as: 'administrator', path: () => '/admin/scopes/edit/?scope=read' },
  { name: 'removing a scope', as: 'administrator', path: () => '/admin/scopes/remove/?scope=read' },
  { name: 'health', as: 'administrator', path: () => '/admin/health/' },
  { name: 'error 403, a page for administrators', as: 'member', path: () => '/admin/users/', status: 403 },
  {
    name: 'user without applications and groups',
    as: 'administrator',
    path: (scene) => userPath(scene, scene.texts.newcomer),
  },
  {
    name: 'user just changed',
    as: 'administrator',
    path: (scene) => `${userPath(scene, scene.texts.colleague)}roles/`,
    form: { fields: () => ({ role: [] }) },
  },

  // audit
  { name: 'events', as: 'auditor', path: () => '/audit/' },
  { name: "user's events", as: 'auditor', path: ({ texts }) => `/audit/?${query({ user: texts.member })}` },
  {
    name: 'events, with invalid filters',
    as: 'auditor',
    path: ({ texts: { invalidInput } }) =>
      `/audit/?${query({ user: invalidInput, client: invalidInput, since: invalidInput, until: invalidInput })}`,
    status: 422,
  },
  { name: 'event', as: 'auditor', path: () => '/audit/events/2/' },
  { name: 'newest event', as: 'auditor', path: ({ running }) => `/audit/events/${running.log.head()}/` },
  { name: 'exchanges around a grant', as: 'auditor', path: ({ exchangesPath }) => exchangesPath },
  {
    name: 'exchanges around a grant, earlier',
    as: 'auditor',
    path: ({ exchangesPath, running }) => `${exchangesPath}?${query({ position: String(running.log.head() - 1) })}`,
  },
  {
    name: 'exchanges around a grant, before it began',
    as: 'auditor',
    path: ({ exchangesPath, texts }) => `${exchangesPath}?${query({ position: '1', time: texts.invalidInput })}`,
    status: 422,
  },
  { name: 'blast radius, empty form', as: 'auditor', path: () => '/audit/blast-radius/' },
  { name: 'blast radius of a grant', as: 'auditor', path: blastRadiusPath },
  {
    name: 'blast radius of an application, which can be ended',
    as: 'administrator',
    path: ({ agent }) => `/audit/blast-radius/?${query({ client: agent.id })}`,
  },
  {
    name: 'blast radius of an application, earlier',
    as: 'auditor',
    path: ({ agent, running }) =>
      `/audit/blast-radius/?${query({ client: agent.id, position: String(running.log.head()) })}`,
  },
  {
    name: 'blast radius, invalid input',
    as: 'auditor',
    path: ({ texts: { invalidInput: invalid } }) =>
      `/audit/blast-radius/?${query({ client: invalid, key: invalid, grant: invalid, time: invalid, position: '1' })}`,
    status: 422,
  },
  {
    name: 'blast radius of an unknown token',
    as: 'auditor',
    path: () => '/audit/blast-radius/',
    status: 422,
    form: { fields: ({ texts }) => ({ source_kind: 'token', source: texts.invalidInput }) },
  },
  {
    name: "ending an application's blast radius",
    as: 'administrator',
    path: ({ agent }) => `/audit/blast-radius/end/?${query({ client: agent.id })}`,
  },
  {
    name: 'ended blast radius of an application, secret already shown',
    as: 'administrator',
    path: ({ agent }) => `/audit/blast-radius/ended/${encodeURIComponent(agent.id)}/5/shown-before/`,
  },
  {
    name: 'ended blast radius of an application, with its new secret',
    as: 'administrator',
    path: ({ application }) => `/audit/blast-radius/end/?${query({ client: application.id })}`,
    form: { fields: () => ({}) },
  },
  { name: 'access at a time', as: 'auditor', path: () => `/audit/as-of/?${query({ time: '2026-10-22T12:00:00Z' })}` },
  { name: 'access at a time, empty form', as: 'auditor', path: () => '/audit/as-of/' },
  { name: 'log', as: 'auditor', path: () => '/audit/log/' },
  { name: 'no events', as: 'auditor', path: () => `/audit/?${query({ since: '2001-01-01', until: '2001-01-02' })}` },
  { name: 'application event', as: 'auditor', path: () => '/audit/events/6/' },
  {
    name: 'access at a time, invalid input',
    as: 'auditor',
    path: ({ texts }) =>
      `/audit/as-of/?${query({
        time: texts.invalidInput,
        position: '1',
        user: texts.invalidInput,
        client: texts.invalidInput,
        scope: texts.invalidInput,
      })}`,
    status: 422,
  },
  {
    name: 'export, invalid input',
    as: 'auditor',
    path: ({ texts }) => `/audit/log/export/?${query({ user: texts.invalidInput, until: texts.invalidInput })}`,
    status: 422,
  },
  { name: 'error 403, a page for auditors', as: 'member', path: () => '/audit/', status: 403 },

  // errors
  {
    name: 'error 400, a request from an application',
    as: 'visitor',
    path: ({ texts }) => `/o/authorize/?${query({ client_id: texts.invalidInput, redirect_uri: texts.invalidInput })}`,
    status: 400,
  },
  {
    name: 'error 403',
    as: 'member',
    path: () => '/accounts/logout/',
    status: 403,
    form: { action: () => '/accounts/logout/', fields: () => ({ csrf_token: '' }) },
  },
  { name: 'error 404, a user who does not exist', as: 'administrator', path: () => '/admin/users/99/', status: 404 },
  {
    name: 'error 404',
    as: 'member',
    path: ({ texts }) => `/o/applications/${encodeURIComponent(texts.invalidInput)}/`,
    status: 404,
  },
  {
    name: 'error 429',
    as: 'visitor',
    path: ({ texts }) => `/accounts/setup/?${query({ token: texts.invalidInput })}`,
    status: 429,
  },
  {
    name: 'error 500',
    as: 'visitor',
    server: 'broken',
    path: () => '/accounts/login/',
    status: 500,
    form: { fields: () => ({ username: PLAIN_TEXTS.member, password: FAILING_PASSWORD }) },
  },
  {
    name: 'error 503',
    as: 'visitor',
    server: 'broken',
    path: () => '/accounts/login/',
    status: 503,
    form: { fields: () => ({ username: PLAIN_TEXTS.member, password: PASSWORD }) },
  },
];
