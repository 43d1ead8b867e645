import { setImmediate } from 'node:timers/promises';
import { normalGroupName } from '../domain/group.ts';
import { foldedUserName, normalUserName } from '../domain/user-name.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import type { ApplicationEntry, Candidate, ImportResult, GroupEntry, UserEntry } from './import/entry.ts';
import { importedCredentialsProblem, type ImportedCredentials } from '../oauth/clients/new-credentials.ts';
import type { RegistrationErrors, RegistrationFields } from '../oauth/clients/registration.ts';
import type { OperationContext } from './operation-context.ts';
import { clientDifferences, userDifferences } from './import-differences.ts';

/** A candidate and what is to become of it. */
export interface PlannedImport {
  readonly candidate: Candidate;
  readonly result: ImportResult;
  /** The account that has the name of an application's owner now: later the name may belong to another account. */
  readonly owner: UserId | undefined;
}

type Outcome = Pick<ImportResult, 'outcome' | 'says'>;

/** Where the operation lets others have their turn. */
const CANDIDATES_PER_TURN = 200;

/**
 * What becomes of each candidate: groups, then users, then applications, each in the order of the file, so that owners come
 * before what is theirs. Nothing is written.
 */
export async function planImport(
  candidates: readonly Candidate[],
  admin: OperationContext,
): Promise<readonly PlannedImport[]> {
  const judged: PlannedImport[] = [];
  const seen = new Map<string, string>();
  /** The users of the file, and whether they are who is here after it. */
  const comes = new Map<string, boolean>();
  for (const candidate of inImportOrder(candidates)) {
    const owner = findOwner(candidate, admin);
    const verdict = refuseDuplicate(candidate, seen) ?? (await decideOutcome(candidate, comes, admin));
    const { kind, name, from, entry } = candidate;
    if (entry?.kind === 'user') comes.set(normalUserName(entry.username), verdict.outcome !== 'refused');
    judged.push({ candidate, result: { kind, name, from, ...verdict }, owner });
    if (judged.length % CANDIDATES_PER_TURN === 0) await setImmediate();
  }
  return judged;
}

function findOwner({ entry }: Candidate, { projections }: OperationContext): UserId | undefined {
  if (entry?.kind !== 'application' || entry.owner === null) return undefined;
  return projections.users.findByName(normalUserName(entry.owner))?.userId;
}

const IMPORT_ORDER: readonly (string | undefined)[] = [undefined, 'group', 'user', 'application'];

function inImportOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  return IMPORT_ORDER.flatMap((kind) => candidates.filter(({ entry }) => entry?.kind === kind));
}

const refused = (...says: readonly string[]): Outcome => ({ outcome: 'refused', says });

function refuseDuplicate({ entry, from }: Candidate, seen: Map<string, string>): Outcome | undefined {
  if (entry === null) return undefined;
  const name =
    entry.kind === 'user'
      ? foldedUserName(entry.username)
      : entry.kind === 'group'
        ? normalGroupName(entry.name)
        : entry.client_id;
  const first = seen.get(`${entry.kind} ${name}`);
  if (first === undefined) seen.set(`${entry.kind} ${name}`, from);
  if (first === undefined) return undefined;
  return refused(
    entry.kind === 'user'
      ? `its name differs from that of ${first} in capital letters or width of its characters at most: rename one of them in the file`
      : `is in the file before, at ${first}: leave one of them out`,
  );
}

async function decideOutcome(
  { entry, problem, changes }: Candidate,
  comes: ReadonlyMap<string, boolean>,
  admin: OperationContext,
): Promise<Outcome> {
  if (entry === null) return refused(problem ?? 'is nothing that can be brought in');
  const verdict =
    entry.kind === 'user'
      ? decideUser(entry, admin)
      : entry.kind === 'group'
        ? decideGroup(entry, admin)
        : await decideApplication(entry, comes, admin);
  return verdict ?? { outcome: changes.length > 0 ? 'changed' : 'taken', says: changes };
}

function decideUser(entry: UserEntry, { accounts, projections }: OperationContext): Outcome | undefined {
  const user = projections.users.findByName(normalUserName(entry.username));
  if (user !== undefined) return decideExisting(userDifferences(user, entry), 'its password');
  const problems = accounts.importProblems(accountFields(entry));
  return problems === undefined
    ? undefined
    : refused(...Object.entries(problems).map(([field, what]) => `${field}: ${what}`));
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
  const normal = normalGroupName(name);
  if (projections.groups.all().some((group) => group.name === normal)) return { outcome: 'there', says: [] };
  const problem = groups.problem(name);
  return problem === undefined ? undefined : refused(problem);
}

async function decideApplication(
  entry: ApplicationEntry,
  comes: ReadonlyMap<string, boolean>,
  { registration, projections }: OperationContext,
): Promise<Outcome | undefined> {
  const owner = entry.owner === null ? null : normalUserName(entry.owner);
  // Somebody of the owner's name who is here already, and is somebody else, must not get what is the owner's.
  if (owner !== null && !(comes.get(owner) ?? projections.users.findByName(owner) !== undefined)) {
    return refused(
      `its owner ${JSON.stringify(owner)} is not here and does not come along: see what is said of that user, or leave the owner out`,
    );
  }
  const client = projections.clients.find(entry.client_id);
  if (client !== undefined) {
    const itsOwner = client.ownerId === null ? null : (projections.users.find(client.ownerId)?.username ?? null);
    return decideExisting(clientDifferences(client, itsOwner, entry), 'its secret');
  }
  const problem = importedCredentialsProblem(clientCredentials(entry));
  if (problem !== undefined) return refused(problem);
  if (await registration.isTaken(entry.client_id as ClientId))
    return refused(
      'an application with this client id was removed here, and an id is not given again: register it under another one',
    );
  const errors = registration.problems(registrationFields(entry));
  return errors === undefined ? undefined : refused(...describeErrors(errors, entry));
}

export function registrationFields(entry: ApplicationEntry): RegistrationFields {
  return {
    name: entry.name,
    clientType: entry.client_type,
    grantTypes: entry.grant_types,
    redirectUris: entry.redirect_uris,
    allowedOrigins: entry.allowed_origins,
    skipAuthorization: entry.skip_authorization,
    accessTokenFormat: entry.access_token_format,
  };
}

export function clientCredentials({
  client_id,
  client_secret,
  client_secret_hash,
}: ApplicationEntry): ImportedCredentials {
  return { clientId: client_id, clientSecret: client_secret ?? null, clientSecretHash: client_secret_hash };
}

function describeErrors(errors: RegistrationErrors, { redirect_uris: uris }: ApplicationEntry): readonly string[] {
  const said = Object.values(errors);
  const isPlain =
    errors.redirectUris?.includes('must use https; http') === true && uris.some((uri) => uri.startsWith('http:'));
  return isPlain
    ? [...said, 'Change it on the old server first, or allow http with the setting plainHttpRedirectUris.']
    : said;
}

function decideExisting(differences: readonly string[], secret: string): Outcome {
  return differences.length === 0
    ? { outcome: 'there', says: [`${secret} here stays as it is`] }
    : refused(
        `is there already, with another ${differences.join(', ')}: make both the same, or leave it out of the file`,
      );
}
