import { expect } from 'chai';
import { operate } from '../../src/operations/operations.ts';
import { OperationRefused } from '../../src/operations/control/operation-refused.ts';
import { createMemoryLog } from '../../src/event-store/engines/memory.ts';
import { DecisionOutdated, type EventLog } from '../../src/event-store/event-log.ts';
import { hiddenFields } from '../support/browser-session.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

/** Creates a log that simulates another writer, which always appends first while `isOutdated` returns true. */
function createContendedLog(isOutdated: () => boolean): EventLog {
  const log = createMemoryLog();
  return {
    ...log,
    append: (...append) => (isOutdated() ? Promise.reject(new DecisionOutdated('user-1')) : log.append(...append)),
  };
}

describe('A request whose decision is outdated at every attempt', () => {
  let isOutdated: boolean;
  let running: RunningService;
  let client: TestClient;

  beforeEach(async () => {
    isOutdated = false;
    running = await runningService({ log: createContendedLog(() => isOutdated) });
    await running.addUser('ada');
    client = await running.addClient();
  });
  afterEach(() => running.close());

  it('gets a page that says that nothing was changed', async () => {
    const browser = running.browser();
    await browser.logIn('ada', "ada's password");
    const { csrf_token = '' } = hiddenFields((await browser.get('/accounts/')).html);
    isOutdated = true;
    const fields = { csrf_token, email: 'ada@example.org', first_name: '', last_name: '' };
    const page = await browser.post('/accounts/profile/', fields);
    expect(page.status).to.equal(409);
    expect(page.html).to.include('your change was not saved');
  });

  it('gets a retryable error at the token endpoint', async () => {
    isOutdated = true;
    const { status, headers, json } = await running.token(client, { grant_type: 'client_credentials' });
    expect([status, json?.['error'], headers.get('retry-after')]).to.deep.equal([503, 'temporarily_unavailable', '1']);
  });

  it('gets an error message if it comes from a command', async () => {
    isOutdated = true;
    const input = { clientId: client.id, changes: { name: 'Renamed' } };
    const update = operate(running.service())('client update', input, new AbortController().signal);
    const error = await update.next().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(OperationRefused).with.property('message').that.includes('nothing was changed');
  });
});
