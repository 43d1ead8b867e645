import { CATALOGS } from './catalog.ts';
import { createTranslator } from './translator.ts';

/** The translator for text that programs and operators read, which is English in every installation. */
export const english = createTranslator('en', CATALOGS.en);
