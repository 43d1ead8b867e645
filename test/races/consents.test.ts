import { expect } from 'chai';
import type { ClientId } from '../../src/domain/values.ts';
import type { Client } from '../../src/projections/clients.ts';
import type { User } from '../../src/projections/users.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import { REDIRECT_URI, type RunningService, type TestClient } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const ADA = { username: 'ada', password: 'her own password' };
const GRANT = /^grant-/;

describe('A consent in flight', () => {
  let racing: RacingService;
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    await running.service().accounts.register({ ...ADA, roles: ['auditor'] }, OPERATOR);
    client = await running.addClient({ restrictedScopes: ['audit'] });
  });
  afterEach(() => racing.close());

  const user = (): User => running.service().projections.users.findByName(ADA.username) ?? expect.fail();
  function update(changes: Partial<Client>): Promise<unknown> {
    const registeredClient = running.service().projections.clients.find(client.id) ?? expect.fail();
    return running.service().registration.update(client.id as ClientId, { ...registeredClient, ...changes }, OPERATOR);
  }
  const eventTypes = async (): Promise<readonly string[]> => (await running.events()).map(({ type }) => type);
  async function logIn() {
    const browser = running.browser();
    await browser.logIn(ADA.username, ADA.password);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: REDIRECT_URI,
      scope: 'read audit',
    });
    return { browser, path: `/o/authorize/?${query.toString()}` };
  }

  /** Changes that are recorded before the consent, each with the response that the browser gets instead of a code. */
  const CHANGES: Readonly<Record<string, readonly [status: number, text: string, change: () => Promise<unknown>]>> = {
    'the client is removed': [
      400,
      'No application is registered',
      () => running.service().registration.remove(client.id as ClientId, OPERATOR),
    ],
    "the client's redirect URI is replaced": [
      400,
      'does not match any redirect URI that is registered',
      () => update({ redirectUris: ['https://app.example/elsewhere'] }),
    ],
    'the client is registered for other grant types': [
      302,
      'error=unauthorized_client',
      () => update({ grantTypes: ['client-credentials'] }),
    ],
    "the client's restricted scope is removed": [302, 'error=invalid_scope', () => update({ restrictedScopes: [] })],
    'the user loses the role': [
      302,
      'error=invalid_scope',
      () => running.service().accounts.changeRoles(user(), [], OPERATOR),
    ],
    'the user logs out everywhere': [
      403,
      'You are not logged in',
      () => running.service().accounts.logOutEverywhere(user(), OPERATOR),
    ],
    'the password is changed': [
      403,
      'You are not logged in',
      () => running.service().accounts.changePassword(user(), 'another one', OPERATOR),
    ],
    'the user is disabled': [403, 'You are not logged in', () => running.service().accounts.disable(user(), OPERATOR)],
    'the user is erased': [403, 'You are not logged in', () => running.service().accounts.erase(user(), OPERATOR)],
  };

  for (const [event, [status, text, change]] of Object.entries(CHANGES)) {
    it(`issues no code if ${event} before the consent is recorded`, async () => {
      const { browser, path } = await logIn();
      const form = await browser.get(path);
      const [page] = await racing.runBehind(change, GRANT, () => browser.submit(form, { allow: 'Authorize' }));
      expect(page.status).to.equal(status);
      expect(page.location ?? page.html).to.include(text);
      expect(await eventTypes()).to.not.include('ConsentGiven');
    });
  }

  it('issues a code even if the client is renamed', async () => {
    const { browser, path } = await logIn();
    const form = await browser.get(path);
    const approve = () => browser.submit(form, { allow: 'Authorize' });
    const [page] = await racing.runBehind(() => update({ name: 'Renamed' }), GRANT, approve);
    expect(page.location).to.include('code=');
  });

  it('that needs no approval is not recorded once the user is disabled, and leads to the login page', async () => {
    await update({ skipAuthorization: true });
    const { browser, path } = await logIn();
    const [page] = await racing.runBehind(CHANGES['the user is disabled']![2], GRANT, () => browser.get(path));
    expect(page.location).to.include('/accounts/login/');
    expect(await eventTypes()).to.not.include('ConsentGiven');
  });
});
