import type { StartTimer, Ticks } from '../ports.ts';
import { isPermanent, MailError } from './mail-failed.ts';
import type { ComposedMail, MailMessage, MailTransport } from './mail-message.ts';
import type { MailOutcome } from './mail-outcomes.ts';

const MAIL_IS_OFF = 'mail is off: set GRANTLOG_MAIL (see: grantlog setting show mail)';

/** Sends e-mails in the background, so that no response waits for an e-mail or reveals whether one was sent. */
export interface Mailer {
  /** Whether e-mails are sent at all. */
  readonly isOn: boolean;
  /**
   * Queues an e-mail, or drops it if mail is off or too many e-mails are pending. Resolves immediately and never
   * rejects. The mailer tries several times within a quarter of an hour to send the e-mail. It is lost if the server
   * stops before an attempt succeeds.
   */
  send(message: MailMessage): Promise<void>;
  /**
   * Sends an e-mail immediately, without retries.
   * @throws MailError if it was not sent, or mail is off
   */
  deliver(message: MailMessage): Promise<void>;
  /** Sends the pending e-mails, for at most five seconds. Later e-mails are dropped. */
  close(): Promise<void>;
}

export interface MailerDeps {
  /** Undefined if mail is off. */
  readonly transport: MailTransport | undefined;
  readonly compose: (message: MailMessage) => Promise<ComposedMail>;
  readonly startTimer: StartTimer;
  readonly ticks: Ticks;
  readonly observe: (outcome: MailOutcome) => void;
  /** Receives a line for the operator about e-mails that were not sent: at most one a minute, and one at shutdown. */
  readonly notice: (line: string) => void;
}

/** This many pending e-mails take about ten megabytes. */
const MAX_PENDING = 1_000;
const MAX_ACTIVE = 4;
/** The pauses between attempts. */
const PAUSES_SECONDS = [5, 30, 120, 600] as const;
const DRAIN_MILLISECONDS = 5_000;
const NOTICE_INTERVAL_MILLISECONDS = 60_000;

interface PendingMessage {
  readonly message: MailMessage;
  readonly failures: number;
}

export function createMailer({ transport, compose, startTimer, ticks, observe, notice }: MailerDeps): Mailer {
  const readyMessages: PendingMessage[] = [];
  /** E-mails that wait for their next attempt, each with the function that stops its timer. */
  const pausedMessages = new Map<PendingMessage, () => void>();
  let activeCount = 0;
  let isClosed = false;
  let onIdle: (() => void) | undefined;
  let nextNoticeAt = -Infinity;

  function inform(line: string): void {
    if (ticks() < nextNoticeAt) return;
    nextNoticeAt = ticks() + NOTICE_INTERVAL_MILLISECONDS;
    notice(line);
  }

  function sendReady(): void {
    while (activeCount < MAX_ACTIVE && readyMessages.length > 0) void attempt(readyMessages.shift() as PendingMessage);
    if (activeCount === 0 && readyMessages.length === 0) onIdle?.();
  }

  async function attempt(pending: PendingMessage): Promise<void> {
    activeCount += 1;
    try {
      await deliver(pending.message);
      observe('sent');
    } catch (error) {
      handleFailure(pending, error);
    } finally {
      activeCount -= 1;
      sendReady();
    }
  }

  async function deliver(message: MailMessage): Promise<void> {
    if (transport === undefined) throw new MailError('off', MAIL_IS_OFF);
    await transport.deliver(await compose(message));
  }

  /** Reports the failure in a line with neither the recipient nor the content, and schedules a retry if one is left. */
  function handleFailure({ message, failures }: PendingMessage, error: unknown): void {
    const pause = PAUSES_SECONDS[failures];
    const willRetry = pause !== undefined && !isClosed && !(error instanceof MailError && isPermanent(error));
    observe(willRetry ? 'retried' : 'failed');
    const nextStep = willRetry ? `; the next attempt is in ${pause} seconds` : '; there will be no further attempt';
    inform(`an e-mail was not sent (${describeError(error)})${nextStep}; see grantlog doctor`);
    if (!willRetry) return;
    const retry = { message, failures: failures + 1 };
    pausedMessages.set(
      retry,
      startTimer(pause * 1000, () => resume(retry)),
    );
  }

  function resume(pending: PendingMessage): void {
    pausedMessages.delete(pending);
    readyMessages.push(pending);
    sendReady();
  }

  async function drain(): Promise<void> {
    isClosed = true;
    for (const [pending, stopTimer] of pausedMessages) {
      stopTimer();
      resume(pending);
    }
    if (activeCount === 0 && readyMessages.length === 0) return;
    await new Promise<void>((resolve) => {
      const stopTimer = startTimer(DRAIN_MILLISECONDS, resolve);
      onIdle = () => {
        stopTimer();
        resolve();
      };
      sendReady();
    });
    const lostCount = activeCount + readyMessages.length;
    for (const _ of readyMessages.splice(0)) observe('dropped');
    if (lostCount > 0) notice(`e-mails that were not sent before shutdown: ${lostCount}`);
  }

  let closePromise: Promise<void> | undefined;
  return {
    isOn: transport !== undefined,
    deliver,
    async send(message) {
      if (transport === undefined || isClosed) return;
      if (readyMessages.length + pausedMessages.size + activeCount >= MAX_PENDING) {
        observe('dropped');
        inform(`an e-mail was dropped because ${MAX_PENDING} others are pending; see grantlog doctor`);
        return;
      }
      readyMessages.push({ message, failures: 0 });
      setImmediate(sendReady); // after the response to the request
    },
    close: () => (closePromise ??= drain().finally(() => transport?.close())),
  };
}

/** Describes an error without its message, which may contain an address. */
function describeError(error: unknown): string {
  if (!(error instanceof MailError)) return error instanceof Error ? error.name : 'unknown';
  return error.status === undefined ? error.reason : `${error.reason}, reply ${error.status}`;
}
