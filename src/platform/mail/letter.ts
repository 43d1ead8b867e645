import { escapeHtml } from '../escape-html.ts';

/** The content of a mail in plain words, from which its text and its HTML are made. */
export interface Letter {
  /** The language of all texts, as a tag of BCP 47. */
  readonly language: string;
  /** The paragraphs, without markup. */
  readonly paragraphs: readonly string[];
  /** Shown as a button after the first paragraph, with `help` for readers without it, and in full in the text. */
  readonly link?: { readonly label: string; readonly url: string; readonly help: string };
  /** Shown at the end in a smaller size: why the user got the mail, and what to do if it was not expected. */
  readonly note: string;
}

/** The bodies of a mail. Values in it are escaped, so they can come from users. */
export function formatLetter({ language, paragraphs, link, note }: Letter): {
  readonly text: string;
  readonly html: string;
} {
  const [first = '', ...others] = paragraphs.map(oneLine);
  const text = [first, ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]), ...others, `-- \n${note}`];
  const html = [
    `<!doctype html><html lang="${escapeHtml(language)}">`,
    '<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>',
    `<body style="${BODY}"><p>${escapeHtml(first)}</p>`,
    link === undefined ? '' : button(link),
    ...others.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p style="${SMALL}">${escapeHtml(note)}</p></body></html>`,
  ].join('\n');
  return { text: `${text.join('\n\n')}\n`, html };
}

function button(link: NonNullable<Letter['link']>): string {
  const [label, url, help] = [link.label, link.url, link.help].map(escapeHtml);
  return (
    `<p style="margin:24px 0"><a href="${url}" style="${BUTTON}">${label}</a></p>` +
    `<p style="${SMALL}">${help}<br>${url}</p>`
  );
}

const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:560px;margin:24px auto;padding:0 16px';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none';
const SMALL = 'font-size:13px;color:#6b7280;word-break:break-word';

/** Prevents a text that a user chose from starting a new line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
