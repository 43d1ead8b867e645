import { expect } from 'chai';
import { observedClient } from '../../src/domain/streams.ts';
import { operate } from '../../src/operations/operations.ts';
import type { Client } from '../../src/projections/clients.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { startRacingService, type RacingService } from '../support/racing-service.ts';
import { REDIRECT_URI, type RunningService } from '../support/running-service.ts';

const FORM = {
  name: 'New',
  client_type: 'confidential',
  authorization_grant_type: ['authorization-code'],
  redirect_uris: REDIRECT_URI,
} as const;

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('A restricted scope that is withdrawn from an application', () => {
  let racing: RacingService;
  let running: RunningService;
  let browser: BrowserSession;
  let clientId: string;

  beforeEach(async () => {
    racing = await startRacingService();
    ({ running } = racing);
    const ada = await running.addUser('ada', ['administrator']);
    clientId = (await running.addClient({ owner: 'ada', restrictedScopes: ['audit'] })).id;
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => racing.close());

  const client = (): Client => running.service().projections.clients.find(clientId) ?? expect.fail();

  function withdraw(): Promise<unknown> {
    const context = { ...OPERATOR, basedOn: [observedClient(client())] };
    return running.service().registration.update(client().clientId, { ...client(), restrictedScopes: [] }, context);
  }

  async function runUpdate(): Promise<unknown> {
    const input = { clientId, changes: { name: 'New' } };
    const update = operate(running.service())('client update', input, new AbortController().signal);
    return update.next().catch((error: unknown) => error);
  }

  async function prepareForm(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<() => Promise<unknown>> {
    const page = await browser.get(path);
    return () => browser.submit(page, fields, path);
  }

  const updates: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
    'by the `client update` operation': async () => runUpdate,
    "on the owner's form": () => prepareForm(`/o/applications/${clientId}/update/`, FORM),
    "on an administrator's form": () =>
      prepareForm(`/admin/applications/${clientId}/update/`, { ...FORM, restricted_scope: 'audit' }),
    "on the owner's mode page": () => prepareForm(`/o/applications/${clientId}/mode/`, { mode: 'test' }),
    "on an administrator's mode page": () => prepareForm(`/admin/applications/${clientId}/mode/`, { mode: 'test' }),
    'on the callback page': () => prepareForm(`/o/applications/${clientId}/try/`, {}),
  };

  for (const [manner, prepare] of Object.entries(updates))
    it(`stays withdrawn if the application is changed ${manner} concurrently`, async () => {
      const update = await prepare();
      const clientBefore = client();
      await racing.runBehind(withdraw, /^client-/, update);
      expect(client()).not.to.equal(clientBefore);
      expect(client().restrictedScopes).to.deep.equal([]);
    });
});
