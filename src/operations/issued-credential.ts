import { decodeEvent } from '../domain/events.ts';
import type { GrantId } from '../domain/values.ts';
import { START, type EventLog, type RecordedEvent } from '../event-store/event-log.ts';
import { hashCredential, isJwt } from '../oauth/credentials/credentials.ts';
import { OperationRefused } from './control/operation-refused.ts';

/** The event that issued a token or code; undefined if none did. Searches the log for its hash only. */
export async function findIssueOf(
  credential: string,
  log: Pick<EventLog, 'readAll'>,
): Promise<RecordedEvent | undefined> {
  const hashes = hashesOf(credential);
  for await (const events of log.readAll(START)) {
    const event = events.find((recorded) => issues(recorded, hashes));
    if (event !== undefined) return event;
  }
  return undefined;
}

/**
 * The grant that a question is about, by its id, by the name of its stream, or by a token or code.
 * @throws OperationRefused it is not the id of a grant, or no event issued the token
 */
export async function grantInQuestion(
  { grant, token }: { readonly grant?: string | undefined; readonly token?: string | undefined },
  log: Pick<EventLog, 'readAll'>,
): Promise<GrantId> {
  if (token !== undefined) {
    const issue = await findIssueOf(token, log);
    if (issue?.stream.startsWith('grant-') === true) return issue.stream.slice('grant-'.length) as GrantId;
    throw new OperationRefused('no event issued this token or code');
  }
  const id = (grant ?? '').replace(/^grant-/, '');
  if (/^[\w-]{22}$/.test(id)) return id as GrantId;
  throw new OperationRefused('a grant id has 22 characters: it is the name of its stream without `grant-`');
}

/** Of a JWT, the log has the hash of the whole or of what is signed. */
function hashesOf(credential: string): readonly string[] {
  const whole = hashCredential(credential);
  return isJwt(credential) ? [whole, hashCredential(credential.slice(0, credential.lastIndexOf('.')))] : [whole];
}

function issues(recorded: RecordedEvent, hashes: readonly string[]): boolean {
  const { data } = decodeEvent(recorded);
  return (
    ('tokenHash' in data && hashes.includes(data.tokenHash)) || ('codeHash' in data && hashes.includes(data.codeHash))
  );
}
