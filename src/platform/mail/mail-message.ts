/** An image shown in the HTML. It is part of the e-mail, so the reader's mail client loads nothing from a server. */
export interface InlineImage {
  /** The Content-ID without angle brackets. The HTML refers to it with a `cid:` URL (RFC 2392). */
  readonly contentId: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** An e-mail to one recipient. */
export interface MailMessage {
  /** One address, without a name. */
  readonly to: string;
  /** The language of the e-mail, as a BCP 47 tag. */
  readonly language?: string;
  readonly subject: string;
  readonly text: string;
  /** The text as HTML; by default, the e-mail has no HTML. */
  readonly html?: string;
  readonly images?: readonly InlineImage[];
}

/** An e-mail, formatted for sending. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  /** In the format of RFC 5322, with CRLF line endings. */
  readonly bytes: Buffer;
  /** For transports that print the e-mail. */
  readonly message: MailMessage;
}

/** Sends e-mails to one destination. */
export interface MailTransport {
  /**
   * Sends the e-mail. Resolves once the destination has accepted it.
   * @throws MailError if the e-mail was not sent
   */
  deliver(mail: ComposedMail): Promise<void>;
  /**
   * Checks whether e-mails can be sent, without sending one.
   * @throws MailError if they cannot be sent
   */
  check(): Promise<void>;
  /** Aborts the deliveries in progress. */
  close(): void;
}
