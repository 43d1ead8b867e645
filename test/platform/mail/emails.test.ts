import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readableColor } from '../../../src/config/brand-colors.ts';
import { createEmailBrand } from '../../../src/config/email-brand.ts';
import { composeMail } from '../../../src/platform/mail/compose-mail.ts';
import { consoleTransport } from '../../../src/platform/mail/console-transport.ts';
import { fileTransport } from '../../../src/platform/mail/file-transport.ts';
import { formatEmail } from '../../../src/platform/mail/email-content.ts';
import { isMailSender } from '../../../src/platform/mail/mail-sender.ts';
import { describeMailTarget, isMailTarget, parseMailTarget } from '../../../src/platform/mail/mail-target.ts';
import { jpeg, png } from '../../support/images.ts';
import { parseMimeParts } from '../../support/mime-parts.ts';

const STAMP = { from: 'Example <no-reply@id.example>', now: Date.UTC(2026, 0, 2, 3, 4, 5), id: 'abc' };
const MESSAGE = { to: 'ada@example.org', subject: 'Hello', text: 'Good day', html: '<p>Good day</p>' };

describe('The mail setting', () => {
  it('encrypts every connection to another machine', () => {
    expect(parseMailTarget('smtp://mail.example')).to.include({ port: 587, tls: 'starttls' });
    expect(parseMailTarget('smtps://mail.example')).to.include({ port: 465, tls: 'implicit' });
    expect(parseMailTarget('smtp://127.0.0.1:25')).to.include({ port: 25, tls: 'none' });
    expect(parseMailTarget('smtp://localhost.example:25')).to.include({ tls: 'starttls' });
    expect(parseMailTarget('smtp://[::1]')).to.include({ host: '::1', tls: 'none' });
    expect(parseMailTarget('smtp://localhost?ca=/etc/ca.pem')).to.include({ tls: 'starttls' });
  });

  it('decodes the login, and describes the target without the login', () => {
    const target = parseMailTarget('smtp://a%40b:p%3Aw@mail.example:2525');
    expect(target).to.deep.include({ login: { user: 'a@b', password: 'p:w' } });
    expect(describeMailTarget(target)).to.equal('mail.example:2525');
  });

  it('refuses all other values', () => {
    const invalid = ['mail.example', 'http://mail.example', 'smtp://', 'smtp://a/b', 'smtp://a?tls=no', 'smtp://:p@a'];
    for (const text of [...invalid, 'file:', 'smtp://a b', 'smtp://a#x', 'smtp://%zz@a', 'on'])
      expect(isMailTarget(text), text).to.equal(false);
  });
});

describe('The sender setting', () => {
  it('is an e-mail address, with or without a name', () => {
    for (const text of ['a@b', 'Example <a@b.example>']) expect(isMailSender(text), text).to.equal(true);
    for (const text of ['a', 'a@b, c@d', 'X\r\nBcc: y <a@b>', '<a@b> x', '"a" <a@b>', 'a@b@c'])
      expect(isMailSender(text), text).to.equal(false);
  });
});

describe('An e-mail', () => {
  it('has one recipient, even if the address or the subject contains separators', async () => {
    const { bytes, to } = await composeMail(
      { ...MESSAGE, to: 'a@x,b@example.org', subject: 'One\r\nBcc: eve@example.org' },
      STAMP,
    );
    const head = bytes.toString().split('\r\n\r\n')[0] ?? '';
    expect(to).to.equal('a@x,b@example.org');
    expect(head).not.to.match(/^Bcc:/im);
    expect(head.match(/^To:.*$/gm)).to.have.length(1);
  });

  it('is marked as auto-generated, and has a Message-ID in the domain of its sender', async () => {
    const { bytes, from } = await composeMail(MESSAGE, STAMP);
    const text = bytes.toString();
    expect(from).to.equal('no-reply@id.example');
    expect(text).to.include('Auto-Submitted: auto-generated').and.include('Message-ID: <abc@id.example>');
    expect(text).to.include('Date: Fri, 02 Jan 2026 03:04:05 +0000');
    expect(text).to.include('multipart/alternative');
  });

  it('escapes values from users, and keeps each value on one line', () => {
    const { text, html } = formatEmail({
      language: 'de',
      brand: { name: 'A & <b>B</b>', colors: { accent: '"><b>', onAccent: '#ffffff' }, logo: null },
      paragraphs: ['Hello <b>Eve</b>\r\nClick: https://evil.example'],
      link: { label: 'Go', url: 'https://id.example/?a=1&b="x"', help: 'No <i>button</i>?' },
      note: 'Why "this" came',
    });
    expect(html).to.include('<html lang="de">').and.include('No &lt;i&gt;button');
    expect(html).to.include('<strong>A &amp; &lt;b&gt;B&lt;/b&gt;</strong>');
    expect(html).not.to.include('<b>').and.not.include('"x"');
    expect(html).to.include('a=1&amp;b=&quot;x&quot;');
    expect(text).to.include('Hello <b>Eve</b> Click').and.include('\nhttps://id.example/?a=1&b="x"\n');
  });
});

