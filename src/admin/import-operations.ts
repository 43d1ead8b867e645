import { z } from 'zod';
import { normalUserName } from '../domain/user-name.ts';
import { candidateSchema, type ApplicationEntry, type Entry, type Fate, type GroupEntry, type UserEntry } from '../moving-in/entry.ts';
import type { Administration } from './administration.ts';
import { accountOf, credentialsOf, judge, registrationOf, type Judged } from './import-judgement.ts';
import { BY_OPERATOR, streaming, type Operation } from './operation.ts';

/** The end of an import's answer: whether anything was to be written. */
export interface ImportEnd {
  readonly imported: boolean;
}

const input = z.strictObject({
  candidates: z.array(candidateSchema),
  dryRun: z.boolean(),
  /** Whether to bring in the rest where some are refused. */
  leaveOutRefused: z.boolean(),
});

export const importOperations: Readonly<Record<string, Operation>> = {
  /** Judges all candidates before the first is written; yields a `Fate` for each, and an `ImportEnd`. */
  import: streaming(input, async function* ({ candidates, dryRun, leaveOutRefused }, admin, signal) {
    const judged = await judge(candidates, admin);
    const imported = !dryRun && (leaveOutRefused || judged.every(({ fate }) => fate.outcome !== 'refused'));
    for (const one of judged) {
      if (signal.aborted) return;
      yield imported ? await bringIn(one, admin) : one.fate;
    }
    yield { imported } satisfies ImportEnd;
  }),
};

async function bringIn({ candidate: { entry }, fate }: Judged, admin: Administration): Promise<Fate> {
  if (entry === null || (fate.outcome !== 'taken' && fate.outcome !== 'changed')) return fate;
  const problem = await write(entry, admin);
  return problem === undefined ? fate : { ...fate, outcome: 'refused', says: [`${problem}: somebody was faster`] };
}

/** What was in the way at the last moment, in words. */
async function write(entry: Entry, admin: Administration): Promise<string | undefined> {
  if (entry.kind === 'user') return writeUser(entry, admin);
  return entry.kind === 'group' ? writeGroup(entry, admin) : writeApplication(entry, admin);
}

async function writeUser(entry: UserEntry, { accounts }: Administration): Promise<string | undefined> {
  const { password, password_hash: hash = null } = entry;
  const added = await accounts.bring({ ...accountOf(entry), password: password === undefined ? { hash } : { clear: password } }, BY_OPERATOR);
  return 'errors' in added ? Object.values(added.errors).join(' ') : undefined;
}

function writeGroup({ name }: GroupEntry, { groups }: Administration): Promise<string | undefined> {
  return groups.create(name, BY_OPERATOR);
}

async function writeApplication(entry: ApplicationEntry, { registration, projections }: Administration): Promise<string | undefined> {
  const owner = entry.owner === null ? null : projections.users.named(normalUserName(entry.owner));
  if (owner === undefined) return 'its owner is gone';
  const added = await registration.register(registrationOf(entry), owner?.userId ?? null, BY_OPERATOR, credentialsOf(entry));
  if ('clientId' in added) return undefined;
  return 'errors' in added ? Object.values(added.errors).join(' ') : 'the client id is or was in use';
}
