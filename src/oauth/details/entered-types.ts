import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { DetailType } from '../../domain/resource-settings.ts';
import { message, type Message } from '../../language/message.ts';
import { boundsProblem } from '../openid/json-bounds.ts';
import { readDetailSchema } from './detail-schema.ts';
import { sentenceProblem } from './sentences.ts';

/** The maximum number of types, because every event that records a resource server's settings contains all of them. */
const MAX_TYPES = 20;
const MAX_BYTES = 20_000;

const FORM_PROBLEM = message('detail-type.form');

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the types of authorization details that were entered for a resource server: a JSON array. An empty string means
 * an empty list.
 * @param takenTypes the types of other resource servers
 * @returns the types to record, or the problem with `text`
 */
export function readDetailTypes(
  text: string,
  takenTypes: readonly string[],
): { readonly types: readonly DetailType[] } | { readonly problem: Message } {
  if (text.trim() === '') return { types: [] };
  const excess = boundsProblem(text, { maxLength: MAX_LENGTH.detailTypes, maxDepth: 20, maxMembers: 5_000 });
  if (excess !== undefined) return { problem: message('detail-type.excess', { excess }) };
  const items = parseList(text);
  if (items === undefined) return { problem: FORM_PROBLEM };
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

/** Returns the type with its schema as a parsed object. */
export function withParsedSchema({ type, schema, sentence }: DetailType) {
  return { type, schema: JSON.parse(schema) as JsonObject, sentence };
}

function readDetailType(input: unknown, takenTypes: readonly string[]): DetailType | { readonly problem: Message } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { problem: FORM_PROBLEM };
  const { type, schema, sentence, ...otherMembers } = input as JsonObject;
  const [unknownMember] = Object.keys(otherMembers);
  if (unknownMember !== undefined || typeof type !== 'string' || typeof sentence !== 'string' || schema === undefined)
    return { problem: FORM_PROBLEM };
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
 * Returns the problem with a type's name, or undefined if it is valid. Types have the same characters as scopes,
 * because both are shown in lists separated by spaces.
 */
function typeNameProblem(type: string, takenTypes: readonly string[]): Message | undefined {
  if (type.length > MAX_LENGTH.detailType || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(type))
    return message('detail-type.name', { limit: MAX_LENGTH.detailType });
  return takenTypes.includes(type) ? message('detail-type.taken', { type }) : undefined;
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
