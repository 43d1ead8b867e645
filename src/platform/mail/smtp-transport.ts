import { readFileSync } from 'node:fs';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { StartTimer } from '../ports.ts';
import { MailError } from './mail-failed.ts';
import type { MailTransport } from './mail-message.ts';
import { describeMailTarget, type SmtpTarget } from './mail-target.ts';

/** The time from connecting until the server accepts the e-mail. */
const DEADLINE_MILLISECONDS = 30_000;
const CONNECT_MILLISECONDS = 10_000;
const IDLE_MILLISECONDS = 15_000;
const QUIT_MILLISECONDS = 1_000;
const MAX_REPLY_BYTES = 16_384;

/**
 * Sends each e-mail over its own connection (RFC 5321). If the connection is encrypted, the server's certificate is
 * verified.
 */
export function smtpTransport(target: SmtpTarget, startTimer: StartTimer): MailTransport {
  const connections = new Set<SMTPConnection>();
  let isClosed = false;

  /** Runs `steps` over a new connection, which is closed at the deadline regardless of its state. */
  async function withConnection(steps: (connection: SMTPConnection) => Promise<void>): Promise<void> {
    if (isClosed) throw new MailError('unreachable', `cannot connect to ${destination}: this server is stopping`);
    const connection = createConnection(target);
    connections.add(connection);
    const { promise: failure, reject } = createRejection();
    connection.on('error', reject);
    connection.once('end', () => reject(new MailError('unreachable', `${destination} closed the connection`)));
    const timeout = new MailError(
      'timed-out',
      `${destination} took longer than ${DEADLINE_MILLISECONDS / 1000} seconds`,
    );
    const stopTimer = startTimer(DEADLINE_MILLISECONDS, () => reject(timeout));
    failure.catch(() => undefined); // reported by the race, unless the race is over
    try {
      await Promise.race([connectAndLogIn(connection).then(() => steps(connection)), failure]);
      connection.quit();
      startTimer(QUIT_MILLISECONDS, () => connection.close());
    } catch (error) {
      connection.close();
      throw toMailError(error, destination);
    } finally {
      stopTimer();
      connections.delete(connection);
    }
  }

  async function connectAndLogIn(connection: SMTPConnection): Promise<void> {
    await toPromise((done) => connection.connect(done));
    const { login } = target;
    if (login === undefined) return;
    const auth = { user: login.user, pass: login.password };
    await toPromise((done) => connection.login(auth, done));
  }

  const destination = describeMailTarget(target);
  return {
    deliver: ({ from, to, bytes }) =>
      withConnection((connection) => toPromise((done) => connection.send({ from, to: [to] }, bytes, done))),
    check: () => withConnection(async () => {}),
    close() {
      isClosed = true;
      for (const connection of connections) connection.close();
    },
  };
}

function createConnection({ host, port, tls, rootCertificates }: SmtpTarget): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    name: 'localhost', // the host name stays private
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2', ...(rootCertificates && { ca: readCertificates(rootCertificates) }) },
    connectionTimeout: CONNECT_MILLISECONDS,
    greetingTimeout: CONNECT_MILLISECONDS,
    dnsTimeout: CONNECT_MILLISECONDS,
    socketTimeout: IDLE_MILLISECONDS,
    maxResponseSize: MAX_REPLY_BYTES,
    allowInternalNetworkInterfaces: true,
  });
}

/** Creates a promise that can only be rejected. */
function createRejection(): { readonly promise: Promise<never>; readonly reject: (error: unknown) => void } {
  const abort = new AbortController();
  const promise = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason as Error));
  });
  return { promise, reject: (error) => abort.abort(error) };
}

type Done = (error?: Error | null) => void;

/** Runs a function that takes a callback, and settles when the callback is called. */
function toPromise(run: (done: Done) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    run((error) => (error ? reject(error) : resolve()));
  });
}

function readCertificates(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new MailError('tls', `cannot read the certificates in ${path}`, undefined, { cause });
  }
}

interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

function toMailError(error: unknown, destination: string): MailError {
  if (error instanceof MailError) return error;
  const { code = 'unknown', responseCode } = error as SmtpError;
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const reason = error instanceof Error ? error.message : String(error);
  const text = `${destination}: ${reason}`;
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return new MailError('login-refused', text, status);
    case 'ETLS':
      return new MailError('tls', text, status);
    case 'ETIMEDOUT':
      return new MailError('timed-out', text, status);
    case 'EENVELOPE':
    case 'EMESSAGE':
      return new MailError(status === undefined || isPermanentFailure(status) ? 'rejected' : 'deferred', text, status);
    default:
      return isTlsError(String(code), reason) ? new MailError('tls', text) : unreachableError(text, status);
  }
}

function unreachableError(text: string, status: number | undefined): MailError {
  return new MailError(status === undefined ? 'unreachable' : 'deferred', text, status);
}

/** Reports whether a reply is a permanent failure: 5yz (RFC 5321 §4.2.1). */
function isPermanentFailure(status: number): boolean {
  return status >= 500 && status < 600;
}

function isTlsError(code: string, text: string): boolean {
  return (
    /^(?:ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || /certificate|SSL routines/.test(text)
  );
}
