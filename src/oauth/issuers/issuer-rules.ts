import type { ClientKey } from '../../domain/client-authentication.ts';
import type { RequiredClaim, SubjectMapping, TrustedIssuerSettings } from '../../domain/issuer-settings.ts';
import { MAX_LENGTH } from '../../domain/lengths.ts';
import { isOpenIdScope, isRestricted } from '../../domain/scope.ts';
import { hasInvisibleCharacter } from '../../domain/user-name.ts';
import {
  ISSUER_USES,
  SUBJECT_MAPPINGS,
  type ClientId,
  type ClientType,
  type IssuerUse,
  type SubjectMappingKind,
  type UserId,
} from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import { parseClaim, parseClientLine, readSubjectLine, parseRecordedHash } from './issuer-texts.ts';

/** A trusted issuer's settings as entered, not yet validated. */
export interface TrustedIssuerFields {
  readonly keys: readonly ClientKey[];
  /** The URL of the issuer's key set; null if `keys` contains the keys. */
  readonly keysUri: string | null;
  /** Empty for the default audiences: this server's issuer identifier and the URL of its token endpoint. */
  readonly audience: readonly string[];
  readonly uses: readonly string[];
  /** Each in the form `name=value`. */
  readonly claims: readonly string[];
  readonly mapping: string;
  /** The claim that contains the user name; empty if the subject is the user name. */
  readonly nameClaim: string;
  /** Each in the form `subject=user name`. */
  readonly users: readonly string[];
  /** Each is a client id, optionally followed by a claim that JWTs must have if the client presents them. */
  readonly clients: readonly string[];
  readonly scope: readonly string[];
  /** Null if there is no limit. */
  readonly resources: readonly string[] | null;
  readonly maxTokenLifetimeSeconds: number;
  readonly maxAssertionAgeSeconds: number;
}

/** The problem with each invalid field. */
export type TrustedIssuerErrors = { readonly [Field in keyof TrustedIssuerFields | 'issuer']?: Message };

