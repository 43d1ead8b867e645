import { createHash } from 'node:crypto';
import { escapeHtml } from '../escape-html.ts';
import type { InlineImage } from './mail-message.ts';

/** The server's brand, as shown in HTML e-mails. */
export interface EmailBrand {
  readonly name: string;
  /** The colors of buttons and of their labels, in CSS notation. */
  readonly colors: { readonly accent: string; readonly onAccent: string };
  /** Null if only the name is shown. */
  readonly logo: Omit<InlineImage, 'contentId'> | null;
}

/** The content of an e-mail, from which both its text and its HTML are formatted. */
export interface EmailContent {
  /** The language of the e-mail, as a BCP 47 tag. */
  readonly language: string;
  readonly brand: EmailBrand;
  /** The paragraphs, without markup. */
  readonly paragraphs: readonly string[];
  /**
   * A button after the first paragraph of the HTML, with `help` for readers who cannot use it. The text shows the full
   * URL instead.
   */
  readonly link?: { readonly label: string; readonly url: string; readonly help: string };
  /** Shown at the end in a smaller size: why the user received the e-mail, and what to do if it was not expected. */
  readonly note: string;
}

/** Formats the bodies of an e-mail. In the HTML, all values are escaped, so they may come from users. */
export function formatEmail({ language, brand, paragraphs, link, note }: EmailContent): {
  readonly text: string;
  readonly html: string;
  readonly images: readonly InlineImage[];
} {
  const logo = brand.logo && { contentId: logoContentId(brand.logo), ...brand.logo };
  const logoHtml = logo ? imageHtml(logo) : '';
  const [first = '', ...otherParagraphs] = paragraphs.map(toOneLine);
  const text = [
    first,
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
    ...otherParagraphs,
    `-- \n${note}`,
  ];
  const html = [
    `<!doctype html><html lang="${escapeHtml(language)}">`,
    '<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>',
    `<body style="${BODY}"><p style="${HEADER}">${logoHtml}<strong>${escapeHtml(brand.name)}</strong></p>`,
    `<p>${escapeHtml(first)}</p>`,
    link === undefined ? '' : buttonHtml(link, brand),
    ...otherParagraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p style="${SMALL}">${escapeHtml(note)}</p></body></html>`,
  ].join('\n');
  return { text: `${text.join('\n\n')}\n`, html, images: logo ? [logo] : [] };
}

/** Returns a different id for each image, because mail clients may cache images by Content-ID. */
function logoContentId({ base64 }: NonNullable<EmailBrand['logo']>): string {
  return `logo.${createHash('sha256').update(base64).digest('hex')}@grantlog`;
}

/** Formats an image without alternative text, because the name is next to it. */
function imageHtml({ contentId }: InlineImage): string {
  return `<img src="cid:${contentId}" alt="" height="32" style="${LOGO}">`;
}

function buttonHtml(link: NonNullable<EmailContent['link']>, { colors }: EmailBrand): string {
  const [label, url, help] = [link.label, link.url, link.help].map(escapeHtml);
  const buttonColors = `background:${colors.accent};color:${colors.onAccent}`;
  return (
    `<p style="margin:24px 0"><a href="${url}" style="${BUTTON};${escapeHtml(buttonColors)}">${label}</a></p>` +
    `<p style="${SMALL}">${help}<br>${url}</p>`
  );
}

const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:560px;margin:24px auto;padding:0 16px';
const HEADER = 'margin:0 0 24px;font-size:18px';
/** The background is white, because a logo for light pages may be invisible on a mail client's dark background. */
const LOGO =
  'height:32px;max-width:240px;object-fit:contain;margin-right:12px;padding:4px;background:#ffffff;' +
  'border-radius:6px;vertical-align:middle';
const BUTTON = 'display:inline-block;padding:12px 20px;border-radius:6px;text-decoration:none';
const SMALL = 'font-size:13px;color:#6b7280;word-break:break-word';

/** Prevents user-chosen text from starting a new line. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
