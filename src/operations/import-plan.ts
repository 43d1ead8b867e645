import { ownersOf } from '../domain/members.ts';
import { setImmediate } from 'node:timers/promises';
import { normalizeGroupName } from '../domain/group.ts';
import { presentationFromJson } from '../domain/presentation.ts';
import { openIdFromJson } from '../domain/openid-settings.ts';
import type { SecuritySettings } from '../domain/security-settings.ts';
import { foldedUserName, normalizeUserName } from '../domain/user-name.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import { english } from '../language/english.ts';
import type { ApplicationEntry, Candidate, ImportResult, GroupEntry, UserEntry } from './import/entry.ts';
import { readClientKeys } from '../oauth/clients/client-keys.ts';
import type { OpenIdFields } from '../oauth/clients/openid-rules.ts';
import type { SecurityFields } from '../oauth/clients/security-rules.ts';
import { importedCredentialsProblem, type ImportedCredentials } from '../oauth/clients/new-credentials.ts';
import type { RegistrationErrors, RegistrationFields } from '../oauth/clients/registration-rules.ts';
import type { OperationContext } from './operation-context.ts';
import { clientDifferences, userDifferences } from './import-differences.ts';
import { groupNameProblem } from './groups.ts';

/** A candidate and the planned result. */
export interface PlannedImport {
  readonly candidate: Candidate;
  readonly result: ImportResult;
  /** The application's owner, resolved when the plan is made: the name may belong to a different account later. */
  readonly owner: UserId | undefined;
}

type Outcome = Pick<ImportResult, 'outcome' | 'says'>;

/** The number of candidates planned before the event loop gets a turn. */
const CANDIDATES_PER_TURN = 200;

/**
 * Decides the result for each candidate without writing anything. Invalid entries come first, followed by groups, users
 * and applications, so that owners precede their applications. Entries of the same kind keep their order.
 */
export async function planImport(
  candidates: readonly Candidate[],
  context: OperationContext,
): Promise<readonly PlannedImport[]> {
  const plan: PlannedImport[] = [];
  const firstLocations = new Map<string, string>();
  /** The user names in the file, and whether each account will exist after the import. */
  const plannedUsers = new Map<string, boolean>();
  const groups = new Set(context.projections.groups.all().map(({ name }) => name));
  for (const candidate of sortForImport(candidates)) {
    const owner = findOwner(candidate, context);
    const outcome =
      refuseDuplicate(candidate, firstLocations) ??
      (await decideOutcome(candidate, { users: plannedUsers, groups }, context));
    const { kind, name, from, entry } = candidate;
    if (entry?.kind === 'group' && outcome.outcome !== 'refused') groups.add(normalizeGroupName(entry.name));
    if (entry?.kind === 'user') plannedUsers.set(normalizeUserName(entry.username), outcome.outcome !== 'refused');
    plan.push({ candidate, result: { kind, name, from, ...outcome }, owner });
    if (plan.length % CANDIDATES_PER_TURN === 0) await setImmediate();
  }
  return plan;
}

function findOwner({ entry }: Candidate, { projections }: OperationContext): UserId | undefined {
  if (entry?.kind !== 'application' || entry.owner === null) return undefined;
  return projections.users.findByName(normalizeUserName(entry.owner))?.userId;
}

const IMPORT_ORDER: readonly (string | undefined)[] = [undefined, 'group', 'user', 'application'];

function sortForImport(candidates: readonly Candidate[]): readonly Candidate[] {
  return IMPORT_ORDER.flatMap((kind) => candidates.filter(({ entry }) => entry?.kind === kind));
}

const refuse = (...says: readonly string[]): Outcome => ({ outcome: 'refused', says });

function refuseDuplicate({ entry, from }: Candidate, firstLocations: Map<string, string>): Outcome | undefined {
  if (entry === null) return undefined;
  const name =
    entry.kind === 'user'
      ? foldedUserName(entry.username)
      : entry.kind === 'group'
        ? normalizeGroupName(entry.name)
        : entry.client_id;
  const firstLocation = firstLocations.get(`${entry.kind} ${name}`);
  if (firstLocation === undefined) firstLocations.set(`${entry.kind} ${name}`, from);
  if (firstLocation === undefined) return undefined;
  return refuse(
    entry.kind === 'user'
      ? `its name is too similar to that of ${firstLocation}: rename one of them in the file`
      : `duplicates ${firstLocation}: remove one of them`,
  );
}

/** The users and groups that will exist after the import, according to the plan so far. */
interface PlannedNames {
  /** The names of the users in the file, and whether each account will exist. */
  readonly users: ReadonlyMap<string, boolean>;
  /** The names of all groups. */
  readonly groups: ReadonlySet<string>;
}

async function decideOutcome(
  { entry, problem, changes }: Candidate,
  { users, groups }: PlannedNames,
  context: OperationContext,
): Promise<Outcome> {
  if (entry === null) return refuse(problem ?? 'cannot be imported');
  const outcome =
    entry.kind === 'user'
      ? decideUser(entry, groups, context)
      : entry.kind === 'group'
        ? decideGroup(entry, context)
        : await decideApplication(entry, users, context);
  return outcome ?? { outcome: changes.length > 0 ? 'changed' : 'taken', says: changes };
}

