import { tooLongProblem } from '../../../accounts/account-problems.ts';
import { MAX_LENGTH } from '../../../domain/lengths.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import type { EditableText, TextChanges, TextEdits, TextProblems } from '../../../oauth/settings/own-texts.ts';
import { notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import { readerLanguage } from '../../pipeline/reader-language.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import type { BrandPages } from './brand-locals.ts';
import { brandTextList, isIgnored, textPagePath } from './brand-text-list.ts';
import { sendAdminList } from './send-admin-list.ts';

export interface BrandTextDeps {
  readonly textChanges: TextChanges;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: BrandPages;
}

const FIELD_BY_LANGUAGE = { en: 'own_text_en', de: 'own_text_de' } as const satisfies Readonly<
  Record<Language, string>
>;

type EnteredTexts = Readonly<Record<Language, string>>;

/** Adds the list of page and e-mail texts, and the page where administrators replace a text. */
export function addBrandTextPages(router: PageRouter, { textChanges, resubmissionGuard, pages }: BrandTextDeps): void {
  function requireText(ctx: RequestContext): EditableText {
    const text = textChanges.find(pathParameter(ctx, 'text'));
    if (text === undefined) throw notFound();
    return text;
  }

  function show(
    ctx: RequestContext,
    text: EditableText,
    { texts, errors }: { readonly texts: EnteredTexts; readonly errors: FieldErrors },
  ): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const { key, versions } = text;
    sendPage(
      ctx,
      pages.adminBrandText({
        ...pageContextFor(ctx, actingUser(ctx)),
        key,
        placeholders: text.placeholders(),
        versions: LANGUAGES.map((language) => ({
          language,
          title: LANGUAGE_NAMES[language],
          field: FIELD_BY_LANGUAGE[language],
          standard: versions[language].standard,
          own: texts[language],
          problem: versions[language].problem,
        })),
        errors,
        fixedBy: textChanges.fixedBy(),
        isReplaced: Object.values(versions).some(({ own }) => own !== null),
        formId: resubmissionGuard.mintId(versionOf(text)),
      }),
    );
  }

  router.get('/brand/texts', (ctx) => {
    const texts = textChanges.all();
    sendAdminList(ctx, brandTextList(readerLanguage(ctx) ?? 'en'), texts, (list) =>
      pages.adminBrandTexts({
        ...pageContextFor(ctx, actingUser(ctx)),
        list,
        fixedBy: textChanges.fixedBy(),
        ignored: texts.filter(isIgnored).length,
      }),
    );
  });

  router.get('/brand/texts/:text', (ctx) => {
    const text = requireText(ctx);
    show(ctx, text, { texts: savedTexts(text), errors: {} });
  });

  router.post('/brand/texts/:text', async (ctx) => {
    const text = requireText(ctx);
    const enteredTexts = readTexts(ctx);
    const tooLongErrors = lengthErrors(enteredTexts);
    if (Object.keys(tooLongErrors).length > 0) return show(ctx, text, { texts: enteredTexts, errors: tooLongErrors });
    if (resubmissionGuard.isOutdated(ctx, versionOf(text))) throw outdatedFormError();
    const edits = editsOf(text, enteredTexts);
    if (Object.keys(edits).length === 0) return redirectWithNotice(ctx, text, 'brand.unchanged');
    const problems = await textChanges.change(text.key, edits, userCommandContext(ctx, actingUser(ctx)));
    if (Object.keys(problems).length > 0)
      return show(ctx, text, { texts: enteredTexts, errors: toFormErrors(problems) });
    redirectWithNotice(ctx, text, 'brand-texts.saved');
  });

  router.post('/brand/texts/:text/reset', async (ctx) => {
    const text = requireText(ctx);
    if (resubmissionGuard.isOutdated(ctx, versionOf(text))) throw outdatedFormError();
    const edits = editsOf(text, { en: '', de: '' });
    const context = userCommandContext(ctx, actingUser(ctx));
    const problems = Object.keys(edits).length === 0 ? {} : await textChanges.change(text.key, edits, context);
    if (Object.keys(problems).length > 0)
      return show(ctx, text, { texts: savedTexts(text), errors: toFormErrors(problems) });
    redirectWithNotice(ctx, text, 'brand-texts.was-reset');
  });

  /** Redirects to the text's page, or to the list if the text was reset and is not in this release's catalog. */
  function redirectWithNotice(
    ctx: RequestContext,
    { key }: EditableText,
    notice: 'brand.unchanged' | 'brand-texts.saved' | 'brand-texts.was-reset',
  ): void {
    ctx.state.webSession.flash(message(notice));
    ctx.redirect(textChanges.find(key) === undefined ? '/admin/brand/texts/' : textPagePath(key));
  }
}

/** Returns a value that changes with every change to the text. */
function versionOf({ key, versions }: EditableText): string {
  return JSON.stringify([key, LANGUAGES.map((language) => versions[language].own)]);
}

function savedTexts({ versions }: EditableText): EnteredTexts {
  return { en: versions.en.own ?? '', de: versions.de.own ?? '' };
}

/** Returns the entered texts, with the CRLF line breaks that browsers send converted to LF. */
function readTexts(ctx: RequestContext): EnteredTexts {
  const form = formOf(ctx);
  const readField = (language: Language): string => form.trimmed(FIELD_BY_LANGUAGE[language]).replaceAll('\r\n', '\n');
  return { en: readField('en'), de: readField('de') };
}

function editsOf({ versions }: EditableText, enteredTexts: EnteredTexts): TextEdits {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = enteredTexts[language] === '' ? null : enteredTexts[language];
      return text === versions[language].own ? [] : [[language, text]];
    }),
  );
}

function lengthErrors(enteredTexts: EnteredTexts): FieldErrors {
  const languages = LANGUAGES.filter((language) => enteredTexts[language].length > MAX_LENGTH.customText);
  return Object.fromEntries(
    languages.map((language) => [FIELD_BY_LANGUAGE[language], tooLongProblem(MAX_LENGTH.customText)]),
  );
}

function toFormErrors({ all, ...problems }: TextProblems): FieldErrors {
  const fieldErrors = LANGUAGES.flatMap((language): [string, Text][] => {
    const problem = problems[language];
    return problem === undefined ? [] : [[FIELD_BY_LANGUAGE[language], message('brand-texts.refused', { problem })]];
  });
  return { ...Object.fromEntries(fieldErrors), ...(all !== undefined && { texts: all }) };
}
