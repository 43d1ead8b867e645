import { tooLongProblem } from '../../../accounts/account-problems.ts';
import { logoUrl } from '../../../config/brand-logo.ts';
import { DEFAULT_ACCENT, readableColor, SCHEMES, type HexColor, type Scheme } from '../../../config/brand-colors.ts';
import { BRAND_LINKS } from '../../../config/brand-settings.ts';
import { FORM_FIELDS } from '../../../config/input-limits.ts';
import { removeSettingName } from '../../../config/named-problem.ts';
import { toEnvironmentValue, deriveInput } from '../../../config/setting-inputs.ts';
import { MAX_LENGTH } from '../../../domain/lengths.ts';
import { settings as declared, type SettingName } from '../../../config/settings.ts';
import { message, type Text } from '../../../language/message.ts';
import type { RequestedChange, SettingChanges, SettingProblems } from '../../../oauth/settings/setting-changes.ts';
import { readLogo } from '../../../platform/logos/read-logo.ts';
import { notFound, outdatedFormError } from '../../pipeline/page-error.ts';
import { formOf } from '../../pipeline/page-form.ts';
import { queryOf } from '../../pipeline/query.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { accentOf, isHexColor, type Brand, type BrandSettings } from '../brand.ts';
import { pageContextFor, type FieldErrors } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { allowOwnFrames, sendPage } from '../send-page.ts';
import { addBrandMail, brandMailLocals, type BrandMailDeps } from './brand-mail.ts';
import { addBrandTextPages, type BrandTextDeps } from './brand-texts.ts';
import type { BrandFields, BrandPages } from './brand-locals.ts';
import { previewUrl, previewNote, previewStylesheet, usableSettings } from './brand-preview.ts';

export interface AdminBrandDeps extends BrandMailDeps, BrandTextDeps {
  readonly brand: Brand;
  readonly settingChanges: Pick<SettingChanges, 'change' | 'find' | 'parse'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: BrandPages;
}

const PAGE_PATH = '/admin/brand/';
const LOGO_SETTINGS = { light: 'brandLogo', dark: 'brandLogoDark' } as const;

/** The form's fields for each setting. */
const FIELDS_BY_SETTING = {
  brandName: ['brand_name'],
  brandColor: ['brand_color'],
  brandColorDark: ['brand_color_dark'],
  brandLinks: ['brand_support', 'brand_privacy', 'brand_terms'],
} as const satisfies Partial<Record<SettingName, readonly (keyof BrandFields)[]>>;

type BrandSetting = keyof typeof FIELDS_BY_SETTING;

const SETTINGS = Object.keys(FIELDS_BY_SETTING) as readonly BrandSetting[];

/** The contents of the form, either entered or saved. */
interface FormContents {
  readonly values: BrandFields;
  /** The entered settings that are valid; empty for saved contents. */
  readonly settings: Partial<Pick<BrandSettings, BrandSetting>>;
  readonly errors: FieldErrors;
}

