import type { AuthorizationDetail } from '../../../domain/authorization-details.ts';
import { english } from '../../../language/english.ts';
import { message, type Text } from '../../../language/message.ts';
import type { DeclaredType } from '../../../oauth/details/declared-types.ts';

/** The sentence and the resource server of each declared type, keyed by type. */
export type DetailSentences = ReadonlyMap<string, Pick<DeclaredType, 'sentence' | 'resource'>>;

/** An authorization detail as users see it. */
export interface DescribedDetail {
  readonly type: string;
  /** The URI of the resource server; empty unless exactly one resource server declares the type. */
  readonly api: string;
  /** The sentence of the type, in parts. Values come from the application and are marked as values. */
  readonly sentence: readonly { readonly text: Text; readonly isValue: boolean }[];
  /** All members, as JSON. */
  readonly members: string;
}

const MAX_VALUE_LENGTH = 200;
/** The first half of a surrogate pair, left at the end of a shortened text. */
const LONE_SURROGATE = /[\ud800-\udbff]$/;
const NOT_SPECIFIED = message('consent.detail-not-specified');

/** Control characters and other characters that could disguise a value, because they are invisible or reorder text. */
const DISGUISING_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Describes each detail with the sentence of its type, or with the name of the type if the type is not declared. */
export function describeDetails(
  details: readonly AuthorizationDetail[],
  types: DetailSentences,
): readonly DescribedDetail[] {
  return details.map((detail) => {
    const declaredType = types.get(detail.type);
    return {
      type: detail.type,
      api: declaredType?.resource ?? '',
      sentence: fillInSentence(declaredType?.sentence ?? detail.type, detail),
      members: JSON.stringify(detail, null, 2).replaceAll(/[^\n]/gu, (character) =>
        character.replace(DISGUISING_CHARACTERS, '\ufffd'),
      ),
    };
  });
}

/** Returns the sentence as plain text, with values in quotation marks. */
export function formatDetail({ sentence }: DescribedDetail): string {
  return sentence.map(({ text, isValue }) => (isValue ? `“${english.text(text)}”` : english.text(text))).join('');
}

/** Returns the sentence of each type, with placeholders instead of values. */
export function sentencesOf(
  details: readonly AuthorizationDetail[],
  types: DetailSentences,
): readonly { readonly type: string; readonly text: string }[] {
  const typeNames = [...new Set(details.map(({ type }) => type))];
  return typeNames.map((type) => ({ type, text: types.get(type)?.sentence ?? type }));
}

function fillInSentence(sentence: string, detail: AuthorizationDetail): DescribedDetail['sentence'] {
  return sentence.split(/(\{[^{}]*\})/).flatMap((part) => {
    if (part === '') return [];
    const path = /^\{(.*)\}$/.exec(part)?.[1];
    return [path === undefined ? { text: part, isValue: false } : { text: formatMember(detail, path), isValue: true }];
  });
}

function formatMember(detail: AuthorizationDetail, path: string): Text {
  let value: unknown = detail;
  for (const name of path.split('.')) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  const formattedValue = formatValue(value);
  if (typeof formattedValue !== 'string') return formattedValue;
  const text = formattedValue.replaceAll(DISGUISING_CHARACTERS, '\ufffd');
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).replace(LONE_SURROGATE, '')}…` : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function formatValue(value: unknown): Text {
  if (value === undefined || value === null || value === '') return NOT_SPECIFIED;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((element) => typeof element === 'string'))
    return value.join(', ');
  return JSON.stringify(value);
}
