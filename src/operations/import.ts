import { z } from 'zod';
import { observedAccount } from '../domain/streams.ts';
import { GROUP_REFUSALS, groupNameProblem } from './groups.ts';
import { normalizeGroupName } from '../domain/group.ts';
import { normalizeUserName } from '../domain/user-name.ts';
import type { UserId } from '../domain/values.ts';
import { decideAgain } from '../event-store/decide-again.ts';
import { english } from '../language/english.ts';
import {
  candidateSchema,
  type ApplicationEntry,
  type Entry,
  type ImportResult,
  type GroupEntry,
  type UserEntry,
} from './import/entry.ts';
import type { OperationContext } from './operation-context.ts';
import { accountFields, clientCredentials, planImport, registrationFields, type PlannedImport } from './import-plan.ts';
import { basedOn, streamingOperation, type Operation } from './operation.ts';

/** The last item of an import. */
export interface ImportSummary {
  /** False if nothing was written: in a dry run, or because an entry was refused and `leaveOutRefused` is false. */
  readonly imported: boolean;
}

const input = z.strictObject({
  candidates: z.array(candidateSchema),
  dryRun: z.boolean(),
  /** Whether to import the other candidates if some are refused. */
  leaveOutRefused: z.boolean(),
});

export const importOperations: Readonly<Record<string, Operation>> = {
  /** Checks every candidate before writing any; yields an `ImportResult` for each, then an `ImportSummary`. */
  import: streamingOperation(input, async function* ({ candidates, dryRun, leaveOutRefused }, context, signal) {
    const plan = await planImport(candidates, context);
    const shouldImport = !dryRun && (leaveOutRefused || plan.every(({ result }) => result.outcome !== 'refused'));
    const users: ImportedUsers = new Map();
    for (const plannedImport of plan) {
      if (signal.aborted) return;
      yield shouldImport ? await importCandidate(plannedImport, users, context) : plannedImport.result;
    }
    yield { imported: shouldImport } satisfies ImportSummary;
  }),
};

/** The users registered by this import, by name. */
type ImportedUsers = Map<string, UserId>;

async function importCandidate(
  { candidate: { entry }, result, owner }: PlannedImport,
  users: ImportedUsers,
  context: OperationContext,
): Promise<ImportResult> {
  if (entry === null || (result.outcome !== 'taken' && result.outcome !== 'changed')) return result;
  const problem = await writeEntry(entry, owner, users, context);
  return problem === undefined
    ? result
    : { ...result, outcome: 'refused', says: [`${problem} (because of a change during the import)`] };
}

/**
 * Writes the entry. Returns the reason if the entry, or a part of it, could not be written, usually because another
 * command has changed the state.
 */
async function writeEntry(
  entry: Entry,
  owner: UserId | undefined,
  users: ImportedUsers,
  context: OperationContext,
): Promise<string | undefined> {
  if (entry.kind === 'user') return writeUser(entry, users, context);
  if (entry.kind === 'group') return writeGroup(entry, context);
  return decideAgain(() => writeApplication(entry, users.get(normalizeUserName(entry.owner ?? '')) ?? owner, context));
}

async function writeUser(
  entry: UserEntry,
  users: ImportedUsers,
  { accounts, groupDirectory, projections, cause }: OperationContext,
): Promise<string | undefined> {
  const { password: plaintext, password_hash: hash = null } = entry;
  const password = plaintext === undefined ? { hash } : { clear: plaintext };
  const result = await accounts.importAccount({ ...accountFields(entry), password }, cause);
  if ('errors' in result) return Object.values(result.errors).map(english.text).join(' ');
  users.set(result.user.username, result.user.userId);
  if (entry.email_verified) await accounts.verifyEmail(result.user, cause);
  const names = new Set(entry.groups.map(normalizeGroupName));
  const groups = [...names].flatMap((name) => projections.groups.findByName(name) ?? []);
  if (groups.length === 0) return undefined;
  const refusal = await groupDirectory.changeGroups(result.user, { add: groups, remove: [] }, cause);
  return refusal === undefined ? undefined : `the account was imported without its groups: ${GROUP_REFUSALS[refusal]}`;
}

async function writeGroup(
  { name }: GroupEntry,
  { groupDirectory: groups, cause }: OperationContext,
): Promise<string | undefined> {
  const problem = await groups.create(name, cause);
  return problem && groupNameProblem(problem);
}

async function writeApplication(
  entry: ApplicationEntry,
  ownerId: UserId | undefined,
  context: OperationContext,
): Promise<string | undefined> {
  const { registration, projections } = context;
  const owner = ownerId === undefined ? undefined : projections.users.find(ownerId);
  if (entry.owner !== null && owner === undefined) return 'its owner no longer exists';
  const cause = basedOn(context, ...(owner === undefined ? [] : [observedAccount(owner)]));
  const fields = await registrationFields(entry);
  if ('problem' in fields) return fields.problem;
  const result = await registration.register(fields, owner?.userId ?? null, cause, clientCredentials(entry));
  if ('clientId' in result) return undefined;
  return 'errors' in result
    ? Object.values(result.errors).map(english.text).join(' ')
    : 'the client id is in use or has been used before';
}
