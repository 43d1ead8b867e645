import { logoUrl } from '../../../src/config/brand-logo.ts';
import { hiddenFields } from '../browser-session.ts';
import { seconds } from '../domain-values.ts';
import { inviteEve } from '../invite-eve.ts';
import { png } from '../images.ts';
import { addPasskey, createAuthenticator } from '../authenticator.ts';
import { issuerKeys, OTHER_ISSUER, trustIssuer } from '../trusted-issuers.ts';
import { setExchangePolicy } from '../exchange-policies.ts';
import { setProvider } from '../scripted-provider.ts';
import { ownToken } from '../token-exchange.ts';
import { APPLICATION } from './applications.ts';
import { logoAndKeyForms } from './logo-and-keys.ts';
import {
  findAccount,
  ADA,
  asAda,
  findClient,
  OPERATOR,
  currentSeconds,
  type Scenario,
  type SuccessfulForms,
} from './scenario.ts';

/** The path of the administrators' page about Ada. */
export const ADA_PATH = '/admin/users/2/';

/** Sets an exchange policy and returns the path of its page. */
async function createExchangePolicy({ running, authorizedApplication }: Scenario): Promise<string> {
  const { policyId } = await setExchangePolicy(running, authorizedApplication, authorizedApplication);
  return `/admin/exchange-policies/${policyId}/`;
}

/** Trusts an issuer and returns the path of its page. */
async function createTrustedIssuer({ running, authorizedApplication }: Scenario): Promise<string> {
  return `/admin/trusted-issuers/${(await trustIssuer(running, authorizedApplication)).issuerId}/`;
}

/** Creates a group and returns the path of its page. */
async function createGroup({ running }: Scenario): Promise<string> {
  await running.service().groupDirectory.create('staff', OPERATOR);
  return '/admin/groups/1/';
}

const trustedIssuerFields = ({ authorizedApplication }: Scenario) => ({
  client_keys: JSON.stringify(issuerKeys().jwk),
  trust_use: 'assertion',
  trust_mapping: 'client',
  trust_clients: authorizedApplication.id,
  trust_scope: 'write',
  trust_token_lifetime: '600',
  trust_assertion_age: '600',
});

const PROVIDER_FIELDS = {
  provider_preset: 'custom',
  provider_name: 'Corp',
  provider_issuer: 'https://login.example',
  provider_client_id: 'grantlog',
  provider_authentication: 'none',
  provider_scopes: 'openid',
  provider_linking: 'explicit',
};

/** Adds a provider and returns the path of its page. */
async function createProvider({ running }: Scenario): Promise<string> {
  await setProvider(running, { issuer: 'https://login.example' });
  return '/admin/providers/corp/';
}

