import { nextKeys } from '../../../domain/signing-keys.ts';
import { SIGNING_ALGORITHMS, type EpochSeconds, type SigningAlgorithm } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { KeyRotation } from '../../../oauth/signing/key-rotation.ts';
import type { SigningKey } from '../../../projections/signing-keys.ts';
import { outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { joinItems } from '../lists/page-list.ts';
import { sendPage } from '../send-page.ts';
import { signingKeyList } from './key-list.ts';
import type { KeyPages } from './key-locals.ts';
import { addKeyRetirement, type KeyRetirementDeps } from './key-retirement.ts';
import { administratorTimeZone, keyVersion } from './key-texts.ts';
import type { AdminPages } from './locals.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface AdminKeyDeps extends KeyRetirementDeps {
  readonly keyRotation: Pick<KeyRotation, 'retire' | 'rotate'>;
  readonly pages: KeyPages & Pick<AdminPages, 'adminConfirm'>;
  readonly now: () => EpochSeconds;
}

const PAGE_PATH = '/admin/keys/';
const ROTATION_PATH = '/admin/keys/rotate/';

/** Adds the list of signing keys, and the pages for introducing and retiring keys. */
export function addKeyPages(router: PageRouter, deps: AdminKeyDeps): void {
  const { projections, keyRotation, resubmissionGuard, pages, now } = deps;
  const { signingKeys: keys } = projections;
  const version = (): string => keyVersion(keys);

  router.get('/keys', (ctx) =>
    sendAdminList(ctx, signingKeyList(keys, now, administratorTimeZone(ctx)), keys.all(), (list) =>
      pages.adminKeys({ ...pageContextFor(ctx, actingUser(ctx)), list }),
    ),
  );

  /** Returns the time at which the algorithm's next key starts signing, or undefined if there is no next key. */
  function nextKeyStart(algorithm: SigningAlgorithm): EpochSeconds | undefined {
    return nextKeys(keys.published(), now()).find((key) => key.algorithm === algorithm)?.from;
  }

  function algorithmOption(ctx: RequestContext, algorithm: SigningAlgorithm) {
    const at = nextKeyStart(algorithm);
    const timeZone = administratorTimeZone(ctx);
    const help = at === undefined ? '' : message('keys-page.has-next', { from: { at, timeZone } });
    return { value: algorithm, title: algorithm, help };
  }

  function show(ctx: RequestContext, rotation: ChosenRotation, errors: FieldErrors = {}): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    sendPage(
      ctx,
      pages.adminKeyRotation({
        ...pageContextFor(ctx, actingUser(ctx)),
        algorithms: SIGNING_ALGORITHMS.map((algorithm) => algorithmOption(ctx, algorithm)),
        chosenAlgorithms: rotation.algorithms,
        start: rotation.start,
        errors,
        formId: resubmissionGuard.mintId(version()),
      }),
    );
  }

  /** Asks for confirmation before new keys sign immediately, because clients may have cached a key set without them. */
  function askForConfirmation(ctx: RequestContext, algorithms: readonly SigningAlgorithm[]): void {
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [
          { href: PAGE_PATH, text: message('keys-page.title') },
          { href: ROTATION_PATH, text: message('keys-page.rotation') },
        ],
        title: message('keys-page.now-question'),
        text: [message('keys-page.now-help')],
        facts: [{ title: message('keys-page.algorithms'), text: joinItems(algorithms) }],
        button: message('keys-page.rotate-now'),
        action: ROTATION_PATH,
        back: ROTATION_PATH,
        hidden: {
          form_id: resubmissionGuard.mintId(version()),
          key_algorithm: algorithms,
          key_start: 'now',
          confirmed: 'yes',
        },
      }),
    );
  }

  router.get('/keys/rotate', (ctx) =>
    show(ctx, {
      algorithms: SIGNING_ALGORITHMS.filter((algorithm) => nextKeyStart(algorithm) === undefined),
      start: 'later',
    }),
  );

  router.post('/keys/rotate', async (ctx) => {
    const form = formOf(ctx);
    const [chosenAlgorithms, start] = [form.list('key_algorithm'), form.text('key_start')];
    const algorithms = SIGNING_ALGORITHMS.filter((algorithm) => chosenAlgorithms.includes(algorithm));
    if (algorithms.length === 0 || (start !== 'later' && start !== 'now'))
      return show(ctx, { algorithms, start }, rotationErrors(algorithms, start));
    if (resubmissionGuard.isOutdated(ctx, version())) throw outdatedFormError();
    if (start === 'now' && form.text('confirmed') !== 'yes') return askForConfirmation(ctx, algorithms);
    const context = userCommandContext(ctx, actingUser(ctx));
    const conflictingKeys = await keyRotation.rotate({ algorithms, start }, now(), context);
    if (conflictingKeys.length > 0)
      return show(ctx, { algorithms, start }, { key_algorithm: nextKeyProblem(conflictingKeys) });
    ctx.state.webSession.flash(message(start === 'now' ? 'keys-page.rotated-now' : 'keys-page.rotated'));
    ctx.redirect(PAGE_PATH);
  });

  addKeyRetirement(router, deps);
}

interface ChosenRotation {
  readonly algorithms: readonly string[];
  readonly start: string;
}

function rotationErrors(algorithms: readonly SigningAlgorithm[], start: string): FieldErrors {
  return {
    ...(algorithms.length === 0 && { key_algorithm: message('keys-page.choose') }),
    ...(start !== 'later' && start !== 'now' && { key_start: message('keys-page.choose-start') }),
  };
}

function nextKeyProblem(keys: readonly SigningKey[]): Text {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return message('keys-page.next-exists', { algorithms: joinItems(algorithms), count: algorithms.length });
}
