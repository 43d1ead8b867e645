import { authorizePath } from '../authorize-requests.ts';
import { answerDevice, requestCodes } from '../devices.ts';
import { logoAndKeyForms } from './logo-and-keys.ts';
import {
  findAccount,
  ADA,
  asAda,
  findClient,
  OPERATOR,
  ROOT,
  type Scenario,
  type SuccessfulForms,
} from './scenario.ts';

export const APPLICATION = {
  name: 'App',
  client_type: 'confidential',
  authorization_grant_type: 'client-credentials',
  redirect_uris: '',
};

/** Authorizes the application for a single resource server, so that it counts as an agent. */
async function authorizeAgent({ running, authorizedApplication }: Scenario): Promise<void> {
  const { status } = await running.token(authorizedApplication, {
    grant_type: 'password',
    username: ROOT.username,
    password: ROOT.password,
    scope: 'read',
    resource: 'http://localhost:8000',
  });
  if (status !== 200) throw new Error(`the application was not authorized: ${status}`);
}

/** The forms for applications and their authorizations. */
export const APPLICATION_FORMS: SuccessfulForms = {
  '/o/authorize': ({ send, authorizedApplication }) =>
    send(authorizePath(authorizedApplication), { allow: 'Authorize' }, '/o/authorize/'),
  '/o/device': async ({ running, browser }) => {
    const options = { clientType: 'public', grantTypes: ['device-code'], redirectUris: [] } as const;
    return answerDevice(browser, await requestCodes(running, await running.addClient(options)));
  },
  '/o/logout': ({ send }) => send('/o/logout/'),
  '/o/authorized_tokens/applications/:client/revoke': ({ send, authorizedApplication }) =>
    send('/o/authorized_tokens/', {}, `/o/authorized_tokens/applications/${authorizedApplication.id}/revoke/`),
  '/o/authorized_tokens/:id/revoke': async ({ send, authorizedApplication, findId }) => {
    const id = await findId(
      `/o/authorized_tokens/applications/${authorizedApplication.id}/`,
      /authorized_tokens\/([\w-]{22})\/revoke/,
    );
    return send('/o/authorized_tokens/', {}, `/o/authorized_tokens/${id}/revoke/`);
  },
  '/accounts/agents/:client/end': async (scenario) => {
    await authorizeAgent(scenario);
    return scenario.send('/accounts/agents/', {}, `/accounts/agents/${scenario.authorizedApplication.id}/end/`);
  },
  '/accounts/agents/end': async (scenario) => {
    await authorizeAgent(scenario);
    return scenario.send('/accounts/agents/', {}, '/accounts/agents/end/');
  },
  '/o/applications/register': ({ send }) => send('/o/applications/register/', APPLICATION),
  '/o/applications/:id/update': ({ send, application }) =>
    send(`/o/applications/${application.id}/update/`, APPLICATION),
  ...logoAndKeyForms('/o/applications', ({ application }) => application),
  '/o/applications/:id/rotate_secret': ({ send, application }) =>
    send(`/o/applications/${application.id}/rotate_secret/`, { old_secret: 'day' }),
  '/o/applications/:id/delete': ({ send, application }) => send(`/o/applications/${application.id}/delete/`),

  '/o/applications/:id/try': ({ send, application }) => send(`/o/applications/${application.id}/try/`),
  '/o/applications/:id/people/invite': ({ send, application }) => {
    const path = `/o/applications/${application.id}/people/`;
    return send(path, { member_role: 'owner', email: '' }, `${path}invite/`);
  },
  '/o/applications/:id/people/withdraw': ({ send, application }) => {
    const path = `/o/applications/${application.id}/people/`;
    return send(path, { member_role: 'owner' }, `${path}withdraw/`);
  },
  '/o/applications/:id/people/:pk/remove': async (scenario) => {
    const { application, running, send } = scenario;
    const [client, ada] = [findClient(scenario, application), findAccount(scenario, ADA)];
    await running.service().memberships.add(client, ada, 'owner', OPERATOR);
    return send(`/o/applications/${application.id}/people/${ada.id}/remove/`);
  },
  '/o/applications/:id/mode': ({ send, application }) => send(`/o/applications/${application.id}/mode/`),
  '/o/invitations': async (scenario) => {
    const { memberships } = scenario.running.service();
    const [client, { userId }] = [findClient(scenario, scenario.application), findAccount(scenario, ROOT)];
    const invitation = await memberships.invite(client, 'owner', userId);
    const { browser } = await asAda(scenario);
    const page = await browser.get(`/o/invitations/?${new URLSearchParams({ invitation }).toString()}`);
    return browser.submit(page, {}, '/o/invitations/');
  },
};
