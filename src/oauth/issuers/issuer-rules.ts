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
import { outgoingUrlProblem, type OutgoingUrlSettings } from '../../platform/egress/outgoing-url.ts';
import { parseClaim, parseClientLine, readSubjectLine, recordedSubject } from './issuer-texts.ts';

/** The entered settings of a trusted issuer, not yet validated. */
export interface TrustedIssuerFields {
  readonly keys: readonly ClientKey[];
  /** Null for none. */
  readonly keysUri: string | null;
  /** Empty for our issuer and the address of the token endpoint. */
  readonly audience: readonly string[];
  readonly uses: readonly string[];
  /** Each as `name=value`. */
  readonly claims: readonly string[];
  readonly mapping: string;
  /** The claim with the user name; empty for the subject. */
  readonly nameClaim: string;
  /** Each as `subject=user name`. */
  readonly users: readonly string[];
  /** Each a client id, or one with a claim that its JWTs must have. */
  readonly clients: readonly string[];
  readonly scope: readonly string[];
  /** Null for no limit. */
  readonly resources: readonly string[] | null;
  readonly maxTokenLifetimeSeconds: number;
  readonly maxAssertionAgeSeconds: number;
}

/** The problem of each invalid field, as a sentence. */
export type TrustedIssuerErrors = { readonly [Field in keyof TrustedIssuerFields | 'issuer']?: string };

/** What the rules know about this server. */
export interface IssuerFacts {
  readonly ownIssuer: string;
  /** The scopes and the resource servers at present. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  findClient(clientId: string): { readonly clientId: ClientId; readonly clientType: ClientType } | undefined;
  findUser(username: string): { readonly userId: UserId } | undefined;
  hashSubject(subject: string): string;
  readonly settings: OutgoingUrlSettings;
}

/** Every event of an issuer contains them. */
const MAX_NAMES = 50;
const MAX_SUBJECTS = 200;
const LIFETIME = { min: 60, max: 86_400 };
const AGE = { min: 30, max: 86_400 };

export const DEFAULT_TOKEN_LIFETIME_SECONDS = 3_600;
export const DEFAULT_ASSERTION_AGE_SECONDS = 600;

/** @returns the settings to record, or what is wrong */
export function checkTrustedIssuer(
  issuer: string,
  fields: TrustedIssuerFields,
  facts: IssuerFacts,
): { readonly settings: TrustedIssuerSettings } | { readonly errors: TrustedIssuerErrors } {
  const { keys, keysUri } = fields;
  const [audience, scope] = [[...new Set(fields.audience)], [...new Set(fields.scope)]];
  const resources = fields.resources && [...new Set(fields.resources)];
  const subject = subjectMapping(fields, facts);
  const requiredClaims = readClaims(fields.claims);
  const clients = readClients(fields.clients, facts);
  const problems = {
    issuer: issuerProblem(issuer, facts),
    ...keysProblems(fields, facts),
    audience: audienceProblem(audience),
    uses: usesProblem(fields.uses),
    ...('errors' in subject ? subject.errors : {}),
    claims: typeof requiredClaims === 'string' ? requiredClaims : undefined,
    clients: typeof clients === 'string' ? clients : undefined,
    scope: scopeProblem(scope, facts.scopes),
    resources: resources === null ? undefined : resourcesProblem(resources, facts.resources),
    maxTokenLifetimeSeconds: rangeProblem(fields.maxTokenLifetimeSeconds, LIFETIME),
    maxAssertionAgeSeconds: rangeProblem(fields.maxAssertionAgeSeconds, AGE),
  };
  const errors = Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined));
  const isSound = 'mapping' in subject && typeof requiredClaims !== 'string' && typeof clients !== 'string';
  if (!isSound || Object.keys(errors).length > 0) return { errors };
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

function issuerProblem(issuer: string, { ownIssuer }: IssuerFacts): string | undefined {
  if (issuer === '' || issuer.length > MAX_LENGTH.issuer || hasInvisibleCharacter(issuer) || /\s/.test(issuer))
    return `An issuer has 1 to ${MAX_LENGTH.issuer} visible characters without spaces, such as an https URL.`;
  return issuer === ownIssuer ? 'This is the issuer of this server, whose tokens need no record.' : undefined;
}

function keysProblems(
  { keys, keysUri }: TrustedIssuerFields,
  { settings }: IssuerFacts,
): Pick<TrustedIssuerErrors, 'keys' | 'keysUri'> {
  if (keys.length === 0 && keysUri === null) return { keys: 'Enter public keys, or the address of the key set.' };
  if (keys.length > 0 && keysUri !== null)
    return { keysUri: 'Enter either public keys or the address of the key set.' };
  const problem = keysUri === null ? undefined : outgoingUrlProblem(keysUri, settings);
  return problem === undefined ? {} : { keysUri: `The address ${problem}.` };
}

function audienceProblem(audience: readonly string[]): string | undefined {
  if (audience.length > MAX_NAMES) return `At most ${MAX_NAMES} audiences are accepted.`;
  return audience.every((each) => each.length <= MAX_LENGTH.issuer && !hasInvisibleCharacter(each))
    ? undefined
    : `An audience has at most ${MAX_LENGTH.issuer} visible characters.`;
}

function usesProblem(uses: readonly string[]): string | undefined {
  const isKnown = uses.every((use) => ISSUER_USES.includes(use as IssuerUse));
  return isKnown && uses.length > 0 ? undefined : `Choose at least one of ${ISSUER_USES.join(', ')}.`;
}

