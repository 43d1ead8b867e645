import { MAIL_EXAMPLES, type MailExample, type MailExamples } from '../../../accounts/mail-examples.ts';
import { LANGUAGE_NAMES, type Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import { queryOf } from '../../pipeline/query.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { PageRouter } from '../page-router.ts';

export interface BrandMailDeps {
  readonly mailExamples: MailExamples;
  readonly settings: { readonly languages: readonly [Language, ...Language[]] };
}

/** The example e-mail shown on the brand page, and the e-mails and languages to choose from. */
export interface BrandMailLocals {
  readonly href: string;
  readonly from: string;
  readonly subject: string;
  readonly example: MailExample;
  readonly language: Language;
  readonly examples: readonly { readonly value: MailExample; readonly title: Text }[];
  readonly languages: readonly { readonly value: Language; readonly title: string }[];
}

const MAIL_PAGE = '/admin/brand/mail/';

/** Allows the inline styles and images of e-mails, and lets only this server's own pages show the e-mail in a frame. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox";

/** Reads the chosen example and language. The default is the first example, in the reader's language. */
function readChoice(ctx: RequestContext, { languages }: BrandMailDeps['settings']) {
  const query = queryOf(ctx);
  const findLanguage = (tag: string | null | undefined): Language | undefined =>
    languages.find((language) => language === tag);
  return {
    example: MAIL_EXAMPLES.find((candidate) => candidate === query.text('mail')) ?? MAIL_EXAMPLES[0],
    language: findLanguage(query.text('language')) ?? findLanguage(readerLanguage(ctx)) ?? languages[0],
  };
}

export function brandMailLocals(ctx: RequestContext, { mailExamples, settings }: BrandMailDeps): BrandMailLocals {
  const { example, language } = readChoice(ctx, settings);
  return {
    href: `${MAIL_PAGE}?${new URLSearchParams({ mail: example, language }).toString()}`,
    from: mailExamples.sender(),
    subject: mailExamples.write(example, actingUser(ctx).user, language).subject,
    example,
    language,
    examples: MAIL_EXAMPLES.map((value) => ({ value, title: message(`brand-mail.${value}`) })),
    languages: settings.languages.map((value) => ({ value, title: LANGUAGE_NAMES[value] })),
  };
}

/** Adds the route that serves the example's HTML for the frame on the brand page. */
export function addBrandMail(router: PageRouter, { mailExamples, settings }: BrandMailDeps): void {
  router.get('/brand/mail', (ctx) => {
    const { example, language } = readChoice(ctx, settings);
    const { html, images } = mailExamples.write(example, actingUser(ctx).user, language);
    const withImages = images.reduce(
      (text, { contentId, mediaType, base64 }) =>
        text.replaceAll(`cid:${contentId}`, `data:${mediaType};base64,${base64}`),
      html,
    );
    ctx.type = 'html';
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Security-Policy', MAIL_POLICY);
    ctx.set('X-Frame-Options', 'SAMEORIGIN');
    ctx.body = withImages;
  });
}
