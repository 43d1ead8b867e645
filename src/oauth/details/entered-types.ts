import { MAX_LENGTH } from '../../domain/lengths.ts';
import type { DetailType } from '../../domain/resource-settings.ts';
import { boundsProblem } from '../openid/json-bounds.ts';
import { readDetailSchema } from './detail-schema.ts';
import { sentenceProblem } from './sentences.ts';

/** Every event of a resource server contains them. */
const MAX_TYPES = 20;
const MAX_BYTES = 20_000;

const FORM = 'Enter a JSON list of objects with the members type, schema and sentence.';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads the types of authorization details that somebody entered for a resource server: a JSON list. An empty text is
 * an empty list.
 * @param taken the types of other resource servers
 * @returns the types to record, or what is wrong
 */
export function readDetailTypes(
  text: string,
  taken: readonly string[],
): { readonly types: readonly DetailType[] } | { readonly problem: string } {
  if (text.trim() === '') return { types: [] };
  const excess = boundsProblem(text, { maxLength: MAX_LENGTH.detailTypes, maxDepth: 20, maxMembers: 5_000 });
  if (excess !== undefined) return { problem: `The types have ${excess}.` };
  const entered = parseList(text);
  if (entered === undefined) return { problem: FORM };
  if (entered.length > MAX_TYPES) return { problem: `A resource server can declare at most ${MAX_TYPES} types.` };
  const types: DetailType[] = [];
  for (const each of entered) {
    const read = readDetailType(each, [...taken, ...types.map(({ type }) => type)]);
    if ('problem' in read) return read;
    types.push(read);
  }
  const { byteLength } = Buffer.from(JSON.stringify(types));
  return byteLength > MAX_BYTES ? { problem: `The types take more than ${MAX_BYTES} bytes together.` } : { types };
}

/** The text that `readDetailTypes` reads as these types; empty for none. */
export function formatDetailTypes(types: readonly DetailType[] = []): string {
  return types.length === 0 ? '' : JSON.stringify(types.map(withParsedSchema), null, 2);
}

/** A type with its schema as JSON. */
export function withParsedSchema({ type, schema, sentence }: DetailType) {
  return { type, schema: JSON.parse(schema) as JsonObject, sentence };
}

function readDetailType(entered: unknown, taken: readonly string[]): DetailType | { readonly problem: string } {
  if (typeof entered !== 'object' || entered === null || Array.isArray(entered)) return { problem: FORM };
  const { type, schema, sentence, ...others } = entered as JsonObject;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || typeof type !== 'string' || typeof sentence !== 'string' || schema === undefined)
    return { problem: FORM };
  const nameProblem = typeNameProblem(type, taken);
  if (nameProblem !== undefined) return { problem: nameProblem };
  const text = JSON.stringify(schema);
  const read = readDetailSchema(text);
  if ('problem' in read) return { problem: `${type}: ${read.problem}` };
  const problem = sentenceProblem(sentence);
  return problem === undefined ? { type, schema: text, sentence } : { problem: `${type}: ${problem}` };
}

/** A type is compared, and listed between spaces. */
function typeNameProblem(type: string, taken: readonly string[]): string | undefined {
  if (type.length > MAX_LENGTH.detailType || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(type))
    return `A type has at most ${MAX_LENGTH.detailType} characters of ASCII without space, quote and backslash.`;
  return taken.includes(type)
    ? `The type ${type} is declared already. A type belongs to one resource server.`
    : undefined;
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}