function decideUser(
  entry: UserEntry,
  groups: ReadonlySet<string>,
  { accounts, projections }: OperationContext,
): Outcome | undefined {
  const unknownGroups = entry.groups.filter((name) => !groups.has(normalizeGroupName(name)));
  if (unknownGroups.length > 0)
    return refuse(
      ...unknownGroups.map((name) => `its group ${JSON.stringify(name)} does not exist and will not be imported`),
    );
  const user = projections.users.findByName(normalizeUserName(entry.username));
  if (user !== undefined)
    return decideExisting(userDifferences(user, projections.groups.namesOf(user.userId), entry), 'its password');
  const problems = accounts.importProblems(accountFields(entry));
  return problems === undefined
    ? undefined
    : refuse(...Object.entries(problems).map(([field, problem]) => `${field}: ${english.text(problem)}`));
}

export function accountFields({
  username,
  email,
  first_name: firstName,
  last_name: lastName,
  roles,
  active,
}: UserEntry) {
  return { username, email, firstName, lastName, roles, active };
}

function decideGroup(
  { name }: GroupEntry,
  { groupDirectory: groups, projections }: OperationContext,
): Outcome | undefined {
  const normalizedName = normalizeGroupName(name);
  if (projections.groups.all().some((group) => group.name === normalizedName)) return { outcome: 'there', says: [] };
  const problem = groups.creationProblem(name);
  return problem === undefined ? undefined : refuse(groupNameProblem(problem));
}

async function decideApplication(
  entry: ApplicationEntry,
  plannedUsers: ReadonlyMap<string, boolean>,
  { registration, projections }: OperationContext,
): Promise<Outcome | undefined> {
  const owner = entry.owner === null ? null : normalizeUserName(entry.owner);
  // If the owner's entry was refused, an existing account with the same name must not receive the application.
  if (owner !== null && !(plannedUsers.get(owner) ?? projections.users.findByName(owner) !== undefined)) {
    return refuse(
      `its owner ${JSON.stringify(owner)} does not exist or was refused: add or correct that user, or remove the owner`,
    );
  }
  const client = projections.clients.find(entry.client_id);
  if (client !== undefined) {
    const owners = ownersOf(client).flatMap(({ userId }) => projections.users.find(userId)?.username ?? []);
    return decideExisting(clientDifferences(client, owners, entry), 'its secret');
  }
  const problem = importedCredentialsProblem(clientCredentials(entry));
  if (problem !== undefined) return refuse(problem);
  if (await registration.isTaken(entry.client_id as ClientId))
    return refuse(
      'an application with this client id was removed; client ids are never reused, so choose a different one',
    );
  const fields = await registrationFields(entry);
  if ('problem' in fields) return refuse(fields.problem);
  const errors = registration.problems(fields);
  return errors === undefined ? undefined : refuse(...describeErrors(errors));
}

/** Returns the fields for registering the application, or the problem with its keys. */
export async function registrationFields(
  entry: ApplicationEntry,
): Promise<RegistrationFields | { readonly problem: string }> {
  const result = entry.jwks === undefined ? { keys: [] } : await readClientKeys(entry.jwks);
  if ('problem' in result) return { problem: english.text(result.problem) };
  const { jwks_uri: keysUri = null } = entry;
  const { auth_methods: methods = result.keys.length > 0 || keysUri !== null ? ['private_key_jwt'] : undefined } =
    entry;
  return {
    name: entry.name,
    clientType: entry.client_type,
    grantTypes: entry.grant_types,
    redirectUris: entry.redirect_uris,
    allowedOrigins: entry.allowed_origins,
    skipAuthorization: entry.skip_authorization,
    accessTokenFormat: entry.access_token_format,
    accessTokenAlgorithm: entry.access_token_algorithm,
    applicationType: entry.application_type,
    openid: openIdFields(entry),
    presentation: presentationFromJson(entry),
    authentication: methods && { methods, keys: result.keys, keysUri },
    security: securityFields(entry),
  };
}

function openIdFields({ id_token_algorithm: idTokenAlgorithm, ...entry }: ApplicationEntry): OpenIdFields {
  const { idTokenAlgorithm: _default, ...openid } = openIdFromJson({ ...entry, id_token_algorithm: 'RS256' });
  return idTokenAlgorithm === undefined ? openid : { ...openid, idTokenAlgorithm };
}

function securityFields(entry: ApplicationEntry): SecurityFields {
  const fields = {
    profile: entry.profile,
    dpopBoundAccessTokens: entry.dpop_bound_access_tokens,
    tlsBoundAccessTokens: entry.tls_client_certificate_bound_access_tokens,
    requirePushedAuthorizationRequests: entry.require_pushed_authorization_requests,
    requireSignedRequestObject: entry.require_signed_request_object,
    requestObjectAlgorithm: entry.request_object_signing_alg,
    requestUris: entry.request_uris,
    authorizationResponseAlgorithm: entry.authorization_signed_response_alg,
    introspectionAlgorithm: entry.introspection_signed_response_alg,
  } satisfies Readonly<Record<keyof SecuritySettings, unknown>>;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function clientCredentials({
  client_id,
  client_secret,
  client_secret_hash,
}: ApplicationEntry): ImportedCredentials {
  return { clientId: client_id, clientSecret: client_secret ?? null, clientSecretHash: client_secret_hash };
}

function describeErrors(errors: RegistrationErrors): readonly string[] {
  const messages = Object.values(errors).map(english.text);
  const hasPlainHttp = messages.some((message) => /http:\S* must use https; http is/.test(message));
  return hasPlainHttp
    ? [...messages, 'Use https on the old server first, or allow http with the plainHttpRedirectUris setting.']
    : messages;
}

function decideExisting(differences: readonly string[], secretName: string): Outcome {
  return differences.length === 0
    ? { outcome: 'there', says: [`${secretName} is unchanged`] }
    : refuse(
        `already exists with a different ${differences.join(', ')}: make them match, or remove the entry from the file`,
      );
}
