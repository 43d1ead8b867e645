import { CATALOGUES } from './catalogue.ts';
import { createTranslator } from './translator.ts';

/** The translator for programs and operators, whose texts are English in every installation. */
export const english = createTranslator('en', CATALOGUES.en);
