import type { SettingName } from '../../../config/settings.ts';
import type { Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { BrandMailLocals } from './brand-mail.ts';
import type { PageCompiler } from './provider-locals.ts';

/** The form's values, keyed by field name. */
export type BrandFields = Readonly<
  Record<'brand_name' | 'brand_color' | 'brand_color_dark' | 'brand_support' | 'brand_privacy' | 'brand_terms', string>
>;

interface BrandLogoLocals {
  readonly scheme: 'light' | 'dark';
  /** The URL of the current logo; null if no logo is set. */
  readonly url: string | null;
}

export interface AdminBrandLocals extends PageContext {
  readonly values: BrandFields;
  /** The errors, keyed by field name. Errors about the logo files have the keys `logo-light` and `logo-dark`. */
  readonly errors: FieldErrors;
  /** The settings on the form that only the operator can change. */
  readonly fixed: readonly SettingName[];
  readonly preview: {
    /** A note that says which previewed values were entered and which are saved; null if nothing was entered. */
    readonly note: Text | null;
    readonly name: string;
    /** The URL of the preview's stylesheet. */
    readonly stylesheet: string;
    readonly logos: Readonly<Record<'light' | 'dark', string | null>>;
  };
  /**
   * The color shown in each color picker: the entered color, even if it was refused, or the previewed color if the
   * entered text is not a color.
   */
  readonly swatches: Readonly<Record<'brand_color' | 'brand_color_dark', string>>;
  readonly logos: readonly BrandLogoLocals[];
  /** The number of the operator's texts, including ignored ones. A text that exists in two languages counts twice. */
  readonly texts: number;
  /** An example e-mail. */
  readonly mail: BrandMailLocals;
  readonly formId: string;
}

/** The version of a text in one language, on the page where administrators change the text. */
export interface BrandTextVersion {
  readonly language: Language;
  /** The name of the language, in that language. */
  readonly title: string;
  /** The name of the form field. */
  readonly field: string;
  /** The built-in text; null if this release of Grantlog does not have it, or if it cannot be replaced. */
  readonly standard: string | null;
  /** The text as entered, even if invalid; empty if the standard text is used. */
  readonly own: string;
  /** The reason the saved text is ignored; null if it is not ignored. */
  readonly problem: Text | null;
}

export interface AdminBrandTextLocals extends PageContext {
  readonly key: string;
  readonly placeholders: readonly string[];
  readonly versions: readonly BrandTextVersion[];
  /** The errors, keyed by field name. A problem with the texts taken together has the key `texts`. */
  readonly errors: FieldErrors;
  readonly fixedBy: 'file' | 'environment' | null;
  readonly isReplaced: boolean;
  readonly formId: string;
}

export interface AdminBrandTextsLocals extends ListPageLocals {
  readonly fixedBy: 'file' | 'environment' | null;
  /** The number of the operator's texts that are ignored. A text that is ignored in two languages counts once. */
  readonly ignored: number;
}

export interface BrandPages {
  adminBrand(locals: AdminBrandLocals): string;
  adminBrandTexts(locals: AdminBrandTextsLocals): string;
  adminBrandText(locals: AdminBrandTextLocals): string;
}

export function brandPages(page: PageCompiler): BrandPages {
  return {
    adminBrand: page('admin/brand', () => message('brand.title')),
    adminBrandTexts: page('admin/brand-texts', () => message('brand-texts.title')),
    adminBrandText: page('admin/brand-text', ({ key }) => message('brand-texts.title-of', { key })),
  };
}
