import { decodeEvent } from '../../domain/events.ts';
import { START, type EventLog, type RecordedEvent } from '../../event-store/event-log.ts';
import { hashCredential, isJwt } from '../credentials/credentials.ts';

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
