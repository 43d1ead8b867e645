import { expect } from 'chai';
import { ROLES, type Role } from '../../src/domain/events.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const PATHS = ['/audit/', '/audit/events/1/', '/audit/as-of/', '/audit/as-of/?position=1', '/audit/as-of/export/?position=1', '/audit/log/', '/audit/log/export/'];

describe('smoke', () => {
  let running: RunningService;
  beforeEach(async () => { running = await runningService(); });
  afterEach(() => running.close());
  it('works', async () => {
    await running.service().accounts.register({ username: 'ada', password: 'long enough', roles: ['auditor'] as Role[] }, OPERATOR);
    const client = await running.addClient({ owner: 'ada' });
    await running.token(client, { grant_type: 'password', username: 'ada', password: 'long enough' });
    const b = running.browser();
    await b.logIn('ada', 'long enough');
    for (const path of PATHS) {
      const page = await b.get(path);
      console.log(path, page.status, page.html.replace(/[\s\S]*<main/, '<main').slice(0, 30000));
    }
    void ROLES;
  });
});