/** Adds the page where administrators change and preview the brand, and the pages for its texts and e-mails. */
export function addBrandPages(router: PageRouter, deps: AdminBrandDeps): void {
  const { brand, settingChanges, resubmissionGuard, pages } = deps;

  const isFixed = (name: SettingName): boolean => settingChanges.find(name)?.fixedBy !== null;

  /** Returns a value that changes with every change to these settings, and recurs only after they have been reset. */
  const version = (): string => SETTINGS.map((name) => settingChanges.find(name)?.changed?.position ?? 0).join(' ');

  function savedFields(): BrandFields {
    const { brandName, brandColor, brandColorDark, brandLinks } = brand.settings;
    return {
      brand_name: brandName,
      brand_color: brandColor ?? '',
      brand_color_dark: brandColorDark ?? '',
      brand_support: brandLinks.support ?? '',
      brand_privacy: brandLinks.privacy ?? '',
      brand_terms: brandLinks.terms ?? '',
    };
  }

  function show(ctx: RequestContext, { values, settings, errors }: FormContents, isEntered: boolean): void {
    if (Object.keys(errors).length > 0) ctx.status = 422;
    const shownSettings = { ...brand.settings, ...usableSettings(settings, errors) };
    const { logos } = brand.pageParts();
    sendPage(
      ctx,
      pages.adminBrand({
        ...pageContextFor(ctx, actingUser(ctx)),
        values,
        errors,
        fixed: SETTINGS.filter(isFixed),
        preview: {
          note: isEntered ? previewNote(errors) : null,
          name: shownSettings.brandName,
          stylesheet: previewUrl(`${PAGE_PATH}preview.css`, shownSettings),
          logos,
        },
        swatches: {
          brand_color: swatchColor(values.brand_color, shownSettings.brandColor ?? DEFAULT_ACCENT),
          brand_color_dark: swatchColor(
            values.brand_color_dark,
            accentOf(shownSettings, 'dark') ?? readableColor(DEFAULT_ACCENT, 'dark'),
          ),
        },
        logos: SCHEMES.filter((scheme) => !isFixed(LOGO_SETTINGS[scheme])).map((scheme) => ({
          scheme,
          url: brand.settings[LOGO_SETTINGS[scheme]] === null ? null : logos[scheme],
        })),
        texts: Object.values(brand.settings.brandTexts).flatMap((languageTexts) => Object.keys(languageTexts)).length,
        mail: brandMailLocals(ctx, deps),
        formId: resubmissionGuard.mintId(version()),
      }),
    );
    allowOwnFrames(ctx);
  }

  /** Reads the form. Fixed settings keep their saved values. */
  function readForm(ctx: RequestContext): FormContents {
    const form = formOf(ctx);
    const editableNames = SETTINGS.filter((name) => !isFixed(name));
    const fields = editableNames.flatMap((name) =>
      FIELDS_BY_SETTING[name].map((field) => [field, form.trimmed(field)] as const),
    );
    const values: BrandFields = { ...savedFields(), ...Object.fromEntries(fields) };
    const strings = settingStrings(values);
    const settings: Partial<Record<BrandSetting, unknown>> = {};
    const problems: Record<string, Text> = {};
    for (const name of editableNames) {
      const result = settingChanges.parse(name, toEnvironmentValue(deriveInput(name), strings[name]));
      if ('problem' in result) problems[name] = result.problem;
      else settings[name] = result.value;
    }
    return {
      values,
      settings: settings as FormContents['settings'],
      errors: { ...toFormErrors(problems), ...linkErrors(values, problems), ...lengthErrors(fields) },
    };
  }

  const savedContents = (): FormContents => ({ values: savedFields(), settings: {}, errors: {} });

  router.get('/brand', (ctx) => show(ctx, savedContents(), false));

  addBrandMail(router, deps);
  addBrandTextPages(router, deps);

  router.post('/brand/preview', (ctx) => show(ctx, readForm(ctx), true));

  router.post('/brand', async (ctx) => {
    const enteredBrand = readForm(ctx);
    if (Object.keys(enteredBrand.errors).length > 0) return show(ctx, enteredBrand, true);
    if (resubmissionGuard.isOutdated(ctx, version())) throw outdatedFormError();
    const change = changeTo(enteredBrand.settings);
    if (Object.keys(change.set).length + change.reset.length === 0) return redirectWithNotice(ctx, 'brand.unchanged');
    const result = await settingChanges.change(change, userCommandContext(ctx, actingUser(ctx)));
    if ('problems' in result) return show(ctx, { ...enteredBrand, errors: toFormErrors(result.problems) }, true);
    redirectWithNotice(ctx, 'brand.saved');
  });

  /** Returns an error for the field of each invalid link. */
  function linkErrors(values: BrandFields, problems: SettingProblems): FieldErrors {
    if (problems['brandLinks'] === undefined) return {};
    const isInvalid = (link: (typeof BRAND_LINKS)[number]): boolean =>
      'problem' in settingChanges.parse('brandLinks', settingStrings(withOnlyLink(values, link)).brandLinks);
    return Object.fromEntries(
      BRAND_LINKS.filter(isInvalid).map((link) => [
        `brand_${link}`,
        message(link === 'support' ? 'brand.enter-support' : 'brand.enter-link'),
      ]),
    );
  }

  /** Returns the change that gives the settings these values. A setting whose new value is the default is reset. */
  function changeTo(values: FormContents['settings']): RequestedChange {
    const changedValues = Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(settingChanges.find(name)?.value),
    );
    return {
      set: Object.fromEntries(changedValues.filter((entry) => !isDefault(entry))),
      reset: changedValues.filter(isDefault).map(([name]) => name),
    };
  }

  router.with({ takesFile: true }).post('/brand/logo', async (ctx) => {
    const scheme = requireScheme(ctx);
    const name = LOGO_SETTINGS[scheme];
    const file = readLogo(ctx.state.file ?? Buffer.alloc(0));
    const showProblem = (problem: Text): void =>
      show(ctx, { ...savedContents(), errors: { [`logo-${scheme}`]: problem } }, false);
    if ('problem' in file) return showProblem(file.problem);
    const change = { set: { [name]: logoUrl(file.image) }, reset: [] };
    const result = await settingChanges.change(change, userCommandContext(ctx, actingUser(ctx)));
    if ('problems' in result) return showProblem(removeSettingName(Object.values(result.problems)[0] ?? ''));
    redirectWithNotice(ctx, 'brand.logo-changed');
  });

  router.post('/brand/logo/remove', async (ctx) => {
    const name = LOGO_SETTINGS[requireScheme(ctx)];
    const isLogoSet = settingChanges.find(name)?.changed !== null;
    if (isLogoSet) await settingChanges.change({ set: {}, reset: [name] }, userCommandContext(ctx, actingUser(ctx)));
    redirectWithNotice(ctx, 'brand.logo-removed');
  });

  router.get('/brand/preview.css', async (ctx) => {
    const query = queryOf(ctx);
    const [light, dark] = SCHEMES.map((scheme) => parseColor(query.text(scheme) ?? ''));
    ctx.type = 'css';
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await previewStylesheet(brand.assets, { light: light ?? null, dark: dark ?? null });
  });
}

