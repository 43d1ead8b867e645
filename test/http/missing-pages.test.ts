import { expect } from 'chai';
import { openSessionAs } from '../support/audit-pages.ts';
import { runningService, type RunningService } from '../support/running-service.ts';

const ID = 'x'.repeat(22);

describe('Pages for things that do not exist', () => {
  let running: RunningService;

  before(async () => {
    running = await runningService();
  });
  after(() => running.close());

  for (const [path, title, list] of [
    ['/admin/users/99/', 'This user does not exist', '/admin/users/'],
    ['/admin/groups/99/', 'This group does not exist', '/admin/groups/'],
    ['/admin/applications/nothing/', 'This application does not exist', '/admin/applications/'],
    ['/admin/settings/nothing/', 'This setting does not exist', '/admin/settings/'],
    ['/admin/scopes/edit/?scope=nothing', 'This scope does not exist', '/admin/scopes/'],
    ['/admin/providers/nothing/', 'This provider does not exist', '/admin/providers/'],
    [`/admin/trusted-issuers/${ID}/`, 'This trusted issuer does not exist', '/admin/trusted-issuers/'],
    [`/admin/exchange-policies/${ID}/`, 'This exchange policy does not exist', '/admin/exchange-policies/'],
    ['/audit/events/999/', 'This event does not exist', '/audit/'],
    [`/audit/grants/${ID}/`, 'This grant does not exist', '/audit/'],
    ['/o/applications/nothing/', 'You have no such application', '/o/applications/'],
    [`/o/resources/${ID}/`, 'You manage no such resource server', '/o/resources/'],
  ] as const) {
    it(`say so at ${path}, and link to ${list}`, async () => {
      const browser = await openSessionAs(running, `eve of ${path}`.replaceAll(/[^a-z]+/g, '-'), 'administrator');
      const { status, html } = await browser.get(path);
      expect(status).to.equal(404);
      expect(html).to.include(`<h1>${title}</h1>`).and.include(`<a class="button button--primary" href="${list}">`);
    });
  }

  it('link to the first page of the area if the user may open it', async () => {
    const linksOf = async (role: 'auditor' | 'administrator', path: string): Promise<readonly string[]> => {
      const browser = await openSessionAs(running, `${role} of ${path}`.replaceAll(/[^a-z]+/g, '-'), role);
      const { html } = await browser.get(path);
      return [...html.matchAll(/<a class="button button--primary" href="([^"]+)">/g)].map(([, href = '']) => href);
    };
    expect(await linksOf('administrator', '/admin/nothing/')).to.deep.equal(['/admin/']);
    expect(await linksOf('auditor', '/admin/nothing/')).not.to.include('/admin/');
    expect(await linksOf('auditor', '/audit/nothing/')).to.deep.equal(['/audit/']);
  });

  it('differ from the page for an invalid query, which links to the same page without the query', async () => {
    const browser = await openSessionAs(running, 'reader', 'auditor');
    const { status, html } = await browser.get('/audit/?user=a&user=b');
    expect(status).to.equal(400);
    expect(html).to.include('<a class="button button--primary" href="/audit/">Open the page without the query</a>');
  });
});
