/** An image that the HTML shows. It is part of the mail, so the reader's mail client loads nothing from a server. */
export interface InlineImage {
  /** The Content-ID without angle brackets. The HTML refers to it with a `cid:` URL (RFC 2392). */
  readonly contentId: string;
  readonly mediaType: string;
  readonly base64: string;
}

/** A mail to one recipient. */
export interface MailMessage {
  /** One address, without a name. */
  readonly to: string;
  /** The language of the mail, as a BCP 47 tag. */
  readonly language?: string;
  readonly subject: string;
  readonly text: string;
  /** The text as HTML; by default, the mail has no HTML. */
  readonly html?: string;
  readonly images?: readonly InlineImage[];
}

/** A mail in the format in which it is sent. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  /** RFC 5322, with CRLF. */
  readonly bytes: Buffer;
  /** For transports that print the mail. */
  readonly message: MailMessage;
}

/** Sends mails to one destination. */
export interface MailTransport {
  /**
   * Sends the mail. Resolves once the destination has accepted it.
   * @throws MailFailed
   */
  deliver(mail: ComposedMail): Promise<void>;
  /**
   * Finds out whether mails can be sent, without sending one.
   * @throws MailFailed
   */
  check(): Promise<void>;
  /** Aborts the deliveries in progress. */
  close(): void;
}