function redirectWithNotice(
  ctx: RequestContext,
  notice: 'brand.saved' | 'brand.unchanged' | 'brand.logo-changed' | 'brand.logo-removed',
): void {
  ctx.state.webSession.flash(message(notice));
  ctx.redirect(PAGE_PATH);
}

function requireScheme(ctx: RequestContext): Scheme {
  const enteredScheme = formOf(ctx).text('brand_scheme');
  const scheme = SCHEMES.find((candidate) => candidate === enteredScheme);
  if (scheme === undefined) throw notFound();
  return scheme;
}

/**
 * Converts problems with settings to errors keyed by field name. The errors leave out the setting's name, which the
 * page does not show.
 */
function toFormErrors(problems: SettingProblems): FieldErrors {
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, problem]) => {
      if (name === 'brandLinks') return []; // `linkErrors` reports the problems with links
      const [field = name] = FIELDS_BY_SETTING[name as BrandSetting] ?? [];
      return [[field, rewordBrandProblem(name, removeSettingName(problem))]];
    }),
  );
}

/** Rewords the problem for the form, which shows the entered value. */
function rewordBrandProblem(name: string, problem: Text): Text {
  if (typeof problem === 'string' || !problem.key.startsWith('setting-problem.must-be')) return problem;
  return name === 'brandName'
    ? message('brand.enter-name', { limit: MAX_LENGTH.brandName })
    : message('brand.enter-color');
}

function withOnlyLink(values: BrandFields, link: (typeof BRAND_LINKS)[number]): BrandFields {
  return {
    ...values,
    brand_support: '',
    brand_privacy: '',
    brand_terms: '',
    [`brand_${link}`]: values[`brand_${link}`],
  };
}

/**
 * Returns errors for values that are too long. Settings ignore leading and trailing spaces, so their own length check
 * may miss such values.
 */
function lengthErrors(fields: readonly (readonly [keyof BrandFields, string])[]): FieldErrors {
  const longFields = fields.filter(([field, text]) => text.length > FORM_FIELDS[field]);
  return Object.fromEntries(longFields.map(([field]) => [field, tooLongProblem(FORM_FIELDS[field])]));
}

/** Returns the color for a color picker: the entered text, or the previewed color if the text is not a color. */
function swatchColor(enteredText: string, previewedColor: HexColor): string {
  return isHexColor(enteredText) ? enteredText : previewedColor;
}

/** @throws PageError 404 if the text is neither empty nor six lower-case hexadecimal digits */
function parseColor(text: string): HexColor | null {
  if (text === '') return null;
  const color = `#${text}` as const;
  if (!isHexColor(color)) throw notFound();
  return color;
}

function settingStrings(values: BrandFields): Readonly<Record<BrandSetting, string>> {
  const links = BRAND_LINKS.map((name) => [name, values[`brand_${name}`]] as const).filter(([, href]) => href !== '');
  return {
    brandName: values.brand_name,
    brandColor: values.brand_color,
    brandColorDark: values.brand_color_dark,
    brandLinks: JSON.stringify(Object.fromEntries(links)),
  };
}

function isDefault([name, value]: readonly [string, unknown]): boolean {
  return JSON.stringify(value) === JSON.stringify(declared[name as BrandSetting].default);
}
