import { ALIAS } from './client-uris.ts';
import { pageVisits, type Visit } from './page-visits.ts';
import type { TestClient } from './test-clients.ts';
import type { TestPlan } from './test-plan.ts';

/** The server under test and its clients. */
interface ConformanceTarget {
  readonly plan: TestPlan;
  readonly issuer: string;
  /** The URL for requests with a client certificate. */
  readonly mtlsUrl: string;
  /** The URL of the suite, without a trailing slash. */
  readonly suite: string;
  readonly username: string;
  readonly password: string;
  readonly clients: readonly [TestClient, TestClient];
}

type Visits = ReturnType<typeof pageVisits>;

/** Returns the configuration of a plan with static clients, in the format of the conformance suite. */
export function planConfiguration(target: ConformanceTarget) {
  const { plan, issuer, suite } = target;
  const metadata = plan.openid ? 'openid-configuration' : 'oauth-authorization-server';
  const discoveryUrl = `${issuer}/.well-known/${metadata}`;
  const description = `Grantlog at ${issuer}, tested by ${suite}`;
  const browser = pageVisits(target);
  const server = { discoveryUrl, login_hint: target.username, acr_values: 'pwd' };
  const planPart = plan.fapi === null ? openIdPart(target, browser) : fapiPart(target, plan.fapi.binding, browser);
  return { alias: ALIAS, description, server, ...planPart };
}

const secretClient = ({ name, client_id, client_secret }: TestClient) => ({
  client_name: name,
  client_id,
  client_secret,
});

function openIdPart({ clients: [first, second] }: ConformanceTarget, browser: Visits) {
  return {
    client: secretClient(first),
    client_secret_post: secretClient(first),
    client2: secretClient(second),
    browser: [browser.authorize(), browser.logOut()],
    override: openIdOverrides(browser),
  };
}

function fapiPart(target: ConformanceTarget, binding: 'dpop' | 'mtls', browser: Visits) {
  const { plan, issuer, mtlsUrl, clients } = target;
  const [client, client2] = clients.map(({ client_id, signingKey }) => ({
    client_id,
    scope: plan.openid ? 'openid read' : 'read',
    jwks: { keys: [signingKey] },
  }));
  const [mtls, mtls2] = clients.map(
    ({ certificate }) => certificate && { cert: certificate.cert, key: certificate.key },
  );
  return {
    client,
    client2,
    mtls,
    mtls2,
    resource: { resourceUrl: `${binding === 'mtls' ? mtlsUrl : issuer}/users/` },
    browser: [browser.authorizeOrSeeError()],
    override: fapiOverrides(browser),
  };
}

type Overrides = Readonly<Record<string, { readonly browser: readonly Visit[] }>>;

const fapiModule = (name: string): string => `fapi2-security-profile-final-${name}`;

/** Returns the actions for the FAPI test modules in which the user acts differently than usual. */
function fapiOverrides(browser: Visits): Overrides {
  return {
    [fapiModule('user-rejects-authentication')]: { browser: [browser.denyAuthorization()] },
    [fapiModule('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds')]: {
      browser: [browser.visitOnce(), browser.authorize()],
    },
  };
}

const REFUSED_AUTHORIZATIONS = [
  'oidcc-ensure-registered-redirect-uri',
  'oidcc-ensure-redirect-uri-in-authorization-request',
  'oidcc-redirect-uri-query-added',
  'oidcc-redirect-uri-query-mismatch',
];
const SECOND_LOGINS = ['oidcc-prompt-login', 'oidcc-max-age-1'];
const REFUSED_LOGOUTS = [
  'bad-post-logout-redirect-uri',
  'query-added-to-post-logout-redirect-uri',
  'modified-id-token-hint',
  'bad-id-token-hint',
  'no-id-token-hint', // nothing identifies the client, so the redirect URI cannot be checked
];
const CONFIRMED_LOGOUTS = ['no-params', 'only-state'];
const LOGOUTS_WITHOUT_RETURN = ['no-post-logout-redirect-uri'];

const logoutModule = (name: string): string => `oidcc-rp-initiated-logout-${name}`;

/** Returns the actions for the OpenID Connect test modules in which the user sees different pages than usual. */
function openIdOverrides(browser: Visits): Overrides {
  const secondAuthorization = { browser: [browser.authorizeAgain()] };
  const refusedAuthorization = { browser: [browser.seeAuthorizationError()] };
  const refusedLogout = { browser: [browser.authorize(), browser.seeLogoutError()] };
  const logoutHere = (isConfirmed: boolean) => ({
    browser: [browser.authorize(), browser.logOutWithoutReturn(isConfirmed)],
  });
  return Object.fromEntries([
    ...SECOND_LOGINS.map((name) => [name, secondAuthorization]),
    ...REFUSED_AUTHORIZATIONS.map((name) => [name, refusedAuthorization]),
    ...REFUSED_LOGOUTS.map((name) => [logoutModule(name), refusedLogout]),
    ...CONFIRMED_LOGOUTS.map((name) => [logoutModule(name), logoutHere(true)]),
    ...LOGOUTS_WITHOUT_RETURN.map((name) => [logoutModule(name), logoutHere(false)]),
  ]) as Overrides;
}
