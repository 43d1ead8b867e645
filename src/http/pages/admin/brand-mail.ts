import type { AccountMails } from '../../../accounts/account-mails.ts';
import type { WrittenMail } from '../../../language/letters.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import type { PageRouter } from '../page-router.ts';

export const MAIL_PAGE = '/admin/brand/mail/';

/** The HTML of mails has its styles in attributes. Only the page of the brand shows it in a frame. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'; sandbox";

/** An example of a mail with the saved brand, in the language of the reader. */
export function mailFor(ctx: RequestContext, accountMails: Pick<AccountMails, 'example'>): WrittenMail {
  return accountMails.example(actingUser(ctx).user, readerLanguage(ctx));
}

/** The HTML of the example, for the frame on the page of the brand. */
export function addBrandMail(router: PageRouter, accountMails: Pick<AccountMails, 'example'>): void {
  router.get('/brand/mail', (ctx) => {
    const { html, images } = mailFor(ctx, accountMails);
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
