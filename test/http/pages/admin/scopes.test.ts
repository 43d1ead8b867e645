import { expect } from 'chai';
import { authorizePath } from '../../../support/authorize-requests.ts';
import type { BrowserSession } from '../../../support/browser-session.ts';
import { runningService, type RunningService } from '../../../support/running-service.ts';

const LIST = '/admin/scopes/';
const editPath = (scope: string): string => `/admin/scopes/edit/?scope=${encodeURIComponent(scope)}`;
const extractText = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('The scope list and the scope pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let germanBrowser: BrowserSession;

  async function start(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    running = await runningService({ settings });
    const { username, password } = await running.addUser('root', ['administrator']);
    browser = running.browser();
    await browser.logIn(username, password);
    germanBrowser = running.browser({ 'accept-language': 'de' });
    await germanBrowser.logIn(username, password);
  }
  afterEach(() => running.close());

  const listNames = async (query: string): Promise<readonly string[]> => {
    const { html } = await browser.get(`${LIST}?${query}&format=csv`);
    return html.trim().split(/\r?\n/).slice(1).map((line) => line.split(',')[0] ?? ''); // prettier-ignore
  };

  describe('for restricted scopes', () => {
    const find = (name: string) => running.service().scopeChanges.find(name);

    it('treat admin and audit as sensitive, also on the consent page, unless the setting says otherwise', async () => {
      await start();
      expect(find('admin')?.sensitivity).to.equal('sensitive');
      expect(await listNames('status=sensitive')).to.deep.equal(['admin', 'audit']);
      const client = await running.addClient({ restrictedScopes: ['audit'] });
      const openConsentPage = async () => (await browser.get(authorizePath(client, { scope: 'audit' }))).html;
      expect(await openConsentPage()).to.include('>Sensitive<');
      const scope_description = find('audit')?.description ?? '';
      const save = async (scope_sensitivity: string) => {
        const fields = { scope_description, scope_icon: '', scope_sensitivity };
        await browser.submit(await browser.get(editPath('audit')), fields, '/admin/scopes/edit/');
      };
      await save('normal');
      expect(find('audit')?.sensitivity).to.equal('normal');
      expect(await openConsentPage()).not.to.include('>Sensitive<');
      await save('sensitive');
      expect(find('audit')?.sensitivity).to.equal('sensitive');
      expect(running.service().config.scopeDisplay).to.deep.equal({});
    });

    it('say what an application can do with each scope before the scope is allowed', async () => {
      await start();
      const { id } = await running.addClient();
      for (const path of [`/admin/applications/${id}/scopes/`, `/admin/applications/${id}/update/`]) {
        expect(extractText((await browser.get(path)).html), path)
          .to.include('The application can administer this server: users, groups, applications and their access.')
          .and.include('for each auditor or administrator who authorizes it');
        expect(extractText((await germanBrowser.get(path)).html), path).to.include(
          'Die Anwendung kann diesen Server verwalten',
        );
      }
    });

    it('show the scopes that a change allowed and withdrew', async () => {
      await start();
      const { id } = await running.addClient({ name: 'Ledger' });
      const saveScopes = async (session: BrowserSession, restricted_scope: readonly string[]) => {
        await session.submit(await session.get(`/admin/applications/${id}/scopes/`), { restricted_scope });
        return extractText((await session.get(`/admin/applications/${id}/`)).html);
      };
      expect(await saveScopes(browser, ['admin'])).to.include('Ledger may now request admin.');
      expect(await saveScopes(browser, ['admin'])).to.include('The restricted scopes of Ledger did not change.');
      expect(await saveScopes(browser, ['audit', 'introspection'])).to.include(
        'Ledger may now request audit, introspection, and may no longer request admin.',
      );
      expect(await saveScopes(germanBrowser, ['audit'])).to.include('Ledger darf introspection nicht mehr anfordern.');
    });
  });

  describe("as a scope's origin", () => {
    const originOf = async (scope: string) => {
      const { html } = await browser.get(`${LIST}?q=${scope}&format=csv`);
      const [head = '', ...rows] = html.trim().split(/\r?\n/);
      const row = rows.find((line) => line.startsWith(`${scope},`)) ?? '';
      return row.split(',').at(head.split(',').indexOf('origin') - head.split(',').length);
    };

    it('show “default” for the scopes of a new server, and “added” for scopes that were added later', async () => {
      await start();
      expect(await listNames('type=default')).to.deep.equal(['groups', 'read', 'write']);
      expect(await listNames('type=own')).to.deep.equal([]);
      const fields = { scope_name: 'invoices', scope_description: 'Read your invoices', scope_icon: '' };
      await browser.submit(await browser.get('/admin/scopes/add/'), { ...fields, scope_sensitivity: 'normal' });
      expect(await listNames('type=own')).to.deep.equal(['invoices']);
      expect(await listNames('type=default')).to.deep.equal(['groups', 'read', 'write']);
      expect(await listNames('type=built-in'))
        .to.include('openid')
        .and.not.include('groups');
      expect([await originOf('invoices'), await originOf('read'), await originOf('openid')]).to.deep.equal([
        'added',
        'default',
        'built in',
      ]);
      const textFor = async (session: BrowserSession, scope: string) =>
        extractText((await session.get(`${LIST}?q=${scope}`)).html);
      expect(await textFor(browser, 'read'))
        .to.include('default setting')
        .and.include('built in');
      expect(await textFor(germanBrowser, 'invoices')).to.include('hier hinzugefügt');
    });

    it('show “file” for the scopes in the configuration file, except for built-in ones', async () => {
      await start({ scopes: { read: 'Read everything', groups: 'Groups' } });
      expect(await listNames('type=own')).to.deep.equal(['read']);
      expect(await listNames('type=default')).to.deep.equal([]);
      expect([await originOf('read'), await originOf('groups')]).to.deep.equal(['file', 'built in']);
    });
  });

  describe("for a scope's applications", () => {
    it('show the number of allowed applications in the list and in the CSV export, and offer a filter', async () => {
      await start();
      await running.addClient({ name: 'Auditor', restrictedScopes: ['audit'] });
      await running.addClient({ name: 'Console', restrictedScopes: ['audit', 'admin'] });
      const list = extractText((await browser.get(`${LIST}?q=audit`)).html);
      expect(list).to.include('May be requested by').and.include('only allowed applications (2)');
      expect(extractText((await germanBrowser.get(`${LIST}?q=audit`)).html)).to.include('nur erlaubte Anwendungen (2)');
      expect(await listNames('requested_by=allowed')).to.have.members([
        'admin',
        'audit',
        'introspection',
        'clients:register',
        'grant_management_query',
        'grant_management_revoke',
      ]);
      expect(await listNames('requested_by=all'))
        .to.include('read')
        .and.not.include('audit');
      const { html: csv } = await browser.get(`${LIST}?format=csv`);
      expect(csv).to.match(/^scope,.*,requested_by,allowed_clients,/);
      expect(csv)
        .to.match(/^audit,.*,allowed,2,/m)
        .and.match(/^read,.*,all,,/m);
    });

    it('say so if no application may request a restricted scope', async () => {
      await start();
      const page = extractText((await browser.get(editPath('audit'))).html);
      expect(page)
        .to.include('None has it, and none got access tokens with the scope')
        .and.not.include('The counts cover');
      expect(extractText((await germanBrowser.get(editPath('audit'))).html)).to.include('Keine hat sie, und keine hat');
    });

    it('link a restricted scope to the applications that may request it, whether or not they do', async () => {
      await start();
      const idleClient = await running.addClient({ name: 'Idle', restrictedScopes: ['introspection'] });
      const busyClient = await running.addClient({ name: 'Busy', restrictedScopes: ['introspection'] });
      const formerClient = await running.addClient({ name: 'Lost', restrictedScopes: ['introspection'] });
      const otherClient = await running.addClient({ name: 'Never' });
      for (const client of [busyClient, formerClient])
        await running.token(client, { grant_type: 'client_credentials', scope: 'introspection' });
      await browser.submit(await browser.get(`/admin/applications/${formerClient.id}/scopes/`), {
        restricted_scope: [],
      });
      const { html } = await browser.get(editPath('introspection'));
      for (const { id } of [idleClient, busyClient, formerClient])
        expect(html).to.include(`href="/admin/applications/${id}/scopes/"`);
      expect(html).not.to.include(otherClient.id);
      expect(extractText(html))
        .to.include('Applications that may request this scope')
        .and.include('Idle 0 tokens Busy 1 token');
      expect(extractText(html)).to.include('Lost 1 token may no longer request it');
      const germanText = extractText((await germanBrowser.get(editPath('introspection'))).html);
      expect(germanText).to.include('Anwendungen, die ihn anfordern dürfen').and.include('Idle 0 Token Busy 1 Token');
      expect(germanText).to.include('darf ihn nicht mehr anfordern');
    });

    it('link any other scope to the applications that use it', async () => {
      await start();
      const client = await running.addClient({ name: 'Ledger' });
      expect(extractText((await browser.get(editPath('read'))).html)).to.include(
        'No application got access tokens with it',
      );
      await running.token(client, { grant_type: 'client_credentials', scope: 'read' });
      for (const path of [editPath('read'), '/admin/scopes/remove/?scope=read'])
        expect((await browser.get(path)).html, path).to.include(`href="/admin/applications/${client.id}/"`);
      const { html } = await browser.get(editPath('read'));
      expect(extractText(html)).to.include('All applications may request this scope.').and.include('Ledger 1 token');
      const germanText = extractText((await germanBrowser.get(editPath('read'))).html);
      expect(germanText).to.include('Alle Anwendungen dürfen ihn anfordern.').and.include('Ledger 1 Token');
    });
  });
});
