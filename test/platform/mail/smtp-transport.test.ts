import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { composeMail } from '../../../src/platform/mail/compose-mail.ts';
import { MailError } from '../../../src/platform/mail/mail-failed.ts';
import type { ComposedMail, MailTransport } from '../../../src/platform/mail/mail-message.ts';
import { parseMailTarget, type SmtpTarget } from '../../../src/platform/mail/mail-target.ts';
import { smtpTransport } from '../../../src/platform/mail/smtp-transport.ts';
import { systemTimer } from '../../../src/platform/ports.ts';
import { manualTimers } from '../../support/manual-timers.ts';
import { startSmtpServer, type ReceivingServer } from '../../support/smtp-server.ts';
import { TLS } from '../../support/tls.ts';

describe('The SMTP transport', () => {
  let directory: string;
  let mail: ComposedMail;
  let server: ReceivingServer | undefined;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'grantlog-mail-'));
    writeFileSync(join(directory, 'ca.pem'), TLS.cert);
    const message = { to: 'ada@example.org', subject: 'Hello', text: 'A dot:\n.\nand more\n' };
    mail = await composeMail(message, { from: 'Id <no-reply@id.example>', now: 0, id: 'abc' });
  });
  afterEach(() => server?.close());
  after(() => rmSync(directory, { recursive: true }));

  const withCa = (url: string): string => `${url}?ca=${join(directory, 'ca.pem')}`;
  const transportTo = (url: string): MailTransport => smtpTransport(parseMailTarget(url) as SmtpTarget, systemTimer);

  it('delivers an e-mail to a server on loopback without encryption', async () => {
    server = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
    await transportTo(`smtp://127.0.0.1:${server.port}`).deliver(mail);
    const [message] = server.received;
    expect(message).to.include({ from: 'no-reply@id.example', secure: false, user: undefined });
    expect(message?.to).to.deep.equal(['ada@example.org']);
    expect(message?.content).to.include('A dot:\r\n.\r\nand more').and.include('Message-ID: <abc@id.example>');
  });

  it('encrypts with STARTTLS and logs in if the URL specifies a certificate authority', async () => {
    server = await startSmtpServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'p@ss' ? done(null, { user: username }) : done(new Error('Wrong password')),
    });
    await transportTo(withCa(`smtp://app:p%40ss@127.0.0.1:${server.port}`)).deliver(mail);
    expect(server.received[0]).to.include({ secure: true, user: 'app' });
    const failure = await expectFailure(transportTo(withCa(`smtp://app:no@127.0.0.1:${server.port}`)).check());
    expect(failure).to.include({ reason: 'login-refused', status: 535 });
    expect(failure.message).not.to.include('no@');
  });

  it('encrypts from the start with smtps', async () => {
    server = await startSmtpServer({ secure: true });
    await transportTo(withCa(`smtps://localhost:${server.port}`)).deliver(mail);
    expect(server.received[0]?.secure).to.equal(true);
  });

  it('refuses a certificate that no trusted authority signed, and sends no mail', async () => {
    server = await startSmtpServer({ secure: true });
    expect(await expectFailure(transportTo(`smtps://localhost:${server.port}`).deliver(mail))).to.include({
      reason: 'tls',
    });
    expect(server.received).to.deep.equal([]);
  });

  it('refuses a server that offers no STARTTLS, and sends neither the e-mail nor the password', async () => {
    const logins: string[] = [];
    server = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username = '' }, _session, done) => {
        logins.push(username);
        done(null, { user: username });
      },
    });
    const failure = await expectFailure(
      transportTo(withCa(`smtp://app:secret@127.0.0.1:${server.port}`)).deliver(mail),
    );
    expect(failure).to.include({ reason: 'tls' });
    expect([server.received, logins]).to.deep.equal([[], []]);
  });

  it('distinguishes permanent from temporary refusals', async () => {
    const replies = [550, 451];
    server = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) =>
        done(Object.assign(new Error('Not now'), { responseCode: replies.shift() })),
    });
    const transport = transportTo(`smtp://127.0.0.1:${server.port}`);
    expect(await expectFailure(transport.deliver(mail))).to.include({ reason: 'rejected', status: 550 });
    expect(await expectFailure(transport.deliver(mail))).to.include({ reason: 'deferred', status: 451 });
  });

  it('reports a server that is not running', async () => {
    server = await startSmtpServer();
    const { port } = server;
    await server.close();
    server = undefined;
    expect(await expectFailure(transportTo(`smtp://127.0.0.1:${port}`).check())).to.include({ reason: 'unreachable' });
  });

  describe('with a server that is not an SMTP server', () => {
    let listener: Server;
    const sockets = new Set<Socket>();

    async function listen(onConnection: (socket: Socket) => void): Promise<string> {
      listener = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        onConnection(socket);
      }).listen(0, '127.0.0.1');
      await once(listener, 'listening');
      return `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    }
    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    });

    it('gives up at the deadline if it hangs', async () => {
      const timers = manualTimers();
      const url = await listen(() => timers.expire());
      const transport = smtpTransport(parseMailTarget(url) as SmtpTarget, timers.startTimer);
      expect(await expectFailure(transport.deliver(mail))).to.include({ reason: 'timed-out' });
    });

    it('reports a connection that the server closes', async () => {
      const url = await listen((socket) => socket.end('220 hello\r\n'));
      expect(await expectFailure(transportTo(url).deliver(mail))).to.include({ reason: 'unreachable' });
    });

    it('aborts a delivery in progress when it is closed', async () => {
      let transport: MailTransport | undefined;
      const url = await listen(() => transport?.close());
      transport = transportTo(url);
      expect(await expectFailure(transport.deliver(mail))).to.include({ reason: 'unreachable' });
    });
  });
});

async function expectFailure(attempt: Promise<void>): Promise<MailError> {
  const error = await attempt.then(
    () => expect.fail('the attempt succeeded'),
    (failure: unknown) => failure,
  );
  expect(error).to.be.instanceOf(MailError);
  return error as MailError;
}
