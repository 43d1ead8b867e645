/** The reason why an e-mail was not sent. */
export type MailFailure =
  | 'off'
  | 'unreachable'
  | 'timed-out'
  | 'tls'
  | 'login-refused'
  | 'deferred'
  | 'rejected'
  | 'unwritable';

/**
 * Thrown when an e-mail was not sent. The message is for the operator. It may contain the recipient's address, so it
 * must not be logged.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
  readonly reason: MailFailure;
  /** The SMTP server's reply code, if its reply is the reason. */
  readonly status: number | undefined;

  constructor(reason: MailFailure, message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.status = status;
  }
}

/** Reports whether the same e-mail would be refused again. */
export function isPermanent({ reason }: MailError): boolean {
  return reason === 'rejected';
}
