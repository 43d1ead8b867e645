import { message, type Text } from '../../language/message.ts';
import type { SeenToken } from './exchange-refusal.ts';

/** Returns the kind of a credential as a choice in a message. */
export function formChoice(form: SeenToken): string {
  return form.replaceAll(' ', '_');
}

/** Returns the name of a kind of credential, such as "access token". */
export function credentialName(form: SeenToken): Text {
  return message('refusal.credential', { form: formChoice(form) });
}

/** Returns the name of a kind of credential with its article, such as "an access token". */
export function credentialWithArticle(form: SeenToken): Text {
  return message('refusal.a-credential', { form: formChoice(form) });
}
