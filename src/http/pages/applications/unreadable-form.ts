import { message, type Text } from '../../../language/message.ts';
import { PageError } from '../../pipeline/page-error.ts';

/** A field has a value that the form does not offer, as from a script. */
export function unreadableForm(problem: Text): PageError {
  return new PageError(400, message('applications.unreadable'), problem, message('applications.unreadable-advice'));
}