/** The facts about this server that the rules need. */
export interface IssuerContext {
  readonly ownIssuer: string;
  /** The descriptions of the current scopes, by name. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  findClient(clientId: string): { readonly clientId: ClientId; readonly clientType: ClientType } | undefined;
  findUser(username: string): { readonly userId: UserId } | undefined;
  hashSubject(subject: string): string;
  readonly settings: OutgoingUrlSettings;
}

/** Most lists are limited to this length, because every event that sets an issuer contains them in full. */
const MAX_LIST_LENGTH = 50;
const MAX_SUBJECTS = 200;
const LIFETIME_SECONDS = { min: 60, max: 86_400 };
const AGE_SECONDS = { min: 30, max: 86_400 };

export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;
export const DEFAULT_ASSERTION_AGE_SECONDS = 600;

/**
 * Validates the entered settings of a trusted issuer.
 * @returns the settings to record, or the problems
 */
export function checkTrustedIssuer(
  issuer: string,
  fields: TrustedIssuerFields,
  context: IssuerContext,
): { readonly settings: TrustedIssuerSettings } | { readonly errors: TrustedIssuerErrors } {
  const { keys, keysUri } = fields;
  const [audience, scope] = [[...new Set(fields.audience)], [...new Set(fields.scope)]];
  const resources = fields.resources && [...new Set(fields.resources)];
  const subject = readSubjectMapping(fields, context);
  const requiredClaims = readClaims(fields.claims);
  const clients = readClients(fields.clients, context);
  const problems = {
    issuer: issuerProblem(issuer, context),
    ...keysProblems(fields, context),
    audience: audienceProblem(audience),
    uses: usesProblem(fields.uses),
    ...('errors' in subject ? subject.errors : {}),
    claims: 'key' in requiredClaims ? requiredClaims : undefined,
    clients: 'key' in clients ? clients : undefined,
    scope: scopeProblem(scope, context.scopes),
    resources: resources === null ? undefined : resourcesProblem(resources, context.resources),
    maxTokenLifetimeSeconds: rangeProblem(fields.maxTokenLifetimeSeconds, LIFETIME_SECONDS),
    maxAssertionAgeSeconds: rangeProblem(fields.maxAssertionAgeSeconds, AGE_SECONDS),
  };
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
  const isValid = 'mapping' in subject && !('key' in requiredClaims) && !('key' in clients);
  if (!isValid || Object.keys(errors).length > 0) return { errors };
  return {
    settings: {
      keys,
      keysUri,
      audience: audience.length === 0 ? null : audience,
      uses: ISSUER_USES.filter((use) => fields.uses.includes(use)),
      requiredClaims,
      subject: subject.mapping,
      clients,
      scope,
      resources,
      maxTokenLifetimeSeconds: fields.maxTokenLifetimeSeconds,
      maxAssertionAgeSeconds: fields.maxAssertionAgeSeconds,
    },
  };
}

function issuerProblem(issuer: string, { ownIssuer }: IssuerContext): Message | undefined {
  if (issuer === '' || issuer.length > MAX_LENGTH.issuer || hasInvisibleCharacter(issuer) || /\s/.test(issuer))
    return message('issuer-problem.issuer', { limit: MAX_LENGTH.issuer });
  return issuer === ownIssuer ? message('issuer-problem.own-issuer') : undefined;
}

function keysProblems(
  { keys, keysUri }: TrustedIssuerFields,
  { settings }: IssuerContext,
): Pick<TrustedIssuerErrors, 'keys' | 'keysUri'> {
  if (keys.length === 0 && keysUri === null) return { keys: message('issuer-problem.no-keys') };
  if (keys.length > 0 && keysUri !== null) return { keysUri: message('issuer-problem.keys-and-address') };
  const problem = keysUri === null ? undefined : outgoingUrlProblem(keysUri, settings);
  return problem === undefined ? {} : { keysUri: message('issuer-problem.address', { problem }) };
}

function audienceProblem(audience: readonly string[]): Message | undefined {
  if (audience.length > MAX_LIST_LENGTH) return message('issuer-problem.many-audiences', { limit: MAX_LIST_LENGTH });
  return audience.every((value) => value.length <= MAX_LENGTH.issuer && !hasInvisibleCharacter(value))
    ? undefined
    : message('issuer-problem.audience', { limit: MAX_LENGTH.issuer });
}

function usesProblem(uses: readonly string[]): Message | undefined {
  const areKnown = uses.every((use) => ISSUER_USES.includes(use as IssuerUse));
  return areKnown && uses.length > 0 ? undefined : message('issuer-problem.uses', { choices: ISSUER_USES.join(', ') });
}

type MappingResult = { readonly mapping: SubjectMapping } | { readonly errors: TrustedIssuerErrors };

function readSubjectMapping(
  { mapping: by, nameClaim, users }: TrustedIssuerFields,
  context: IssuerContext,
): MappingResult {
  if (!SUBJECT_MAPPINGS.includes(by as SubjectMappingKind))
    return { errors: { mapping: message('issuer-problem.mapping', { choices: SUBJECT_MAPPINGS.join(', ') }) } };
  if (by !== 'table' && users.length > 0) return { errors: { users: message('issuer-problem.users-without-table') } };
  if (by !== 'user-name' && nameClaim !== '')
    return { errors: { nameClaim: message('issuer-problem.claim-without-names') } };
  if (by === 'verified-email' || by === 'client') return { mapping: { by } };
  if (by === 'table') return readTable(users, context);
  return nameClaim.length > MAX_LENGTH.claim
    ? { errors: { nameClaim: message('issuer-problem.name-claim', { limit: MAX_LENGTH.claim }) } }
    : { mapping: { by: 'user-name', claim: nameClaim || 'sub' } };
}

function readTable(users: readonly string[], { findUser, hashSubject }: IssuerContext): MappingResult {
  if (users.length === 0 || users.length > MAX_SUBJECTS)
    return { errors: { users: message('issuer-problem.table', { limit: MAX_SUBJECTS }) } };
  const entries = new Map<string, UserId>();
  for (const line of users) {
    const readings = readSubjectLine(line).filter(({ subject }) => subject.length <= MAX_LENGTH.foreignSubject);
    if (readings.length === 0) return { errors: { users: message('issuer-problem.line') } };
    const [entry, otherEntry] = readings.flatMap(({ subject, username }) => {
      const user = findUser(username);
      return user === undefined ? [] : [{ subject, username, user }];
    });
    if (entry === undefined)
      return {
        errors: { users: message('issuer-problem.unknown-user', { username: readings.at(-1)?.username ?? '' }) },
      };
    if (otherEntry !== undefined) return { errors: { users: message('issuer-problem.ambiguous-line', { line }) } };
    const { user } = entry;
    const subjectHash = parseRecordedHash(entry.subject) ?? hashSubject(entry.subject);
    if (entries.has(subjectHash))
      return { errors: { users: message('issuer-problem.repeated-subject', { username: entry.username }) } };
    entries.set(subjectHash, user.userId);
  }
  return {
    mapping: { by: 'table', entries: [...entries].map(([subjectHash, userId]) => ({ subjectHash, userId })) },
  };
}

function readClaims(lines: readonly string[]): readonly RequiredClaim[] | Message {
  if (lines.length > MAX_LIST_LENGTH) return message('issuer-problem.many-claims', { limit: MAX_LIST_LENGTH });
  const claims = lines.map(parseClaim);
  const isValid = claims.every(
    (claim) => claim && claim.name.length <= MAX_LENGTH.claim && claim.value.length <= MAX_LENGTH.claim,
  );
  return isValid ? claims.flatMap((claim) => claim ?? []) : message('issuer-problem.claim');
}

function readClients(lines: readonly string[], context: IssuerContext): TrustedIssuerSettings['clients'] | Message {
  if (lines.length === 0) return message('issuer-problem.no-client');
  if (lines.length > MAX_LIST_LENGTH) return message('issuer-problem.clients', { limit: MAX_LIST_LENGTH });
  const clients = new Map<ClientId, readonly RequiredClaim[]>();
  for (const { id, claim } of lines.map(parseClientLine)) {
    const client = context.findClient(id);
    if (client === undefined)
      return message('issuer-problem.unknown-client', { client: id.slice(0, MAX_LENGTH.issuer) });
    if (client.clientType !== 'confidential') return message('issuer-problem.public-client', { client: id });
    const claims = readClaims(claim === undefined ? [] : [claim]);
    if ('key' in claims) return claims;
    clients.set(client.clientId, [...(clients.get(client.clientId) ?? []), ...claims]);
  }
  return [...clients].map(([clientId, requiredClaims]) => ({ clientId, requiredClaims }));
}

/**
 * Returns the problem with the scope, or undefined if it is valid. Restricted scopes are only for clients that the
 * operator grants them to. OpenID Connect scopes are only for logins here.
 */
function scopeProblem(scope: readonly string[], definedScopes: Readonly<Record<string, string>>): Message | undefined {
  if (scope.length === 0) return message('issuer-problem.no-scope');
  if (scope.length > MAX_LIST_LENGTH) return message('issuer-problem.scopes', { limit: MAX_LIST_LENGTH });
  const reservedScope = scope.find((name) => isRestricted(name) || isOpenIdScope(name));
  if (reservedScope !== undefined) return message('issuer-problem.own-scope', { scope: reservedScope });
  const unknownScope = scope.find((name) => !Object.hasOwn(definedScopes, name));
  if (unknownScope === undefined) return undefined;
  const truncatedScope = unknownScope.slice(0, MAX_LENGTH.scopeName);
  return message('policy-problem.unknown-scope', { scope: truncatedScope });
}

function resourcesProblem(resources: readonly string[], knownUris: readonly string[]): Message | undefined {
  if (resources.length === 0) return message('issuer-problem.no-resource');
  if (resources.length > MAX_LIST_LENGTH) return message('issuer-problem.many-resources', { limit: MAX_LIST_LENGTH });
  const unknownUri = resources.find((uri) => !knownUris.includes(uri));
  return unknownUri === undefined
    ? undefined
    : message('policy-problem.unknown-resource', { uri: unknownUri.slice(0, MAX_LENGTH.resourceUri) });
}

function rangeProblem(seconds: number, { min, max }: typeof AGE_SECONDS): Message | undefined {
  return Number.isInteger(seconds) && seconds >= min && seconds <= max
    ? undefined
    : message('issuer-problem.seconds', { minimum: min, maximum: max });
}
