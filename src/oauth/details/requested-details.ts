import { canonicalJson, type AuthorizationDetail } from '../../domain/authorization-details.ts';
import { oauthError } from '../endpoints/errors.ts';
import type { Parameters } from '../endpoints/parameters.ts';
import { boundsProblem, type JsonBounds } from '../openid/json-bounds.ts';
import { sanitize, sanitizeNames } from '../refusals/sanitize.ts';
import type { KnownResources } from '../resources/known-resources.ts';
import { message, type Message } from '../../language/message.ts';

/** `maxLength` is also the limit for the parameter in `input-limits.ts`. */
const DETAIL_BOUNDS: JsonBounds = { maxLength: 4_096, maxDepth: 8, maxMembers: 200 };

/** The maximum number of details. It is small because the log, tokens and the consent page contain all of them. */
const MAX_DETAILS = 10;

const NO_DETAILS: readonly AuthorizationDetail[] = [];

/** The settings of a client that limit its details. */
export interface DetailClient {
  /** The types that the client may request; absent if it may request all. */
  readonly detailTypes?: readonly string[] | undefined;
}

/**
 * Returns the details in the `authorization_details` parameter (RFC 9396 §2), without duplicates; empty if the
 * parameter is absent.
 * @throws OAuthError `invalid_authorization_details` if they are malformed or too large, or if one has an unknown
 * type, has a type that the client may not request, or violates the schema of its type
 */
export function requestedDetails(
  parameters: Parameters,
  client: DetailClient,
  resources: Pick<KnownResources, 'detailTypes'>,
): readonly AuthorizationDetail[] {
  const text = parameters.get('authorization_details');
  if (text === undefined) return NO_DETAILS;
  const details = parseDetails(text);
  const declaredTypes = resources.detailTypes();
  for (const detail of details) {
    const declaredType = declaredTypes.get(detail.type);
    const typeName = sanitize(detail.type);
    if (declaredType === undefined)
      throw oauthError({
        rule: 'details-type-unknown',
        seen: typeName,
        known: sanitizeNames([...declaredTypes.keys()]),
      });
    if (!mayRequestType(client, detail.type))
      throw oauthError({
        rule: 'details-type-not-allowed',
        seen: typeName,
        allowed: sanitizeNames(client.detailTypes ?? []),
      });
    const problem = declaredType.findProblem(detail);
    if (problem === undefined) continue;
    throw oauthError({
      rule: 'details-schema',
      type: typeName,
      member: sanitize(problem.member),
      keyword: problem.keyword,
    });
  }
  // Canonical JSON sorts the members, so that a repeated request leads to the same token.
  return [...new Set(details.map(canonicalJson))].map((json) => JSON.parse(json) as AuthorizationDetail);
}

/** Reports whether the client may request details of this type. */
export function mayRequestType({ detailTypes }: DetailClient, type: string): boolean {
  return detailTypes?.includes(type) ?? true;
}

/** Returns the limit that the details exceed in total, or undefined if they are within all limits. */
export function exceededLimit(text: string, count: number): Message | undefined {
  const exceededBound = boundsProblem(text, DETAIL_BOUNDS);
  if (exceededBound !== undefined) return exceededBound;
  return count > MAX_DETAILS ? message('refusal-form.number-of-details', { limit: MAX_DETAILS }) : undefined;
}

function parseDetails(text: string): readonly AuthorizationDetail[] {
  const exceededBound = boundsProblem(text, DETAIL_BOUNDS);
  if (exceededBound !== undefined)
    throw malformedDetails(message('refusal-form.json-within', { bound: exceededBound }), text);
  const parsed = parseJson(text);
  if (!Array.isArray(parsed) || parsed.length === 0 || parsed.length > MAX_DETAILS)
    throw malformedDetails(message('refusal-form.details', { limit: MAX_DETAILS }), text);
  const details: readonly unknown[] = parsed;
  if (!details.every(isDetail)) throw malformedDetails(message('refusal-form.typed-details'), text);
  if (!details.every(isRepresentable)) throw malformedDetails(message('refusal-form.representable'), text);
  return details;
}

function malformedDetails(form: Message, { length }: string) {
  return oauthError({ rule: 'details-malformed', form, length });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDetail(value: unknown): value is AuthorizationDetail {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    value.type !== ''
  );
}

/**
 * Reports whether every JSON implementation can represent the value. A number that is out of range becomes infinite,
 * which JSON cannot express. Not all implementations treat `__proto__` as a member.
 */
function isRepresentable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name !== '__proto__' && isRepresentable(member));
}
