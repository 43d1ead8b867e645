import { FORM_FIELDS, type FieldName } from '../../config/input-limits.ts';
import { message, type Text } from '../../language/message.ts';
import { decodeTruncated, decodeWithin, type Pair } from './form-encoding.ts';
import { PageError } from './page-error.ts';

/** The known fields of a posted form. Unknown fields are ignored. */
export interface Form {
  /**
   * Returns the value of a field, or an empty string if the field is absent.
   * @throws PageError 400 if the field is repeated or too long
   */
  text(name: FieldName): string;
  /**
   * Returns the values of a field that may be repeated.
   * @throws PageError 400 if one of them is too long
   */
  list(name: FieldName): readonly string[];
  /**
   * Returns the value of a field whose rule checks the length itself and puts an error next to the field. A value that
   * is too long is truncated to one character more than the limit, so the rule still refuses the value.
   * @throws PageError 400 if the field is repeated
   */
  input(name: FieldName): string;
  /** Like `input`, without leading and trailing whitespace. A value that is too long is not trimmed. */
  trimmed(name: FieldName): string;
  /** Like `input`, split at whitespace. A value that is too long is returned as a single word. */
  words(name: FieldName): readonly string[];
  /** Like `input`, split into trimmed lines without blank ones. A value that is too long is returned as one line. */
  lines(name: FieldName): readonly string[];
}

/**
 * Creates a form from the pairs in a body.
 * @param pairs the well-formed pairs, in the order of the body
 */
export function createForm(pairs: readonly Pair[]): Form {
  const encodedValues = (name: FieldName): readonly string[] =>
    pairs.filter((pair) => pair.name === name).map(({ value }) => value);

  function singleValue(name: FieldName): string {
    const [value = '', ...rest] = encodedValues(name);
    if (rest.length > 0) throw unreadableFormError(message('error.field-repeated', { name }));
    return value;
  }

  const truncatedValue = (name: FieldName): string => decodeTruncated(singleValue(name), FORM_FIELDS[name]);

  return {
    text: (name) => decodeField(name, singleValue(name)),
    list: (name) => encodedValues(name).map((value) => decodeField(name, value)),
    input: truncatedValue,
    trimmed(name) {
      const text = truncatedValue(name);
      return text.length > FORM_FIELDS[name] ? text : text.trim();
    },
    words(name) {
      const text = truncatedValue(name);
      return text.length > FORM_FIELDS[name] ? [text] : text.split(/\s+/).filter((word) => word !== '');
    },
    lines(name) {
      const text = truncatedValue(name);
      return text.length > FORM_FIELDS[name] ? [text] : splitLines(text);
    },
  };
}

/** Returns the lines of the text, trimmed and without blank ones. */
function splitLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function decodeField(name: FieldName, value: string): string {
  const text = decodeWithin(value, FORM_FIELDS[name]);
  if (text === undefined)
    throw unreadableFormError(message('error.field-too-long', { name, limit: FORM_FIELDS[name] }));
  return text;
}

/** A form without fields, for a request whose body is not a form. */
export const NO_FORM = createForm([]);

export function unreadableFormError(text: Text): PageError {
  return new PageError(
    400,
    message('error.unreadable-form'),
    text,
    message('error.unreadable-form.advice'),
    undefined,
    [],
    ['form-again'],
  );
}
