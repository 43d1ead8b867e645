import { Validator, ValidatorResult, type CustomProperty, type Schema } from 'jsonschema';
import { RE2JS } from 're2js';
import { isUrl } from '../../platform/urls.ts';
import { message, type Message } from '../../language/message.ts';
import { boundsProblem, type JsonBounds } from '../openid/json-bounds.ts';

/** The first violation of a schema by a value. */
export interface SchemaProblem {
  /** The path of the member, such as `instructedAmount.amount`; empty for the value itself. */
  readonly member: string;
  /** The schema keyword that the member violates. */
  readonly keyword: string;
}

/** The JSON Schema of a type of authorization details. Validation evaluates no code and takes bounded time. */
export interface DetailSchema {
  /** Returns the first violation of the schema, or undefined if the value satisfies it. */
  findProblem(value: object): SchemaProblem | undefined;
}

const SCHEMA_BOUNDS: JsonBounds = { maxLength: 8_192, maxDepth: 16, maxMembers: 500 };

/** The maximum number of instructions in a compiled pattern, which limits the steps for each character of a string. */
const MAX_PATTERN_SIZE = 500;
/** The maximum number of instructions in all patterns of a schema combined. */
const MAX_TOTAL_PATTERN_SIZE = 2_000;

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The supported formats. Each check takes linear time. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDate(text),
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i.test(text) &&
    isCalendarDate(text.slice(0, 10)),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: isUrl,
};

/** Reports whether a string such as "2026-02-28" is a valid calendar date. */
function isCalendarDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

type Check = (value: unknown) => boolean;
const isString: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number';
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isBoolean: Check = (value) => typeof value === 'boolean';
const isAny: Check = () => true;
const isStringList: Check = (value) => Array.isArray(value) && value.every(isString);
const isType: Check = (value) =>
  [value].flat().length > 0 && [value].flat().every((item) => TYPES.some((type) => type === item));

/**
 * The keywords that a schema can have, apart from those with subschemas. References are not supported, because the
 * validation of schemas that refer to each other can take exponential time.
 */
const KEYWORDS: Readonly<Record<string, Check>> = {
  $schema: isString,
  $comment: isString,
  title: isString,
  description: isString,
  default: isAny,
  examples: Array.isArray,
  type: isType,
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: isAny,
  required: isStringList,
  minProperties: isCount,
  maxProperties: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isBoolean,
  minLength: isCount,
  maxLength: isCount,
  pattern: isString,
  format: (value) => typeof value === 'string' && Object.hasOwn(FORMATS, value),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && value > 0,
};
const SUBSCHEMA_KEYWORDS = ['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else'];
const SUBSCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf'];

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON Schema that uses only the keywords above.
 * @returns the schema, or the problem with it
 */
export function readDetailSchema(text: string): DetailSchema | { readonly problem: Message } {
  const exceededBound = boundsProblem(text, SCHEMA_BOUNDS);
  if (exceededBound !== undefined) return { problem: message('schema.excess', { excess: exceededBound }) };
  const schema = parseJson(text);
  if (!isObject(schema)) return { problem: message('schema.not-object') };
  const patterns = new Map<string, RE2JS>();
  const problem = keywordProblem(schema, patterns) ?? typeProblem(schema);
  if (problem !== undefined) return { problem };
  const sizes = [...patterns.values()].map((pattern) => pattern.programSize());
  if (
    sizes.some((size) => size > MAX_PATTERN_SIZE) ||
    sizes.reduce((sum, size) => sum + size, 0) > MAX_TOTAL_PATTERN_SIZE
  )
    return { problem: message('schema.large-patterns') };
  return compile(schema, patterns);
}

function compile(rootSchema: JsonObject, patterns: ReadonlyMap<string, RE2JS>): DetailSchema {
  const validator = new Validator();
  // JavaScript's regular expressions can take exponential time, and these patterns are not trusted.
  validator.attributes['pattern'] = stringAttribute('pattern', (text, { pattern = '' }) =>
    patterns.get(String(pattern))?.matcher(text).find(),
  );
  validator.attributes['format'] = stringAttribute('format', (text, { format = '' }) => FORMATS[format]?.(text));
  const additionalProperties = validator.attributes['additionalProperties'] as CustomProperty;
  validator.attributes['additionalProperties'] = (value: unknown, schema, options, context) =>
    additionalProperties.call(validator, value, { ...schema, properties: withoutPrototype(schema) }, options, context);
  return {
    findProblem(value) {
      const [firstError] = validator.validate(value, rootSchema).errors;
      return firstError && { member: firstError.path.join('.'), keyword: firstError.name };
    },
  };
}

/**
 * Returns the properties in an object without a prototype. The validator looks up properties by the member names of the
 * value, and must not find members of `Object.prototype`.
 */
function withoutPrototype({ properties }: Schema): Record<string, Schema> {
  return Object.assign(Object.create(null) as Record<string, Schema>, properties);
}

/** Creates the validator for a keyword that applies only to strings. */
function stringAttribute(name: string, matches: (text: string, schema: Schema) => boolean | undefined): CustomProperty {
  return (value: unknown, schema, options, context) => {
    const result = new ValidatorResult(value, schema, options, context);
    if (typeof value === 'string' && matches(value, schema) !== true)
      result.addError({ name, argument: name, message: 'does not match' });
    return result;
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the first problem, or undefined if the schema has none. Adds the compiled patterns to `patterns`. */
function keywordProblem(schema: unknown, patterns: Map<string, RE2JS>): Message | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isObject(schema)) return message('schema.subschema');
  for (const [keyword, value] of Object.entries(schema)) {
    const problem = SUBSCHEMA_KEYWORDS.includes(keyword)
      ? keywordProblem(value, patterns)
      : SUBSCHEMA_LIST_KEYWORDS.includes(keyword) || keyword === 'properties'
        ? subschemasProblem(keyword, value, patterns)
        : valueProblem(keyword, value, patterns);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function subschemasProblem(keyword: string, value: unknown, patterns: Map<string, RE2JS>): Message | undefined {
  const isList = keyword !== 'properties';
  if (isList ? !Array.isArray(value) || value.length === 0 : !isObject(value))
    return message(isList ? 'schema.list' : 'schema.map', { keyword });
  for (const subschema of Object.values(value as object)) {
    const problem = keywordProblem(subschema, patterns);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function valueProblem(keyword: string, value: unknown, patterns: Map<string, RE2JS>): Message | undefined {
  if (!Object.hasOwn(KEYWORDS, keyword)) return message('schema.keyword', { keyword: JSON.stringify(keyword) });
  if (KEYWORDS[keyword]?.(value) !== true)
    return keyword === 'format'
      ? message('schema.format', { choices: Object.keys(FORMATS).join(', ') })
      : message('schema.value', { keyword });
  return keyword === 'pattern' ? patternProblem(String(value), patterns) : undefined;
}

function patternProblem(text: string, patterns: Map<string, RE2JS>): Message | undefined {
  try {
    patterns.set(text, RE2JS.compile(text));
    return undefined;
  } catch {
    return message('schema.pattern', { pattern: JSON.stringify(text) });
  }
}

/**
 * Returns the problem if the schema does not allow the property `type`. Every detail has a `type`, so such a schema
 * would reject all details.
 */
function typeProblem({ properties, additionalProperties }: JsonObject): Message | undefined {
  const names = isObject(properties) ? properties : {};
  return additionalProperties === false && !Object.hasOwn(names, 'type') ? message('schema.type') : undefined;
}
