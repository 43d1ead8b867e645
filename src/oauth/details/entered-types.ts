import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { DetailType } from '../../domain/resource-settings.ts';
import { message, type Message } from '../../language/message.ts';
import { boundsProblem } from '../openid/json-bounds.ts';
import { readDetailSchema } from './detail-schema.ts';
import { isPrintable } from '../../domain/printable.ts';

/**
 * The maximum number of types. It is small because every event that records a resource server's settings contains all
 * of them.
 */
const MAX_TYPES = 20;
const MAX_BYTES = 20_000;

const FORMAT_PROBLEM = message('detail-type.form');

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the types of authorization details that were entered for a resource server as a JSON array. Blank text means an
 * empty list.
 * @param takenTypes the types of other resource servers
 * @returns the types to record, or the problem with `text`
 */
export function readDetailTypes(
  text: string,
  takenTypes: readonly string[],
): { readonly types: readonly DetailType[] } | { readonly problem: Message } {
  if (text.trim() === '') return { types: [] };
  const exceededBound = boundsProblem(text, { maxLength: MAX_LENGTH.detailTypes, maxDepth: 20, maxMembers: 5_000 });
  if (exceededBound !== undefined) return { problem: message('detail-type.excess', { excess: exceededBound }) };
  const items = parseList(text);
  if (items === undefined) return { problem: FORMAT_PROBLEM };
  if (items.length > MAX_TYPES) return { problem: message('detail-type.many', { limit: MAX_TYPES }) };
  const types: DetailType[] = [];
  for (const item of items) {
    const result = readDetailType(item, [...takenTypes, ...types.map(({ type }) => type)]);
    if ('problem' in result) return result;
    types.push(result);
  }
  const { byteLength } = Buffer.from(JSON.stringify(types));
  return byteLength > MAX_BYTES ? { problem: message('detail-type.many-bytes', { limit: MAX_BYTES }) } : { types };
}

/** Returns the types in the format that `readDetailTypes` reads. */
export function formatDetailTypes(types: readonly DetailType[] = []): string {
  return types.length === 0 ? '' : JSON.stringify(types.map(withParsedSchema), null, 2);
}

/** Returns the type with its schema parsed. */
export function withParsedSchema({ type, schema, sentence }: DetailType) {
  return { type, schema: JSON.parse(schema) as JsonObject, sentence };
}

function readDetailType(input: unknown, takenTypes: readonly string[]): DetailType | { readonly problem: Message } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { problem: FORMAT_PROBLEM };
  const { type, schema, sentence, ...otherMembers } = input as JsonObject;
  const [unknownMember] = Object.keys(otherMembers);
  if (unknownMember !== undefined || typeof type !== 'string' || typeof sentence !== 'string' || schema === undefined)
    return { problem: FORMAT_PROBLEM };
  const nameProblem = typeNameProblem(type, takenTypes);
  if (nameProblem !== undefined) return { problem: nameProblem };
  const schemaJson = JSON.stringify(schema);
  const result = readDetailSchema(schemaJson);
  if ('problem' in result) return { problem: message('detail-type.of-type', { type, problem: result.problem }) };
  const problem = sentenceProblem(sentence);
  return problem === undefined
    ? { type, schema: schemaJson, sentence }
    : { problem: message('detail-type.of-type', { type, problem }) };
}

/**
 * Returns the problem with a type's name, or undefined if the name is valid. Type names can have the same characters as
 * scopes, because both are shown in space-separated lists.
 */
function typeNameProblem(type: string, takenTypes: readonly string[]): Message | undefined {
  if (type.length > MAX_LENGTH.detailType || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(type))
    return message('detail-type.name', { limit: MAX_LENGTH.detailType });
  return takenTypes.includes(type) ? message('detail-type.taken', { type }) : undefined;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const MEMBER_PATH = /^[\w-]+(?:\.[\w-]+){0,7}$/;
const MAX_PLACEHOLDERS = 10;

/**
 * Returns the problem with the template of a sentence that users see, such as `Pay {amount} to {creditorName}`, or
 * undefined if it is valid.
 */
function sentenceProblem(sentence: string): Message | undefined {
  if (sentence.trim() === '' || sentence.length > MAX_LENGTH.detailSentence || !isPrintable(sentence))
    return message('detail-type.sentence', { limit: MAX_LENGTH.detailSentence });
  const paths = [...sentence.matchAll(PLACEHOLDER)].map(([, path = '']) => path);
  if (paths.length > MAX_PLACEHOLDERS) return message('detail-type.too-many-placeholders', { limit: MAX_PLACEHOLDERS });
  if (/[{}]/.test(sentence.replaceAll(PLACEHOLDER, ''))) return message('detail-type.braces');
  const invalidPath = paths.find((path) => !MEMBER_PATH.test(path));
  return invalidPath === undefined ? undefined : message('detail-type.path', { path: invalidPath });
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