export const ADMINISTRATION_FORMS: SuccessfulForms = {
  '/admin/users/add': ({ send }) => send('/admin/users/add/', { username: 'eve', password: '' }),
  '/admin/users/invite': ({ send }) => send('/admin/users/invite/', { email: 'eve@example.org' }),
  '/admin/users/invitations/:id/resend': async ({ running, send }) => {
    await inviteEve(running);
    return send('/admin/users/invitations/', {}, '/admin/users/invitations/1/resend/');
  },
  '/admin/users/invitations/:id/withdraw': async ({ running, send }) => {
    await inviteEve(running);
    return send('/admin/users/invitations/', {}, '/admin/users/invitations/1/withdraw/');
  },
  '/admin/groups/add': ({ send }) => send('/admin/groups/add/', { group_name: 'staff' }),
  '/admin/groups/:group/title': async (scenario) => {
    const path = await createGroup(scenario);
    return scenario.send(`${path}title/`, { group_title: 'Our staff' }, `${path}title/`);
  },
  '/admin/groups/:group/remove': async (scenario) => scenario.send(`${await createGroup(scenario)}remove/`),
  '/admin/groups/:group/add': async (scenario) =>
    scenario.send(`${await createGroup(scenario)}add/`, { new_member: ['1', '2'] }),
  '/admin/groups/:group/members/:pk/add': async (scenario) => {
    const path = await createGroup(scenario);
    return scenario.send(`${path}add/`, {}, `${path}members/2/add/`);
  },
  '/admin/groups/:group/members/:pk/remove': async (scenario) => {
    const path = await createGroup(scenario);
    await scenario.send(`${path}add/`, {}, `${path}members/2/add/`);
    return scenario.send(path, {}, `${path}members/2/remove/`);
  },
  '/admin/users/:pk/groups/:group/add': async (scenario) => {
    await createGroup(scenario);
    return scenario.send(`${ADA_PATH}groups/`, {}, `${ADA_PATH}groups/1/add/`);
  },
  '/admin/users/:pk/groups/:group/remove': async (scenario) => {
    await createGroup(scenario);
    await scenario.send(`${ADA_PATH}groups/`, {}, `${ADA_PATH}groups/1/add/`);
    return scenario.send(`${ADA_PATH}groups/`, {}, `${ADA_PATH}groups/1/remove/`);
  },
  '/admin/domains': ({ send }) => send('/admin/domains/', { domain: 'app.example', rule: 'allowed' }),
  '/admin/exchange-policies/add': ({ send, authorizedApplication }) =>
    send('/admin/exchange-policies/add/', {
      exchange_client: authorizedApplication.id,
      exchange_subject: authorizedApplication.id,
      exchange_mode: 'delegation',
    }),
  '/admin/exchange-policies/:id': async (scenario) =>
    scenario.send(await createExchangePolicy(scenario), { exchange_mode: 'impersonation' }),
  '/admin/exchange-policies/:id/remove': async (scenario) =>
    scenario.send(`${await createExchangePolicy(scenario)}remove/`),
  '/admin/trusted-issuers/add': (scenario) =>
    scenario.send('/admin/trusted-issuers/add/', { ...trustedIssuerFields(scenario), trust_issuer: OTHER_ISSUER }),
  '/admin/trusted-issuers/:id': async (scenario) =>
    scenario.send(await createTrustedIssuer(scenario), trustedIssuerFields(scenario)),
  '/admin/trusted-issuers/:id/test': async ({ running, authorizedApplication, send }) => {
    const { issuerId } = await trustIssuer(running, authorizedApplication, { keysUri: 'https://ci.example/keys' });
    return send(`/admin/trusted-issuers/${issuerId}/`, {}, `/admin/trusted-issuers/${issuerId}/test/`);
  },
  '/admin/trusted-issuers/:id/remove': async (scenario) =>
    scenario.send(`${await createTrustedIssuer(scenario)}remove/`),
  '/admin/providers/add': ({ send }) => send('/admin/providers/add/', { provider_id: 'corp', ...PROVIDER_FIELDS }),
  '/admin/providers/:id': async (scenario) => scenario.send(await createProvider(scenario), PROVIDER_FIELDS),
  '/admin/providers/:id/test': async (scenario) => {
    const path = await createProvider(scenario);
    return scenario.send(path, {}, `${path}test/`);
  },
  '/admin/providers/:id/enable': async (scenario) => {
    const path = await createProvider(scenario);
    return scenario.send(path, { confirmed: 'yes' }, `${path}enable/`);
  },
  '/admin/providers/:id/disable': async (scenario) => {
    const path = await createProvider(scenario);
    return scenario.send(path, {}, `${path}disable/`);
  },
  '/admin/providers/:id/remove': async (scenario) => scenario.send(`${await createProvider(scenario)}remove/`),
  '/admin/brand': ({ send }) => send('/admin/brand/', { brand_name: 'Harbour & Sons' }, '/admin/brand/'),
  '/admin/brand/preview': ({ send }) =>
    send('/admin/brand/', { brand_name: 'Harbour', brand_color: '#9a1f5c' }, '/admin/brand/preview/'),
  '/admin/brand/logo': async ({ browser }) => {
    const form = new FormData();
    form.append('csrf_token', hiddenFields((await browser.get('/admin/brand/')).html)['csrf_token'] ?? '');
    form.append('brand_scheme', 'light');
    form.append('logo', new Blob([new Uint8Array(png())]), 'logo.png');
    return browser.upload('/admin/brand/logo/', form);
  },
  '/admin/brand/logo/remove': async ({ running, send }) => {
    const brandLogo = logoUrl({ mediaType: 'image/png', base64: png().toString('base64') });
    await running.service().settingChanges.change({ set: { brandLogo }, reset: [] }, OPERATOR);
    return send('/admin/brand/', {}, '/admin/brand/logo/remove/');
  },
  '/admin/brand/texts/:text': ({ send }) =>
    send('/admin/brand/texts/login.title/', { own_text_en: 'Hello', own_text_de: 'Hallo' }),
  '/admin/brand/texts/:text/reset': async ({ running, send }) => {
    const brandTexts = { en: { 'login.title': 'Hello' } };
    await running.service().settingChanges.change({ set: { brandTexts }, reset: [] }, OPERATOR);
    return send('/admin/brand/texts/login.title/', {}, '/admin/brand/texts/login.title/reset/');
  },
  '/admin/keys/rotate': ({ send }) => send('/admin/keys/rotate/', { key_algorithm: 'ES256', key_start: 'later' }),
  '/admin/keys/:key/retire': async (scenario) => {
    const { keyRotation, projections } = scenario.running.service();
    const now = seconds(currentSeconds(scenario));
    for (const start of [now, seconds(currentSeconds(scenario) + 86_400)])
      await keyRotation.introduce('ES256', start, 'requested');
    const kid = projections.signingKeys.all().at(-1)?.kid ?? '';
    return scenario.send(`/admin/keys/${kid}/retire/`);
  },
  '/admin/sessions/end': async (scenario) => {
    await asAda(scenario);
    const { projections } = scenario.running.service();
    const [session] = projections.sessions.listByUser(findAccount(scenario, ADA).userId, currentSeconds(scenario));
    const fields = { session_hash: session?.sessionHash ?? '', confirmed: 'yes' };
    return scenario.send('/admin/sessions/', fields, '/admin/sessions/end/');
  },
  '/admin/settings/:setting': ({ send }) => send('/admin/settings/requirePar/', { setting_value: 'true' }),
  '/admin/settings/:setting/change': async ({ browser, send }) =>
    browser.submit(
      await send('/admin/settings/requirePar/', { setting_value: 'true' }),
      {},
      '/admin/settings/requirePar/change/',
    ),
  '/admin/settings/:setting/reset': async ({ running, send }) => {
    await running.service().settingChanges.change({ set: { requirePar: true }, reset: [] }, OPERATOR);
    return send('/admin/settings/requirePar/reset/');
  },
  '/admin/scopes/add': ({ send }) =>
    send('/admin/scopes/add/', { scope_name: 'invoices', scope_description: 'Read your invoices', scope_icon: 'file' }),
  '/admin/scopes/edit': ({ send }) =>
    send('/admin/scopes/edit/?scope=write', { scope_description: 'Change all' }, '/admin/scopes/edit/'),
  '/admin/scopes/remove': ({ send }) => send('/admin/scopes/remove/?scope=write', {}, '/admin/scopes/remove/'),
  '/admin/users/:pk/disable': ({ send }) => send(`${ADA_PATH}disable/`),
  '/admin/users/:pk/enable': async ({ send }) => {
    await send(`${ADA_PATH}disable/`);
    return send(ADA_PATH, {}, `${ADA_PATH}enable/`);
  },
  '/audit/blast-radius': async ({ running, authorizedApplication, send }) =>
    send('/audit/blast-radius/', { source_kind: 'token', source: await ownToken(running, authorizedApplication) }),
  '/audit/blast-radius/end': async ({ running, authorizedApplication, send }) => {
    await ownToken(running, authorizedApplication);
    return send(`/audit/blast-radius/end/?client=${authorizedApplication.id}`);
  },
  '/admin/users/:pk/erase': ({ send }) => send(`${ADA_PATH}erase/`, { username: 'ada' }),
  '/admin/users/:pk/profile': ({ send }) =>
    send(`${ADA_PATH}profile/`, { first_name: 'Ada', last_name: '', email: '' }),
  '/admin/users/:pk/sessions/:id/end': async ({ running, send, findId }) => {
    await running.browser().logIn(ADA.username, ADA.password);
    const id = await findId(`${ADA_PATH}sessions/`, /sessions\/([^/]+)\/end/);
    return send(`${ADA_PATH}sessions/`, { confirmed: 'yes' }, `${ADA_PATH}sessions/${id}/end/`);
  },
  '/admin/users/:pk/remove_second_factors': async (scenario) => {
    const { browser } = await asAda(scenario);
    await addPasskey(browser, ADA.password, createAuthenticator());
    return scenario.send(`${ADA_PATH}remove_second_factors/`);
  },
  '/admin/users/:pk/sign_out': async ({ running, send }) => {
    await running.browser().logIn(ADA.username, ADA.password);
    return send(`${ADA_PATH}sign_out/`);
  },
  '/admin/users/:pk/verify_email': async (scenario) => {
    const { accounts } = scenario.running.service();
    await accounts.changeProfile(findAccount(scenario, ADA), { email: 'ada@example.org' }, OPERATOR);
    return scenario.send(ADA_PATH, {}, `${ADA_PATH}verify_email/`);
  },
  '/admin/users/:pk/roles': ({ send }) => send(`${ADA_PATH}roles/`, { role: 'auditor' }),
  '/admin/users/:pk/password': ({ send }) => send(`${ADA_PATH}password/`, { password: '' }),
  '/admin/users/:pk/authorizations/:client/revoke': ({ send, authorizedApplication }) =>
    send(`/admin/users/1/authorizations/${authorizedApplication.id}/revoke/`),
  '/admin/users/:pk/revoke_access': ({ send }) => send('/admin/users/1/revoke_access/'),
  '/admin/users/:pk/grants/:grant': async ({ send, findId, authorizedApplication }) => {
    const grant = await findId(
      `/admin/users/1/authorizations/${authorizedApplication.id}/`,
      /users\/1\/grants\/([^/]+)\//,
    );
    return send(`/admin/users/1/grants/${grant}/`);
  },
  '/admin/applications/register': ({ send }) =>
    send('/admin/applications/register/', { ...APPLICATION, username: ADA.username, skip_authorization: 'yes' }),
  '/admin/applications/:id/update': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/update/`, { ...APPLICATION, restricted_scope: 'audit' }),
  '/admin/applications/:id/scopes': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/scopes/`, { restricted_scope: 'audit' }),
  ...logoAndKeyForms('/admin/applications', ({ authorizedApplication }) => authorizedApplication),
  '/admin/applications/:id/rotate_secret': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/rotate_secret/`, { old_secret: 'day' }),
  '/admin/applications/:id/disable': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/disable/`),
  '/admin/applications/:id/enable': async ({ send, authorizedApplication }) => {
    const path = `/admin/applications/${authorizedApplication.id}/`;
    await send(`${path}disable/`);
    return send(path, {}, `${path}enable/`);
  },
  '/admin/applications/:id/remove': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/remove/`, { name: 'Loom' }),
  '/admin/applications/:id/people': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/people/`, { username: ADA.username, member_role: 'owner' }),
  '/admin/applications/:id/people/:pk/remove': async (scenario) => {
    const { authorizedApplication, running, send } = scenario;
    const [client, ada] = [findClient(scenario, authorizedApplication), findAccount(scenario, ADA)];
    await running.service().memberships.add(client, ada, 'test-user', OPERATOR);
    return send(`/admin/applications/${authorizedApplication.id}/people/${ada.id}/remove/`);
  },
  '/admin/applications/:id/transfer': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/transfer/`, { username: ADA.username }),
  '/admin/applications/:id/mode': ({ send, authorizedApplication }) =>
    send(`/admin/applications/${authorizedApplication.id}/mode/`),
};
