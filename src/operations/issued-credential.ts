import type { GrantId } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { findForeignToken, findIssuingEvent } from '../oauth/incidents/issue-search.ts';
import { OperationRefused } from './control/operation-refused.ts';

const MAX_LISTED_IDS = 5;

/**
 * Returns the id of the grant that the input identifies by its id, its stream name, a token or a code. A JWT from
 * another issuer identifies the grant that began with it.
 * @throws OperationRefused if the id is malformed, the log contains no event that issued the token, or several grants
 * began with it
 */
export async function findGrantId(
  { grant, token }: { readonly grant?: string | undefined; readonly token?: string | undefined },
  log: Pick<EventLog, 'readAll'>,
): Promise<GrantId> {
  if (token !== undefined) {
    const issue = await findIssuingEvent(token, log);
    if (issue?.stream.startsWith('grant-') === true) return issue.stream.slice('grant-'.length) as GrantId;
    const [grantId, ...otherIds] = (await findForeignToken(token, log))?.grantIds ?? [];
    if (grantId === undefined) throw new OperationRefused('the log contains no event that issued this token or code');
    if (otherIds.length === 0) return grantId;
    const examples = [grantId, ...otherIds].slice(0, MAX_LISTED_IDS).join(', ');
    throw new OperationRefused(
      `${otherIds.length + 1} grants began with this token, such as ${examples}: specify one of them`,
    );
  }
  const id = (grant ?? '').replace(/^grant-/, '');
  if (/^[\w-]{22}$/.test(id)) return id as GrantId;
  throw new OperationRefused('a grant id has 22 characters; see: grantlog grant list');
}
