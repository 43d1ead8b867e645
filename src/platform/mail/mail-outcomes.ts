/** The outcomes of e-mails, as counted in metrics. */
export const MAIL_OUTCOMES = ['sent', 'retried', 'failed', 'dropped'] as const;
export type MailOutcome = (typeof MAIL_OUTCOMES)[number];
