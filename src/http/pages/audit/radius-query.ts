import { QUERY_FIELDS } from '../../../config/input-limits.ts';
import type { ClientId, GrantId } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { Form } from '../../pipeline/form.ts';
import type { Query } from '../../pipeline/query.ts';
import type { FieldErrors } from '../page-context.ts';
import { readMomentQuery, type MomentQuery, type PastMoment } from './moment-query.ts';

/** A leaked source, as identified in URLs. URLs contain the id of a token's grant, never the token. */
export type NamedSource =
  | { readonly kind: 'grant'; readonly grantId: GrantId }
  | { readonly kind: 'client'; readonly clientId: ClientId }
  | { readonly kind: 'session'; readonly sessionHash: string }
  | { readonly kind: 'key'; readonly keyId: string };

/** The kinds of sources in URLs. Each kind is also the name of a query field. */
const NAMED_KINDS = ['client', 'session', 'key', 'grant'] as const satisfies readonly NamedSource['kind'][];

/** The kinds of sources that the form offers. */
const SOURCE_KINDS = ['token', ...NAMED_KINDS] as const;
type SourceKind = (typeof SOURCE_KINDS)[number];

/** A query about the access that came from a leaked source. */
export interface RadiusQuery {
  /** The values for the form, even if invalid. A token, or an id that is too long, is left out. */
  readonly entered: {
    readonly kind: SourceKind;
    readonly source: string;
    readonly time: string;
    readonly position: string;
  };
  readonly errors: FieldErrors;
  /** Undefined if no source was entered, or if a field is invalid. */
  readonly source: NamedSource | undefined;
  /** An earlier moment; null if the query is for the present. */
  readonly moment: PastMoment | null;
}

/**
 * Reads the query from a URL.
 * @param head the position of the newest event; a later position is invalid
 */
export function readRadiusQuery(query: Query, head: number): RadiusQuery {
  const namedSources = NAMED_KINDS.flatMap((kind) => {
    const text = query.text(kind);
    return text === undefined ? [] : [{ kind, text }];
  });
  const [first, second] = namedSources;
  const errors = second === undefined ? {} : { source: message('radius.one-source') };
  return toRadiusQuery(first?.kind ?? 'token', first?.text ?? '', readMomentQuery(query, head), errors);
}

/** Reads the query and the pasted token from the form. Leaves the token out if a field is invalid. */
export function readRadiusForm(
  form: Form,
  head: number,
): { readonly query: RadiusQuery; readonly token: string | undefined } {
  const moment = readMomentQuery({ text: (name) => form.trimmed(name) || undefined }, head);
  const text = form.trimmed('source');
  const name = form.text('source_kind');
  const kind = SOURCE_KINDS.find((candidate) => candidate === name);
  const problem = kind === undefined ? undefined : sourceProblem(kind, text);
  const errors = {
    ...(kind === undefined ? { source_kind: message('radius.no-kind') } : {}),
    ...(problem === undefined ? {} : { source: problem }),
  };
  const isNamed = kind !== undefined && kind !== 'token';
  const query = toRadiusQuery(kind ?? 'token', isNamed && problem === undefined ? text : '', moment, errors);
  const isToken = kind === 'token' && Object.keys(query.errors).length === 0;
  return { query, token: isToken ? text : undefined };
}

function sourceProblem(kind: SourceKind, text: string): Text | undefined {
  if (kind === 'token') return text === '' ? message('radius.no-token') : undefined;
  if (text === '') return message('radius.no-source', { kind });
  const isTooLong = text.length > QUERY_FIELDS[kind];
  return isTooLong ? message('radius.unknown', { kind, meant: '', meantIs: 'none' }) : undefined;
}

function toRadiusQuery(
  kind: SourceKind,
  text: string,
  { entered, errors: momentErrors, moment }: MomentQuery,
  sourceErrors: FieldErrors,
): RadiusQuery {
  const source = removeStreamPrefix(kind, text);
  const isInvalidGrant = kind === 'grant' && source !== '' && !/^[\w-]{22}$/.test(source);
  const errors = {
    ...(isInvalidGrant ? { source: message('radius.grant-length') } : {}),
    ...sourceErrors,
    ...momentErrors,
  };
  return {
    entered: { kind, source, ...entered },
    errors,
    source: kind !== 'token' && Object.keys(errors).length === 0 ? namedSource(kind, source) : undefined,
    moment: moment ?? null,
  };
}

/** Returns the id in a stream name. Returns other text unchanged. */
function removeStreamPrefix(kind: SourceKind, text: string): string {
  return kind === 'grant' || kind === 'session'
    ? text.replace(`${kind}-`, (prefix, index) => (index === 0 ? '' : prefix))
    : text;
}

/** Returns the source with this kind and id. */
export function namedSource(kind: NamedSource['kind'], id: string): NamedSource {
  switch (kind) {
    case 'client':
      return { kind, clientId: id as ClientId };
    case 'key':
      return { kind, keyId: id };
    case 'session':
      return { kind, sessionHash: id };
    case 'grant':
      return { kind, grantId: id as GrantId };
  }
}

/** Returns the URL of a page about the source. */
export function radiusUrl(
  path: string,
  source: NamedSource,
  additionalFields: Readonly<Record<string, string | number>> = {},
): string {
  return `${path}?${new URLSearchParams(radiusFields(source, additionalFields)).toString()}`;
}

/** Returns the query fields for the URL of a page about the source. Empty fields are left out. */
export function radiusFields(
  source: NamedSource,
  additionalFields: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string>> {
  const fields = Object.entries({ [source.kind]: sourceId(source), ...additionalFields });
  return Object.fromEntries(fields.filter(([, value]) => value !== '').map(([name, value]) => [name, String(value)]));
}

function sourceId(source: NamedSource): string {
  switch (source.kind) {
    case 'client':
      return source.clientId;
    case 'key':
      return source.keyId;
    case 'session':
      return source.sessionHash;
    case 'grant':
      return source.grantId;
  }
}
