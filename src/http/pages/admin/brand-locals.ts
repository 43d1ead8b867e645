import type { SettingName } from '../../../config/settings.ts';
import type { Language } from '../../../language/languages.ts';
import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { BrandMailLocals } from './brand-mail.ts';
import type { PageCompiler } from './provider-locals.ts';

/** The fields of the form, by their names. */
export type BrandFields = Readonly<
  Record<'brand_name' | 'brand_color' | 'brand_color_dark' | 'brand_support' | 'brand_privacy' | 'brand_terms', string>
>;

interface BrandLogoLocals {
  readonly scheme: 'light' | 'dark';
  /** The URL of the current logo, or null. */
  readonly url: string | null;
}

export interface AdminBrandLocals extends PageContext {
  readonly values: BrandFields;
  /** The errors by field; `logo-light` and `logo-dark` for the files. */
  readonly errors: FieldErrors;
  /** The settings of the brand that only the operator can change. */
  readonly fixed: readonly SettingName[];
  readonly preview: {
    /** States which of the shown values are entered and which are saved; null if nothing was entered. */
    readonly note: Text | null;
    readonly name: string;
    /** The URL of the stylesheet of the preview. */
    readonly stylesheet: string;
    readonly logos: Readonly<Record<'light' | 'dark', string | null>>;
  };
  /** The color that each field shows: the entered one if it is a color, even a refused one, or else the current one. */
  readonly swatches: Readonly<Record<'brand_color' | 'brand_color_dark', string>>;
  readonly logos: readonly BrandLogoLocals[];
  /** The number of replaced texts. A text that is replaced in two languages counts twice. */
  readonly texts: number;
  /** An example of a mail. */
  readonly mail: BrandMailLocals;
  readonly formId: string;
}

/** One language of a text on the page that changes it. */
export interface BrandTextVersion {
  readonly language: Language;
  /** The name of the language, in that language. */
  readonly title: string;
  /** The name of the field. */
  readonly field: string;
  /** Null if Grantlog has no such text. */
  readonly standard: string | null;
  /** The text as entered, even if invalid; empty for the standard text. */
  readonly own: string;
  /** Why the saved text is ignored; null if it is not. */
  readonly problem: Text | null;
}

export interface AdminBrandTextLocals extends PageContext {
  readonly key: string;
  readonly placeholders: readonly string[];
  readonly versions: readonly BrandTextVersion[];
  /** The errors by the names of the fields. */
  readonly errors: FieldErrors;
  readonly fixedBy: 'file' | 'environment' | null;
  readonly isOwn: boolean;
  readonly formId: string;
}

export interface AdminBrandTextsLocals extends ListPageLocals {
  readonly fixedBy: 'file' | 'environment' | null;
  /** The number of the operator's texts that are ignored. */
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
