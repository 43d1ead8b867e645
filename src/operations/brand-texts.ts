import { z } from 'zod';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { english } from '../language/english.ts';
import { LANGUAGES, type Language } from '../language/languages.ts';
import type { EditableText, TextChanges, TextEdits } from '../oauth/settings/own-texts.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidField } from './invalid-fields.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const textId = z.strictObject({
  key: z.string().min(1).max(OPERATION_TEXTS.textKey),
  language: z.enum(LANGUAGES),
});

/** Converts a text to the form that the operations return. */
function toItem({ key, versions, placeholders }: EditableText, language: Language) {
  const { standard, own, problem } = versions[language];
  const ignoredReason = problem === null ? null : english.text(problem);
  return { key, language, standard, placeholders: placeholders(), own, ignored: ignoredReason };
}

function requireText(textChanges: TextChanges, key: string): EditableText {
  const text = textChanges.find(key);
  if (text !== undefined) return text;
  throw new OperationRefused(`no text has the key ${JSON.stringify(key)}; see: grantlog brand texts`, 'unknown');
}

/**
 * Changes a text in the languages of `edits`.
 * @throws OperationRefused if a text cannot replace the standard text, or if the file or the environment sets the texts
 */
async function change({ textChanges, cause }: OperationContext, key: string, edits: TextEdits): Promise<void> {
  const fixedBy = textChanges.fixedBy();
  if (fixedBy !== null) throw new OperationRefused(`brandTexts is set in the ${fixedBy} and can be changed only there`);
  const { all, ...problems } = await textChanges.change(key, edits, cause);
  const messages = Object.entries(problems).map(
    ([language, problem]) => `${language} ${key}: ${english.text(problem)}`,
  );
  if (messages.length > 0) throw invalidField('text', messages.join('; '));
  // Not an invalid field, because this problem also depends on other texts.
  if (all !== undefined) throw new OperationRefused(english.text(all));
}

export const brandTextOperations: Readonly<Record<string, Operation>> = {
  'brand-text list': streamingOperation(
    z.strictObject({ own: z.boolean().optional() }),
    async function* ({ own = true }, { textChanges }) {
      for (const text of textChanges.all())
        for (const item of LANGUAGES.map((language) => toItem(text, language)))
          if (item.own !== null || (!own && item.standard !== null)) yield item;
    },
  ),

  'brand-text set': operation(
    textId.extend({ text: z.string().min(1).max(OPERATION_TEXTS.ownText) }),
    async ({ key, language, text }, context) => {
      requireText(context.textChanges, key);
      await change(context, key, { [language]: text });
      return toItem(requireText(context.textChanges, key), language);
    },
  ),

  'brand-text reset': operation(textId, async ({ key, language }, context) => {
    const { versions } = requireText(context.textChanges, key);
    const { own, standard } = versions[language];
    if (own !== null) await change(context, key, { [language]: null });
    return { key, language, standard, was: own };
  }),
};
