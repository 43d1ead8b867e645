import { SCHEME_NAMES } from '../../policy/open-api-security.ts';
import { FORM } from '../media-types.ts';
import type { DocumentedOperation, OpenApiDocument } from './document.ts';
import type { Content, Schema } from './operation.ts';
import { bodyVariants, membersOf } from './schema-members.ts';

/**
 * Returns a minimal curl command, with placeholders in capital letters, or null if the operation is for browsers or
 * needs nothing but its URL.
 */
export function curlExample(
  document: OpenApiDocument,
  path: string,
  method: string,
  { security, parameters = [], requestBody }: DocumentedOperation,
): string | null {
  const [scheme] = security.flatMap((requirement) => Object.keys(requirement));
  if (scheme === SCHEME_NAMES.session || path === '/o/authorize/' || path === '/o/logout/') return null;
  const body = bodyArguments(document, requestBody?.content ?? {});
  const authorization = scheme === undefined ? '' : (CREDENTIALS[scheme] ?? ' -u CLIENT_ID:CLIENT_SECRET');
  if (method === 'get' && authorization === '') return null;
  const impliedMethod = body === '' ? 'get' : 'post';
  const verb = method === impliedMethod ? '' : ` -X ${method.toUpperCase()}`;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => `${name}=${placeholder(name)}`);
  const [server] = document.servers;
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(name));
  const url = `${server?.url ?? ''}${filledPath}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  return `curl${verb}${authorization}${body} ${query.length === 0 ? url : quote(url)}`;
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  [SCHEME_NAMES.token]: " -H 'Authorization: Bearer ACCESS_TOKEN'",
};

/** Returns the arguments for the first media type: the required fields of a form, or the example of a JSON body. */
function bodyArguments(document: OpenApiDocument, content: Content): string {
  const [body] = Object.entries(content);
  if (body === undefined) return '';
  const [mediaType, { schema, example }] = body;
  if (mediaType !== FORM) return ` -H 'Content-Type: ${mediaType}' -d ${quote(JSON.stringify(example ?? {}))}`;
  const [variant = {}] = bodyVariants(document, schema);
  const { properties, required } = membersOf(variant);
  return required.map((name) => ` -d ${name}=${firstValue(properties[name]) ?? placeholder(name)}`).join('');
}

/** Returns the schema's constant or first enum value, or undefined if this value is missing or not a string. */
function firstValue(schema: Schema = {}): string | undefined {
  const { const: constant, enum: [first] = [] } = schema as { readonly const?: unknown; readonly enum?: unknown[] };
  const value = constant ?? first;
  return typeof value === 'string' ? value : undefined;
}

const placeholder = (name: string): string => name.toUpperCase();
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
