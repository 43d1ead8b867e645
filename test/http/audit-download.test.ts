import { expect } from 'chai';
import { encodeEvent } from '../../src/domain/events.ts';
import type { GroupId } from '../../src/domain/values.ts';
import { openSessionAs } from '../support/audit-pages.ts';
import type { BrowserSession } from '../support/browser-session.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const EXPORT = '/audit/log/export/';

describe('An export that is read slowly', () => {
  let running: RunningService;
  let browser: BrowserSession;

  /** Appends more events than all buffers between the log and a reader can hold. */
  beforeEach(async () => {
    running = await runningService();
    browser = await openSessionAs(running, 'bob', 'auditor');
    const events = Array.from({ length: 4_000 }, (_, group) => ({
      ...encodeEvent({
        type: 'GroupCreated',
        data: { groupId: String(group).padStart(22, '0') as GroupId, name: 'name '.repeat(2_000) },
      }),
      recordedAt: 0,
      ...OPERATOR,
    }));
    for (let batch = 0; batch < 4; batch += 1)
      await running.log.append(`group-${batch}`, 'no-stream', events.slice(batch * 1_000, (batch + 1) * 1_000));
  });
  afterEach(() => running.close());

  const startExport = (): Promise<Response> =>
    fetch(new URL(EXPORT, running.origin()), {
      headers: { accept: 'text/html', cookie: [...browser.cookies()].map((cookie) => cookie.join('=')).join('; ') },
    });

  it('leaves the server responsive, and is refused while the maximum number of exports are running', async () => {
    const slowExports = await Promise.all(Array.from({ length: 4 }, startExport));
    expect(slowExports.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect((await browser.get('/audit/')).status).to.equal(200);
    const refusal = await startExport();
    expect(refusal.status).to.equal(503);
    expect(await refusal.text()).to.include('The server is busy');
    for (const { body } of slowExports.slice(1)) await body?.cancel();
    expect((await slowExports[0]?.text())?.split('\n')).to.have.length(running.log.head() + 1);
    let status = 503;
    // a download counts until its connection is closed
    while (status === 503) ({ status } = await browser.get(EXPORT));
    expect(status).to.equal(200);
  });

  it('is aborted when its reader loses the role', async () => {
    const { body } = await startExport();
    const reader = (body ?? expect.fail()).getReader();
    await reader.read();
    await running
      .service()
      .accounts.changeRoles(running.service().projections.users.findByName('bob') ?? expect.fail(), [], OPERATOR);
    const readToEnd = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    const outcome: unknown = await readToEnd().then(
      () => 'ended without an error',
      (error: unknown) => error,
    );
    expect(outcome).to.be.instanceOf(Error);
  });
});
