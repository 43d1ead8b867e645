import { expect } from 'chai';
import type { BrowserSession, Page } from '../support/browser-session.ts';
import { openSessionAs, positionsOn } from '../support/audit-pages.ts';
import { runningService, type RunningService, type TestClient } from '../support/running-service.ts';

/** Half an hour before the clocks in Berlin go back from three to two o'clock. */
const STARTS_AT = Date.UTC(2026, 9, 25, 0, 30);
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'] as const;

describe('A time in a form on the audit pages', () => {
  let running: RunningService;
  let browser: BrowserSession;
  let client: TestClient;

  /** Issues tokens before, during and after the hour that occurs twice in Berlin. */
  beforeEach(async () => {
    running = await runningService({ startsAt: STARTS_AT });
    browser = await openSessionAs(running, 'auditor', 'auditor');
    client = await running.addClient();
    for (let hour = 0; hour < 4; hour += 1) {
      await running.token(client, { grant_type: 'client_credentials' });
      running.clock.advance(3_600);
    }
  });
  afterEach(() => running.close());

  /** Returns the positions on a page with the times shown for them: date, time of day and zone. */
  function listRows(
    page: Page,
  ): readonly { readonly position: number; readonly local: string; readonly zone: string }[] {
    const times = [...page.html.matchAll(/data-utc[^>]*>([\d-]+) ([\d:]+) ([^<]+)</g)];
    return positionsOn(page).map((position, index) => {
      const [, day, time, zone = ''] = times[index] ?? expect.fail('a row without a time');
      return { position, local: `${day}T${time}`, zone };
    });
  }

  /** Submits the form of the page with the reader's time zone, which the form contains. */
  async function submit(path: string, fields: Readonly<Record<string, string>>): Promise<Page> {
    const { html } = await browser.get(path);
    const zone = /name="time_zone" value="([^"]+)"/.exec(html)?.[1] ?? expect.fail('no zone');
    return browser.get(`${path}?${new URLSearchParams({ ...fields, time_zone: zone }).toString()}`);
  }

  it('finds the row that shows it, in every zone and when clocks are set back', async () => {
    for (const name of ZONES) {
      browser.setCookie('grantlog-time-zone', name);
      for (const { position, local } of listRows(await browser.get('/audit/'))) {
        expect(positionsOn(await submit('/audit/', { since: local })), `${name} ${local}`).to.include(position);
        const asOf = await submit('/audit/as-of/', { time: local });
        const [, last = '0'] = /href="\/audit\/events\/(\d+)\/"/.exec(asOf.html) ?? [];
        expect(Number(last), `as of ${name} ${local}`).to.be.at.least(position);
      }
    }
  });

  it("is in the zone that its field names in the reader's language", async () => {
    browser.setCookie('grantlog-time-zone', 'Europe/Berlin');
    for (const path of ['/audit/', '/audit/as-of/', '/audit/blast-radius/', '/audit/log/'])
      expect((await browser.get(path)).html, path).to.include('Time zone: Europe/Berlin (now UTC+01:00).');
    browser.setCookie('grantlog-language', 'de');
    expect((await browser.get('/audit/')).html).to.include('Zeitzone: Europe/Berlin (jetzt UTC+01:00).');
  });

  it('has one sentence about its zone, which describes both fields of a filter', async () => {
    for (const path of ['/audit/', '/audit/log/']) {
      const { html } = await browser.get(path);
      expect(html.match(/Time zone: /g), path).to.have.length(1);
      expect(html.match(/aria-describedby="times-help"/g), path).to.have.length(2);
    }
  });

  it('stays as entered in the field, and is in UTC in links', async () => {
    browser.setCookie('grantlog-time-zone', 'Asia/Kolkata');
    const { html } = await submit('/audit/', { since: '2026-10-25T07:00:01' });
    expect(html).to.include('type="datetime-local" value="2026-10-25T07:00:01"');
    expect(html).to.include('/audit/log/export/?since=2026-10-25T01%3A30%3A01.000Z&amp;format=csv');
    const asOf = await submit('/audit/as-of/', { time: '2026-10-25T07:00:01' });
    expect(asOf.html).to.include('type="datetime-local" value="2026-10-25T07:00:01"');
    expect(asOf.html).to.include('/audit/as-of/export/?time=2026-10-25T01%3A30%3A01.999Z&amp;format=csv');
  });

  it('is in UTC in the URL of a blast radius page', async () => {
    browser.setCookie('grantlog-time-zone', 'Asia/Kolkata');
    const form = { source_kind: 'client', source: client.id, time: '2026-10-25T08:00', time_zone: 'Asia/Kolkata' };
    const { location } = await browser.submit(await browser.get('/audit/blast-radius/'), form, '/audit/blast-radius/');
    expect(location).to.equal(`/audit/blast-radius/?client=${client.id}&time=2026-10-25T02%3A30%3A00.999Z`);
  });

  it("is in UTC in a URL that contains no zone, whatever the reader's zone", async () => {
    const url = '/audit/?since=2026-10-25T02:00&until=2026-10-25T03:00:00Z';
    const positions = positionsOn(await browser.get(url));
    expect(positions).to.have.length(1);
    for (const name of ZONES) {
      browser.setCookie('grantlog-time-zone', name);
      expect(positionsOn(await browser.get(url)), name).to.deep.equal(positions);
    }
    const { html } = await browser.get(url);
    expect(html).to.include('value="2026-10-25T02:00:00"');
  });

  it('stays in the field unchanged if it is invalid', async () => {
    for (const input of ['12', 'Mar 3', 'soon 5'])
      expect((await submit('/audit/', { since: input })).html, input).to.include(
        `type="datetime-local" value="${input}"`,
      );
  });

  it('is refused if its zone is unknown', async () => {
    const { status, html } = await browser.get('/audit/?since=2026-10-25T02:00&time_zone=Nowhere%2FElse');
    expect(status).to.equal(400);
    expect(html).to.include('The time zone “Nowhere/Else” is unknown.');
  });
});
