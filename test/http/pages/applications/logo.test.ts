import { expect } from 'chai';
import { hiddenFields, type BrowserSession } from '../../../support/browser-session.ts';
import { httpRequest } from '../../../support/http-request.ts';
import { png, webp } from '../../../support/images.ts';
import { runningService, type RunningService, type TestClient } from '../../../support/running-service.ts';

type Parts = Readonly<Record<string, string | Blob>>;

describe("An application's logo", () => {
  let running: RunningService;
  let browser: BrowserSession;
  let client: TestClient;
  let applicationPath: string;

  beforeEach(async () => {
    running = await runningService();
    const ada = await running.addUser('ada');
    client = await running.addClient({ owner: 'ada' });
    applicationPath = `/o/applications/${client.id}/`;
    browser = running.browser();
    await browser.logIn(ada.username, ada.password);
  });
  afterEach(() => running.close());

  const fetchCsrfToken = async (session = browser): Promise<string> =>
    hiddenFields((await session.get('/o/applications/register/')).html)['csrf_token'] ?? '';
  const createFile = (bytes: Buffer, type = 'application/octet-stream'): Blob =>
    new Blob([new Uint8Array(bytes)], { type });

  async function sendForm(parts: Parts, headers: Readonly<Record<string, string>> = {}, session = browser) {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, '../../evil.html');
    }
    const multipart = new Response(form);
    const contentType = multipart.headers.get('content-type') ?? '';
    const body = Buffer.from(await multipart.arrayBuffer());
    return httpRequest(new URL(`${applicationPath}logo/`, running.origin()), {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'content-type': contentType,
        cookie: session.cookieHeader(applicationPath),
        ...headers,
      },
      body,
    });
  }
  const upload = async (bytes: Buffer) => sendForm({ csrf_token: await fetchCsrfToken(), logo: createFile(bytes) });
  const readLastEvent = async () => (await running.events()).at(-1);
  const extractLogoUrl = (html: string): string => /class="app-logo" src="([^"]*)"/.exec(html)?.[1] ?? '';

  it('is recorded as an event, and shown to the owner', async () => {
    const response = await upload(png());
    expect([response.status, response.headers.get('location')]).to.deep.equal([
      302,
      `${applicationPath}update/#presentation`,
    ]);
    expect(await readLastEvent()).to.deep.include({
      type: 'ClientLogoChanged',
      stream: `client-${client.id}`,
      data: { image: { mediaType: 'image/png', base64: png().toString('base64') } },
    });
    const page = await browser.get(`${applicationPath}update/`);
    const imageUrl = new URL(extractLogoUrl(page.html), running.origin());
    const image = await fetch(imageUrl, { headers: { cookie: browser.cookieHeader(applicationPath) } });
    expect(Buffer.from(await image.arrayBuffer())).to.deep.equal(png());
    expect(Object.fromEntries(image.headers)).to.include({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
  });

  it('is visible even to visitors, and gets a new URL when it changes', async () => {
    await upload(png());
    const oldUrl = extractLogoUrl((await browser.get(`${applicationPath}update/`)).html);
    await upload(webp());
    const newUrl = extractLogoUrl((await browser.get(`${applicationPath}update/`)).html);
    expect(newUrl).not.to.equal(oldUrl);
    const outdatedImage = await running.browser().get(oldUrl.replaceAll('&amp;', '&'));
    expect(outdatedImage.headers.get('cache-control')).to.equal('no-cache');
    expect(outdatedImage.headers.get('content-type')).to.equal('image/webp');
  });

  it('survives a restart', async () => {
    await upload(png());
    await running.restart();
    expect((await running.browser().get(`${applicationPath}logo/`)).status).to.equal(200);
  });

  it('can be removed, and is removed with the application', async () => {
    expect((await browser.get(`${applicationPath}logo/`)).status).to.equal(404);
    await upload(png());
    await browser.post(`${applicationPath}logo/remove/`, { csrf_token: await fetchCsrfToken() });
    expect(await readLastEvent()).to.deep.include({ type: 'ClientLogoChanged', data: { image: null } });
    expect((await browser.get(`${applicationPath}logo/`)).status).to.equal(404);
    expect((await browser.get(`${applicationPath}update/`)).html).not.to.include('app-logo');
    await browser.post(`${applicationPath}logo/remove/`, { csrf_token: await fetchCsrfToken() });
    expect((await running.events()).filter(({ type }) => type === 'ClientLogoChanged')).to.have.length(2);
    await upload(png());
    await browser.submit(await browser.get(`${applicationPath}delete/`), {});
    expect((await browser.get(`${applicationPath}logo/`)).status).to.equal(404);
  });

  it('is rejected with an error beside its field if it is not an image, whatever its name and type', async () => {
    const eventCount = (await running.events()).length;
    for (const [content, problem] of [
      ['<svg onload="alert(1)"/>', 'SVG is not accepted'],
      ['<script>alert(1)</script>', 'not a PNG, JPEG or WebP'],
      ['', 'Choose a file'],
      ['x'.repeat(30_000), '29.3 KiB'],
    ] as const) {
      const response = await sendForm({
        csrf_token: await fetchCsrfToken(),
        logo: createFile(Buffer.from(content), 'image/png'),
      });
      expect(response.status, problem).to.equal(422);
      expect(response.text).to.match(new RegExp(`id="logo-error">[^<]*${problem}`));
    }
    const polyglot = Buffer.concat([png(), Buffer.from('<script>alert(1)</script>')]);
    expect((await upload(polyglot)).text).to.include('The file contains more than the image');
    expect(await running.events()).to.have.length(eventCount);
  });

  it('is refused if the form is too large, malformed, compressed, or not multipart', async () => {
    const csrf_token = await fetchCsrfToken();
    expect((await sendForm({ csrf_token, logo: createFile(Buffer.alloc(300_000)) })).status).to.equal(413);
    expect((await sendForm({ csrf_token }, { 'content-type': 'multipart/form-data' })).status).to.equal(400);
    expect((await sendForm({ csrf_token }, { 'content-type': 'multipart/form-data; boundary=no' })).status).to.equal(
      400,
    );
    expect((await sendForm({ csrf_token }, { 'content-encoding': 'gzip' })).status).to.equal(415);
    expect((await browser.post(`${applicationPath}logo/`, { csrf_token })).status).to.equal(422);
    const manyFields = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 'x']));
    expect((await sendForm({ csrf_token, ...manyFields })).status).to.equal(400);
    expect((await readLastEvent())?.type).not.to.equal('ClientLogoChanged');
  });

  it('can be changed only by an owner, and only with the CSRF token', async () => {
    const bob = await running.addUser('bob');
    const otherBrowser = running.browser();
    await otherBrowser.logIn(bob.username, bob.password);
    expect((await sendForm({ logo: createFile(png()) })).status).to.equal(403);
    expect(
      (await sendForm({ csrf_token: await fetchCsrfToken(otherBrowser), logo: createFile(png()) }, {}, otherBrowser))
        .status,
    ).to.equal(404);
    expect(
      (await otherBrowser.post(`${applicationPath}logo/remove/`, { csrf_token: await fetchCsrfToken(otherBrowser) }))
        .status,
    ).to.equal(404);
    expect((await readLastEvent())?.type).not.to.equal('ClientLogoChanged');
  });
});
