import { CATALOGS } from './catalog.ts';
import { createTranslator } from './translator.ts';

/** The translator for programs and operators, whose texts are English in every installation. */
export const english = createTranslator('en', CATALOGS.en);
