import type { SettingName } from '../../../config/settings.ts';
import { message, type Text } from '../../../language/message.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

/** The fields of the form, by their names. */
export type BrandFields = Readonly<
  Record<'brand_name' | 'brand_color' | 'brand_color_dark' | 'brand_support' | 'brand_privacy' | 'brand_terms', string>
>;

interface BrandLogoLocals {
  readonly scheme: 'light' | 'dark';
  /** The address of the current logo, or null. */
  readonly url: string | null;
}

export interface AdminBrandLocals extends PageContext {
  readonly values: BrandFields;
  /** By field; `logo-light` and `logo-dark` for the files. */
  readonly errors: FieldErrors;
  /** The settings of the brand that only the operator can change. */
  readonly fixed: readonly SettingName[];
  readonly preview: {
    /** Tells which of the shown values are entered and which are saved; null if nothing was entered. */
    readonly note: Text | null;
    readonly name: string;
    /** The address of the stylesheet of the preview. */
    readonly stylesheet: string;
    readonly logos: Readonly<Record<'light' | 'dark', string | null>>;
  };
  /** The color of each field: the entered one, even if it is refused, or else the one in effect. */
  readonly swatches: Readonly<Record<'brand_color' | 'brand_color_dark', string>>;
  readonly logos: readonly BrandLogoLocals[];
  /** The number of texts that the operator replaced. */
  readonly texts: number;
  /** An example of a mail: the address of its HTML, and its subject. */
  readonly mail: { readonly href: string; readonly subject: string };
  readonly formId: string;
}

export interface BrandPages {
  adminBrand(locals: AdminBrandLocals): string;
}

export function brandPages(page: PageCompiler): BrandPages {
  return { adminBrand: page('admin/brand', () => message('brand.title')) };
}
