import { expect } from 'chai';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserSession, type BrowserSession } from '../support/browser-session.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';

const SETUP_LINK = /create one at (http:\/\/localhost:\d+\/accounts\/setup\/\?token=[\w-]{32})/;
const ADA = { username: 'ada', email: 'ada@lovelace.example', password: 'difference engine' };

describe('the first startup', function () {
  this.timeout(180_000);

  let parentDirectory: string;
  let dataDir: string;
  let server: ServerProcess;

  beforeEach(() => {
    parentDirectory = mkdtempSync(join(tmpdir(), 'grantlog-first-'));
    dataDir = join(parentDirectory, 'data');
  });
  afterEach(async () => {
    await server.destroy();
    rmSync(parentDirectory, { recursive: true });
  });

  async function restart(): Promise<void> {
    server.kill('SIGTERM');
    expect(await server.exitStatus).to.equal(0);
    server = await startServer(dataDir);
  }

  const openBrowser = (): BrowserSession => browserSession(() => server.origin);

  async function setupPath(): Promise<string> {
    const [, link = ''] = await server.waitForOutput(SETUP_LINK);
    const { pathname, search } = new URL(link);
    return pathname + search;
  }

  it('logs a link that can be used once, to create the first administrator', async () => {
    server = await startServer(dataDir);
    const path = await setupPath();
    const [firstBrowser, secondBrowser] = [openBrowser(), openBrowser()];
    const [page, secondPage] = [await firstBrowser.get(path), await secondBrowser.get(path)];
    expect([page.status, secondPage.status]).to.deep.equal([200, 200]);

    const response = await firstBrowser.submit(page, ADA, '/accounts/setup/');
    expect([response.status, response.location]).to.deep.equal([302, '/']);
    expect((await firstBrowser.get('/')).html).to.contain('ada');
    expect((await secondBrowser.submit(secondPage, { ...ADA, username: 'eve' }, '/accounts/setup/')).status).to.equal(
      404,
    );
    expect((await openBrowser().get(path)).status).to.equal(404);

    await restart();
    expect(server.output()).not.to.match(SETUP_LINK);
    expect((await firstBrowser.get('/')).html, 'the session survives the restart').to.contain('ada');
  });

  it('creates an account for only one of two users who open the link at the same time', async () => {
    server = await startServer(dataDir);
    const path = await setupPath();
    const rivals = await Promise.all(
      ['ada', 'eve'].map(async (username) => {
        const browser = openBrowser();
        return { browser, page: await browser.get(path), username };
      }),
    );
    const responses = await Promise.all(
      rivals.map(({ browser, page, username }) => browser.submit(page, { ...ADA, username }, '/accounts/setup/')),
    );
    expect(responses.map(({ status }) => status)).to.have.members([302, 404]);
  });

  it('invalidates the link from the previous startup', async () => {
    server = await startServer(dataDir);
    const previousPath = await setupPath();
    await restart();
    const path = await setupPath();
    expect(path).not.to.equal(previousPath);
    expect((await openBrowser().get(previousPath)).status).to.equal(404);
    expect((await openBrowser().get(path)).status).to.equal(200);
  });

  it('logs no link if an administrator is configured, and creates no file that other users can access', async () => {
    server = await startServer(dataDir, {
      env: { GRANTLOG_ADMIN_USERNAME: 'root', GRANTLOG_ADMIN_PASSWORD: "root's password" },
    });
    expect((await openBrowser().logIn('root', "root's password")).location).to.equal('/');
    expect((await openBrowser().get('/accounts/setup/?token=')).status).to.equal(404);
    expect(server.output()).not.to.match(SETUP_LINK).and.not.to.contain("root's password");
    const modes = [
      '.',
      'log',
      'keys',
      'keys/cookies.key',
      'keys/names.key',
      'keys/refresh.key',
      'keys/users.keys',
      'control.sock',
    ].map((path) => [path, (statSync(join(dataDir, path)).mode & 0o777).toString(8)]);
    expect(Object.fromEntries(modes)).to.deep.equal({
      '.': '700',
      log: '700',
      keys: '700',
      'keys/cookies.key': '600',
      'keys/names.key': '600',
      'keys/refresh.key': '600',
      'keys/users.keys': '600',
      'control.sock': '600',
    });
  });
});