type ReadMapping = { readonly mapping: SubjectMapping } | { readonly errors: TrustedIssuerErrors };

function subjectMapping({ mapping: by, nameClaim, users }: TrustedIssuerFields, facts: IssuerFacts): ReadMapping {
  if (!SUBJECT_MAPPINGS.includes(by as SubjectMappingKind))
    return { errors: { mapping: `Choose one of ${SUBJECT_MAPPINGS.join(', ')}.` } };
  if (by !== 'table' && users.length > 0) return { errors: { users: 'Only a table names users.' } };
  if (by !== 'user-name' && nameClaim !== '')
    return { errors: { nameClaim: 'Only user names are read from a claim.' } };
  if (by === 'verified-email' || by === 'client') return { mapping: { by } };
  if (by === 'table') return readTable(users, facts);
  return nameClaim.length > MAX_LENGTH.claim
    ? { errors: { nameClaim: `The name of a claim has at most ${MAX_LENGTH.claim} characters.` } }
    : { mapping: { by: 'user-name', claim: nameClaim || 'sub' } };
}

function readTable(users: readonly string[], { findUser, hashSubject }: IssuerFacts): ReadMapping {
  if (users.length === 0 || users.length > MAX_SUBJECTS)
    return { errors: { users: `The table has 1 to ${MAX_SUBJECTS} subjects.` } };
  const entries = new Map<string, UserId>();
  for (const line of users) {
    const readings = readSubjectLine(line).filter(({ subject }) => subject.length <= MAX_LENGTH.foreignSubject);
    if (readings.length === 0) return { errors: { users: 'Each line is a subject, an equals sign and a user name.' } };
    const [read, another] = readings.flatMap(({ subject, username }) => {
      const user = findUser(username);
      return user === undefined ? [] : [{ subject, username, user }];
    });
    if (read === undefined) return { errors: { users: `Nobody has the user name ${readings.at(-1)?.username}.` } };
    if (another !== undefined) return { errors: { users: `The line ${line} can name several users.` } };
    const { user } = read;
    const subjectHash = recordedSubject(read.subject) ?? hashSubject(read.subject);
    if (entries.has(subjectHash))
      return { errors: { users: `The subject of ${read.username} has another user, too.` } };
    entries.set(subjectHash, user.userId);
  }
  return {
    mapping: { by: 'table', entries: [...entries].map(([subjectHash, userId]) => ({ subjectHash, userId })) },
  };
}

function readClaims(texts: readonly string[]): readonly RequiredClaim[] | string {
  if (texts.length > MAX_NAMES) return `At most ${MAX_NAMES} claims can be required.`;
  const claims = texts.map(parseClaim);
  const isFine = claims.every(
    (claim) => claim && claim.name.length <= MAX_LENGTH.claim && claim.value.length <= MAX_LENGTH.claim,
  );
  return isFine
    ? claims.flatMap((claim) => claim ?? [])
    : 'A required claim is a name, an equals sign and a value, such as repository=acme/api.';
}

function readClients(lines: readonly string[], facts: IssuerFacts): TrustedIssuerSettings['clients'] | string {
  if (lines.length === 0 || lines.length > MAX_NAMES) return `Name 1 to ${MAX_NAMES} applications.`;
  const clients = new Map<ClientId, readonly RequiredClaim[]>();
  for (const { id, claim } of lines.map(parseClientLine)) {
    const client = facts.findClient(id);
    if (client === undefined) return `No application has the client id ${id.slice(0, MAX_LENGTH.issuer)}.`;
    if (client.clientType !== 'confidential') return `The application ${id} is public; it must be confidential.`;
    const claims = readClaims(claim === undefined ? [] : [claim]);
    if (typeof claims === 'string') return claims;
    clients.set(client.clientId, [...(clients.get(client.clientId) ?? []), ...claims]);
  }
  return [...clients].map(([clientId, requiredClaims]) => ({ clientId, requiredClaims }));
}

/** Restricted scopes are for clients that the operator names, and those of OpenID Connect for logins here. */
function scopeProblem(scope: readonly string[], known: Readonly<Record<string, string>>): string | undefined {
  if (scope.length === 0 || scope.length > MAX_NAMES) return `Name 1 to ${MAX_NAMES} scopes: tokens have no others.`;
  const own = scope.find((name) => isRestricted(name) || isOpenIdScope(name));
  if (own !== undefined) return `The scope ${own} needs a login here, so another issuer cannot give it.`;
  const unknown = scope.find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return undefined;
  const shown = unknown.slice(0, MAX_LENGTH.scopeName);
  return `The scope ${shown} is neither in the settings nor defined by a resource server.`;
}

function resourcesProblem(resources: readonly string[], known: readonly string[]): string | undefined {
  if (resources.length === 0) return 'Name at least one resource server, or do not limit them.';
  if (resources.length > MAX_NAMES) return `At most ${MAX_NAMES} resource servers can be named.`;
  const unknown = resources.find((uri) => !known.includes(uri));
  return unknown === undefined
    ? undefined
    : `The resource server ${unknown.slice(0, MAX_LENGTH.resourceUri)} is not known: register it, or name it in the ` +
        'setting resources.';
}

function rangeProblem(seconds: number, { min, max }: typeof AGE): string | undefined {
  return Number.isInteger(seconds) && seconds >= min && seconds <= max
    ? undefined
    : `It is a whole number of seconds from ${min} to ${max}.`;
}
