import { setImmediate } from 'node:timers/promises';
import { normalGroupName } from '../domain/group.ts';
import { foldedUserName, normalUserName } from '../domain/user-name.ts';
import type { ClientId, UserId } from '../domain/values.ts';
import type { ApplicationEntry, Candidate, Fate, GroupEntry, UserEntry } from './import/entry.ts';
import { broughtCredentialsProblem, type BroughtCredentials } from '../oauth/clients/new-credentials.ts';
import type { RegistrationErrors, RegistrationFields } from '../oauth/clients/registration.ts';
import type { Administration } from './administration.ts';
import { differencesOfClient, differencesOfUser } from './import-comparison.ts';

/** A candidate and what is to become of it. */
export interface Judged {
  readonly candidate: Candidate;
  readonly fate: Fate;
  /** The account that has the name of an application's owner now: later the name may belong to another account. */
  readonly owner: UserId | undefined;
}

type Verdict = Pick<Fate, 'outcome' | 'says'>;

/** Where the operation lets others have their turn. */
const AT_A_TIME = 200;

/**
 * What becomes of each candidate: groups, then users, then applications, each in the order of the file, so that owners come
 * before what is theirs. Nothing is written.
 */
export async function judge(candidates: readonly Candidate[], admin: Administration): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const seen = new Map<string, string>();
  /** The users of the file, and whether they are who is here after it. */
  const comes = new Map<string, boolean>();
  for (const candidate of inOrder(candidates)) {
    const owner = ownerOf(candidate, admin);
    const verdict = repeated(candidate, seen) ?? (await verdictOn(candidate, comes, admin));
    const { kind, name, from, entry } = candidate;
    if (entry?.kind === 'user') comes.set(normalUserName(entry.username), verdict.outcome !== 'refused');
    judged.push({ candidate, fate: { kind, name, from, ...verdict }, owner });
    if (judged.length % AT_A_TIME === 0) await setImmediate();
  }
  return judged;
}

function ownerOf({ entry }: Candidate, { projections }: Administration): UserId | undefined {
  if (entry?.kind !== 'application' || entry.owner === null) return undefined;
  return projections.users.named(normalUserName(entry.owner))?.userId;
}

const ORDER: readonly (string | undefined)[] = [undefined, 'group', 'user', 'application'];

function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  return ORDER.flatMap((kind) => candidates.filter(({ entry }) => entry?.kind === kind));
}

const refused = (...says: readonly string[]): Verdict => ({ outcome: 'refused', says });

function repeated({ entry, from }: Candidate, seen: Map<string, string>): Verdict | undefined {
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

async function verdictOn(
  { entry, problem, changes }: Candidate,
  comes: ReadonlyMap<string, boolean>,
  admin: Administration,
): Promise<Verdict> {
  if (entry === null) return refused(problem ?? 'is nothing that can be brought in');
  const verdict =
    entry.kind === 'user'
      ? onUser(entry, admin)
      : entry.kind === 'group'
        ? onGroup(entry, admin)
        : await onApplication(entry, comes, admin);
  return verdict ?? { outcome: changes.length > 0 ? 'changed' : 'taken', says: changes };
}

function onUser(entry: UserEntry, { accounts, projections }: Administration): Verdict | undefined {
  const user = projections.users.named(normalUserName(entry.username));
  if (user !== undefined) return onWhatIsThere(differencesOfUser(user, entry), 'its password');
  const problems = accounts.broughtProblems(accountOf(entry));
  return problems === undefined
    ? undefined
    : refused(...Object.entries(problems).map(([field, what]) => `${field}: ${what}`));
}

export function accountOf({ username, email, first_name: firstName, last_name: lastName, roles, active }: UserEntry) {
  return { username, email, firstName, lastName, roles, active };
}

function onGroup({ name }: GroupEntry, { groups, projections }: Administration): Verdict | undefined {
  const normal = normalGroupName(name);
  if (projections.groups.all().some((group) => group.name === normal)) return { outcome: 'there', says: [] };
  const problem = groups.problem(name);
  return problem === undefined ? undefined : refused(problem);
}

async function onApplication(
  entry: ApplicationEntry,
  comes: ReadonlyMap<string, boolean>,
  { registration, projections }: Administration,
): Promise<Verdict | undefined> {
  const owner = entry.owner === null ? null : normalUserName(entry.owner);
  // Somebody of the owner's name who is here already, and is somebody else, must not get what is the owner's.
  if (owner !== null && !(comes.get(owner) ?? projections.users.named(owner) !== undefined)) {
    return refused(
      `its owner ${JSON.stringify(owner)} is not here and does not come along: see what is said of that user, or leave the owner out`,
    );
  }
  const client = projections.clients.find(entry.client_id);
  if (client !== undefined) {
    const itsOwner = client.ownerId === null ? null : (projections.users.find(client.ownerId)?.username ?? null);
    return onWhatIsThere(differencesOfClient(client, itsOwner, entry), 'its secret');
  }
  const problem = broughtCredentialsProblem(credentialsOf(entry));
  if (problem !== undefined) return refused(problem);
  if (await registration.isTaken(entry.client_id as ClientId))
    return refused(
      'an application with this client id was removed here, and an id is not given again: register it under another one',
    );
  const errors = registration.problems(registrationOf(entry));
  return errors === undefined ? undefined : refused(...inWords(errors, entry));
}

export function registrationOf(entry: ApplicationEntry): RegistrationFields {
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

export function credentialsOf({ client_id, client_secret, client_secret_hash }: ApplicationEntry): BroughtCredentials {
  return { clientId: client_id, clientSecret: client_secret ?? null, clientSecretHash: client_secret_hash };
}

function inWords(errors: RegistrationErrors, { redirect_uris: uris }: ApplicationEntry): readonly string[] {
  const said = Object.values(errors);
  const isPlain =
    errors.redirectUris?.includes('must use https; http') === true && uris.some((uri) => uri.startsWith('http:'));
  return isPlain
    ? [...said, 'Change it on the old server first, or allow http with the setting plainHttpRedirectUris.']
    : said;
}

function onWhatIsThere(differences: readonly string[], secret: string): Verdict {
  return differences.length === 0
    ? { outcome: 'there', says: [`${secret} here stays as it is`] }
    : refused(
        `is there already, with another ${differences.join(', ')}: make both the same, or leave it out of the file`,
      );
}
