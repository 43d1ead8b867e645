import { isUrl } from '../urls.ts';

/** The destination of e-mails, which the `mail` setting determines. */
export type MailTarget = ConsoleTarget | FileTarget | SmtpTarget;

interface ConsoleTarget {
  readonly kind: 'console';
}

export interface FileTarget {
  readonly kind: 'file';
  /** The path of a directory. */
  readonly directory: string;
}

export interface SmtpTarget {
  readonly kind: 'smtp';
  readonly host: string;
  readonly port: number;
  /** How the connection is encrypted: from the start, after STARTTLS, or not at all. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  /** The path of a PEM file with trusted CA certificates; without it, Node's default CA certificates are used. */
  readonly rootCertificates: string | undefined;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;
const SUBMISSION_PORT = 587;
const SUBMISSIONS_PORT = 465;

/** The syntax of the setting, for messages. */
export const MAIL_TARGET_FORM =
  'off, console, file:DIRECTORY, smtp://user:password@host:587 or smtps://user:password@host:465; ' +
  'add ?ca=FILE to trust your own certificate authority';

/**
 * Parses the `mail` setting. A connection to another machine is always encrypted, and the server's certificate is
 * verified. A connection to a loopback address is not encrypted, unless the URL begins with `smtps` or has a `ca`
 * parameter.
 * @throws Error if the text is invalid; the message gives the reason, without the password
 */
export function parseMailTarget(text: string): MailTarget {
  if (text === 'console') return { kind: 'console' };
  if (text.startsWith('file:')) {
    const directory = text.slice('file:'.length).replace(/^\/\//, '');
    return directory === '' ? fail('the directory is missing') : { kind: 'file', directory };
  }
  if (!/^smtps?:\/\/[^\s\\]+$/.test(text) || !isUrl(text)) return fail('its syntax is not recognized');
  return parseSmtpUrl(new URL(text));
}

/** Reports whether `parseMailTarget` accepts the text. */
export function isMailTarget(text: string): boolean {
  try {
    parseMailTarget(text);
    return true;
  } catch {
    return false;
  }
}

/** Describes a target to the operator, without the password. */
export function describeMailTarget(target: MailTarget): string {
  switch (target.kind) {
    case 'console':
      return 'the console';
    case 'file':
      return `the directory ${target.directory}`;
    case 'smtp':
      return `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  }
}

function parseSmtpUrl({ protocol, hostname, port, username, password, pathname, hash, searchParams }: URL): SmtpTarget {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === '') fail('the host is missing');
  if (!['', '/'].includes(pathname) || hash !== '') fail('it has a path or a fragment');
  const unknownParameter = [...searchParams.keys()].find((name) => name !== 'ca');
  if (unknownParameter !== undefined) fail('it has an unknown parameter');
  if (username === '' && password !== '') fail('the user is missing');
  const rootCertificates = searchParams.get('ca') ?? undefined;
  const isImplicit = protocol === 'smtps:';
  const isUnencrypted = LOOPBACK.test(host) && rootCertificates === undefined;
  return {
    kind: 'smtp',
    host,
    port: port === '' ? (isImplicit ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(port),
    tls: isImplicit ? 'implicit' : isUnencrypted ? 'none' : 'starttls',
    login: username === '' ? undefined : { user: decode(username), password: decode(password) },
    rootCertificates,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return fail('the percent-encoding of the user or the password is invalid');
  }
}

function fail(problem: string): never {
  throw new Error(`the mail setting is invalid: ${problem}`);
}
