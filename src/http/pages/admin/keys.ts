import { ROTATION_DELAY_SECONDS } from '../../../domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds, type SigningAlgorithm } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { KeyRotation } from '../../../oauth/signing/key-rotation.ts';
import type { SigningKeys } from '../../../projections/signing-keys.ts';
import { outdatedForm } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import type { RepeatedForms } from '../../pipeline/repeated-forms.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { signingKeyList } from './key-list.ts';
import type { KeyPages } from './key-locals.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface AdminKeyParts {
  readonly projections: { readonly signingKeys: Pick<SigningKeys, 'all' | 'published'> };
  readonly keyRotation: Pick<KeyRotation, 'introduce'>;
  readonly repeatedForms: RepeatedForms;
  readonly pages: KeyPages;
  readonly now: () => EpochSeconds;
}

const PAGE = '/admin/keys/';

/** The keys that sign tokens, and the page that introduces new ones. */
export function addKeyPages(router: PageRouter, parts: AdminKeyParts): void {
  const { projections, keyRotation, repeatedForms, pages, now } = parts;
  const { signingKeys: keys } = projections;
  const list = signingKeyList(keys, now);

  /** A value that differs after each introduction, so that a form that is sent twice introduces keys once. */
  const version = (): string => `keys ${keys.all().at(-1)?.introducedPosition ?? 0}`;

  router.get('/keys', (ctx) =>
    sendAdminList(ctx, list, keys.all(), (locals) =>
      pages.adminKeys({ ...pageContextFor(ctx, actingUser(ctx)), list: locals }),
    ),
  );

  function show(
    ctx: RequestContext,
    chosen: { readonly algorithms: readonly string[]; readonly start: string },
    errors: FieldErrors = {},
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.adminKeyRotation({
        ...pageContextFor(ctx, actingUser(ctx)),
        algorithms: SIGNING_ALGORITHMS,
        chosen: chosen.algorithms,
        start: chosen.start,
        errors,
        formId: repeatedForms.mintId(version()),
      }),
    );
  }

  router.get('/keys/rotate', (ctx) => show(ctx, { algorithms: SIGNING_ALGORITHMS, start: 'later' }));

  router.post('/keys/rotate', async (ctx) => {
    const form = formOf(ctx);
    const [chosen, start] = [form.list('key_algorithm'), form.text('key_start')];
    const algorithms = SIGNING_ALGORITHMS.filter((algorithm) => chosen.includes(algorithm));
    const errors: FieldErrors = {
      ...(algorithms.length === 0 && { key_algorithm: message('keys-page.choose') }),
      ...(start !== 'later' && start !== 'now' && { key_start: message('keys-page.choose-start') }),
    };
    if (Object.keys(errors).length > 0) return show(ctx, { algorithms, start }, errors);
    if (repeatedForms.isOutdated(ctx, version())) throw outdatedForm();
    await introduce(ctx, algorithms, start === 'now');
    ctx.state.webSession.flash(message(start === 'now' ? 'keys-page.rotated-now' : 'keys-page.rotated'));
    ctx.redirect(PAGE);
  });

  async function introduce(
    ctx: RequestContext,
    algorithms: readonly SigningAlgorithm[],
    atOnce: boolean,
  ): Promise<void> {
    const from = (now() + (atOnce ? 0 : ROTATION_DELAY_SECONDS)) as EpochSeconds;
    const context = userCommandContext(ctx, actingUser(ctx));
    for (const algorithm of algorithms) await keyRotation.introduce(algorithm, from, 'requested', context);
  }
}
