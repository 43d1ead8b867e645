import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { MailError } from '../../../src/platform/mail/mail-failed.ts';
import type { MailTransport } from '../../../src/platform/mail/mail-message.ts';
import { createMailer, type Mailer } from '../../../src/platform/mail/mailer.ts';
import { manualTimers, type ManualTimers } from '../../support/manual-timers.ts';

const MESSAGE = { to: 'ada@example.org', subject: 'Hello', text: 'https://id.example/?token=secret' };

describe('The mailer', () => {
  let timers: ManualTimers;
  let outcomes: string[];
  let lines: string[];
  let deliveries: string[];
  /** The outcomes of the next deliveries: an error, or a promise to await. */
  let failures: (MailError | Promise<void>)[];
  let now: number;

  beforeEach(() => {
    timers = manualTimers();
    [outcomes, lines, deliveries, failures] = [[], [], [], []];
    now = 0;
  });

  const transport: MailTransport = {
    async deliver({ to }) {
      const failure = failures.shift();
      if (failure instanceof MailError) throw failure;
      await failure;
      deliveries.push(to);
    },
    async check() {},
    close() {},
  };

  function createTestMailer(mailTransport: MailTransport | undefined = transport): Mailer {
    return createMailer({
      transport: mailTransport,
      compose: async (message) => ({ from: 'no-reply@id.example', to: message.to, bytes: Buffer.alloc(0), message }),
      startTimer: timers.startTimer,
      ticks: () => now,
      observe: (outcome) => outcomes.push(outcome),
      notice: (line) => lines.push(line),
    });
  }

  /** Waits until all queued deliveries have ended, except those that hang. */
  async function settle(): Promise<void> {
    await nextTurn(); // the mailer begins in the turn after the call
    await nextTurn();
  }

  const createUnreachableError = (): MailError =>
    new MailError('unreachable', 'mail.example: for ada@example.org', 421);

  it('resolves before the e-mail is sent', async () => {
    await createTestMailer().send(MESSAGE);
    expect(deliveries).to.deep.equal([]);
    await settle();
    expect([deliveries, outcomes]).to.deep.equal([['ada@example.org'], ['sent']]);
  });

  it('tries to deliver an e-mail five times, with increasing delays, and then gives up', async () => {
    failures = Array.from({ length: 6 }, createUnreachableError);
    await createTestMailer().send(MESSAGE);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await settle();
      pauses.push(...timers.running());
      timers.expire();
    }
    expect(pauses).to.deep.equal([5_000, 30_000, 120_000, 600_000]);
    expect(outcomes).to.deep.equal(['retried', 'retried', 'retried', 'retried', 'failed']);
    expect(deliveries).to.deep.equal([]);
  });

  it('does not resend a rejected e-mail', async () => {
    failures = [new MailError('rejected', 'no such user', 550)];
    await createTestMailer().send(MESSAGE);
    await settle();
    expect([outcomes, timers.running()]).to.deep.equal([['failed'], []]);
  });

  it('reports a failure without the address or the link, at most once a minute', async () => {
    failures = Array.from({ length: 3 }, createUnreachableError);
    const mailer = createTestMailer();
    await mailer.send(MESSAGE);
    await mailer.send(MESSAGE);
    await settle();
    expect(lines).to.have.length(1);
    expect(lines[0])
      .to.match(/unreachable, reply 421.*grantlog doctor/)
      .and.not.match(/ada|token|secret/);
    now = 60_000;
    await mailer.send(MESSAGE);
    await settle();
    expect(lines).to.have.length(2);
  });

  it('drops an e-mail while a thousand e-mails are queued, and reports the loss', async () => {
    const mailer = createTestMailer();
    for (let index = 0; index < 1_001; index += 1) await mailer.send(MESSAGE);
    expect(outcomes).to.deep.equal(['dropped']);
    expect(lines[0]).to.include('1000 others are pending');
    await mailer.close();
    expect(deliveries).to.have.length(1_000);
  });

  it('sends queued e-mails before it closes, and none after that', async () => {
    failures = [createUnreachableError()];
    const mailer = createTestMailer();
    await mailer.send(MESSAGE);
    await settle();
    await mailer.send(MESSAGE);
    await mailer.close();
    await mailer.send(MESSAGE);
    await settle();
    expect(deliveries).to.have.length(2);
  });

  it('closes after five seconds even if a delivery hangs, and reports the number of lost e-mails', async () => {
    failures = [new Promise(() => {})];
    const mailer = createTestMailer();
    await mailer.send(MESSAGE);
    await settle();
    const shutdown = mailer.close();
    await settle();
    expect(timers.running()).to.deep.equal([5_000]);
    timers.expire();
    await shutdown;
    expect(lines).to.deep.equal(['e-mails that were not sent before shutdown: 1']);
  });

  it('sends no mail and refuses to deliver if mail is off', async () => {
    const mailer = createMailer({
      transport: undefined,
      compose: () => expect.fail('nothing is composed'),
      startTimer: timers.startTimer,
      ticks: () => now,
      observe: (outcome) => outcomes.push(outcome),
      notice: (line) => lines.push(line),
    });
    expect(mailer.isOn).to.equal(false);
    await mailer.send(MESSAGE);
    await settle();
    expect([outcomes, lines]).to.deep.equal([[], []]);
    const refusal = await mailer.deliver(MESSAGE).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(MailError).with.property('message').that.includes('GRANTLOG_MAIL');
    expect(refusal).to.have.property('reason', 'off');
  });
});
