import type { ClientId, GrantId } from '../../../domain/values.ts';
import { message } from '../../../language/message.ts';
import type { FieldErrors } from '../page-context.ts';
import type { Query } from '../../pipeline/query.ts';
import { readMomentQuestion, type PastMoment } from './moment-question.ts';

/** A leaked source, as in addresses. A token is never in an address; its grant is used instead. */
export type NamedLeak =
  | { readonly is: 'grant'; readonly grantId: GrantId }
  | { readonly is: 'client'; readonly clientId: ClientId }
  | { readonly is: 'session'; readonly sessionHash: string }
  | { readonly is: 'key'; readonly keyId: string };

/** A question about the access that came from a leaked source. */
export interface RadiusQuestion {
  /** The entered values, even if invalid. */
  readonly entered: {
    readonly client: string;
    readonly key: string;
    readonly session: string;
    readonly grant: string;
    readonly time: string;
    readonly position: string;
  };
  readonly errors: FieldErrors;
  /** Undefined if no source was entered, or if a field is invalid. */
  readonly source: NamedLeak | undefined;
  /** An earlier moment; null if the question is about now. */
  readonly moment: PastMoment | null;
}

const SOURCE_FIELDS = ['client', 'key', 'session', 'grant'] as const;

/** @param head the position of the newest event, which limits positions */
export function readRadiusQuestion(query: Query, head: number): RadiusQuestion {
  const question = readMomentQuestion(query, head);
  const entered = {
    client: query.text('client') ?? '',
    key: query.text('key') ?? '',
    session: query.text('session') ?? '',
    grant: (query.text('grant') ?? '').replace(/^grant-/, ''),
    ...question.entered,
  };
  const filled = SOURCE_FIELDS.filter((name) => entered[name] !== '');
  const [, second] = filled;
  const errors = {
    ...(second === undefined ? {} : { [second]: message('radius.one-source') }),
    ...(entered.grant !== '' && !/^[\w-]{22}$/.test(entered.grant) ? { grant: message('radius.grant-length') } : {}),
    ...question.errors,
  };
  return {
    entered,
    errors,
    source: Object.keys(errors).length === 0 ? sourceIn(entered) : undefined,
    moment: question.moment ?? null,
  };
}

function sourceIn({ client, key, session, grant }: RadiusQuestion['entered']): NamedLeak | undefined {
  if (client !== '') return { is: 'client', clientId: client as ClientId };
  if (key !== '') return { is: 'key', keyId: key };
  if (session !== '') return { is: 'session', sessionHash: session };
  return grant === '' ? undefined : { is: 'grant', grantId: grant as GrantId };
}

/** The address of a page about the source. */
export function radiusAddress(
  path: string,
  source: NamedLeak,
  more: Readonly<Record<string, string | number>> = {},
): string {
  const query = new URLSearchParams(fieldsOf(source));
  for (const [name, value] of Object.entries(more)) if (value !== '') query.set(name, String(value));
  return `${path}?${query.toString()}`;
}

/** The query fields that name the source. */
function fieldsOf(source: NamedLeak): Readonly<Record<string, string>> {
  switch (source.is) {
    case 'client':
      return { client: source.clientId };
    case 'key':
      return { key: source.keyId };
    case 'session':
      return { session: source.sessionHash };
    case 'grant':
      return { grant: source.grantId };
  }
}
