import { message, type Text } from '../../../language/message.ts';
import type { ListPageLocals } from '../lists/list-locals.ts';
import type { FieldErrors, PageContext } from '../page-context.ts';
import type { PageCompiler } from './provider-locals.ts';

interface AdminKeyRotationLocals extends PageContext {
  /** The algorithms to choose from. `help` says when the next key starts signing, or is empty without a next key. */
  readonly algorithms: readonly { readonly value: string; readonly title: string; readonly help: Text }[];
  readonly chosenAlgorithms: readonly string[];
  /** The start as entered, even if invalid. New keys sign after a day for `later`, and immediately for `now`. */
  readonly start: string;
  readonly errors: FieldErrors;
  readonly formId: string;
}

export interface KeyPages {
  adminKeys(locals: ListPageLocals): string;
  adminKeyRotation(locals: AdminKeyRotationLocals): string;
}

export function keyPages(page: PageCompiler): KeyPages {
  return {
    adminKeys: page('admin/keys', () => message('keys-page.title')),
    adminKeyRotation: page('admin/key-rotation', () => message('keys-page.rotation')),
  };
}