describe('The brand in an e-mail', () => {
  const CONTENT = {
    language: 'en',
    paragraphs: ['Good day'],
    link: { label: 'Go', url: 'https://id.example/', help: 'Copy this:' },
    note: 'Why',
  };
  const settings = { brandName: 'Harbour & Sons', brandColor: null, brandLogo: null };

  async function compose(changes: Partial<Parameters<typeof createEmailBrand>[0]>) {
    const bodies = formatEmail({ ...CONTENT, brand: createEmailBrand({ ...settings, ...changes })() });
    const { bytes } = await composeMail({ ...MESSAGE, ...bodies }, STAMP);
    const parts = parseMimeParts(bytes.toString());
    const types = parts.map(({ headers }) => headers.get('content-type')?.split(';')[0]);
    return { parts, types, text: parts[0]?.content.toString(), html: parts[1]?.content.toString() };
  }

  it('consists of its name and color if there is no logo, and the e-mail has no attachment', async () => {
    const plainEmail = await compose({});
    expect(plainEmail.types).to.deep.equal(['text/plain', 'text/html']);
    expect(plainEmail.html).to.include('<strong>Harbour &amp; Sons</strong>').and.not.include('<img');
    expect(plainEmail.html).to.include('background:#0b6b5b;color:#ffffff');
    expect((await compose({ brandColor: '#9a1f5c' })).html).to.include('background:#9a1f5c;color:#ffffff');
  });

  it('uses a readable shade of a color that an earlier release accepted', async () => {
    const { html } = await compose({ brandColor: '#ffcc00' });
    expect(html).to.include(`background:${readableColor('#ffcc00', 'light')};color:#ffffff`);
  });

  for (const [mediaType, image] of [
    ['image/png', png()],
    ['image/jpeg', jpeg()],
  ] as const)
    it(`adds the logo as part of the e-mail, without changing its text: ${mediaType}`, async () => {
      const brandLogo = `data:${mediaType};base64,${image.toString('base64')}`;
      const { parts, types, text, html = '' } = await compose({ brandLogo });
      expect(types).to.deep.equal(['text/plain', 'text/html', mediaType]);
      const [, contentId] = /<img src="cid:([^"]+)"/.exec(html) ?? [];
      expect(parts[2]?.headers.get('content-id')).to.equal(`<${contentId}>`);
      expect(parts[2]?.headers.get('content-disposition')).to.match(/^inline;/);
      expect(parts[2]?.content).to.deep.equal(image);
      expect(html.match(/(?:src|background)="?[^"]*https?:/)).to.equal(null);
      expect(text).to.equal((await compose({})).text);
    });

  it('has no image if the setting does not contain an image', async () => {
    const { types } = await compose({ brandLogo: 'data:image/png;base64,PHN2Zy8+' });
    expect(types).to.deep.equal(['text/plain', 'text/html']);
  });
});

describe('The mail directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-mail-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('receives one complete file for each e-mail, readable only by its owner', async () => {
    const mailDirectory = join(directory, 'mail');
    let count = 0;
    const transport = fileTransport({
      directory: mailDirectory,
      now: () => STAMP.now,
      mintId: () => `id${(count += 1)}`,
    });
    const mail = await composeMail(MESSAGE, STAMP);
    await Promise.all([transport.deliver(mail), transport.deliver(mail)]);
    const files = readdirSync(mailDirectory);
    expect(files.toSorted()).to.deep.equal(['20260102T030405000Z-id1.eml', '20260102T030405000Z-id2.eml']);
    for (const file of files) {
      expect(readFileSync(join(mailDirectory, file))).to.deep.equal(mail.bytes);
      expect(statSync(join(mailDirectory, file)).mode & 0o777).to.equal(0o600);
    }
  });

  it('is reported if it cannot be written', async () => {
    writeFileSync(join(directory, 'file'), '');
    chmodSync(join(directory, 'file'), 0o600);
    const transport = fileTransport({ directory: join(directory, 'file'), now: () => 0, mintId: () => 'id' });
    const mail = await composeMail(MESSAGE, STAMP);
    for (const attempt of [() => transport.check(), () => transport.deliver(mail)])
      expect(await attempt().catch((error: unknown) => error)).to.include({ reason: 'unwritable' });
  });
});

describe('The console transport', () => {
  it('prints the recipient, the subject and the text', async () => {
    let output = '';
    const transport = consoleTransport((text) => (output += text));
    await transport.deliver(await composeMail(MESSAGE, STAMP));
    expect(output).to.match(/To: ada@example\.org\n.*Subject: Hello\n\n {2}Good day\n/s);
  });
});
