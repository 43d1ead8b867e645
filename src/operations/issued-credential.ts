import type { GrantId } from '../domain/values.ts';
import type { EventLog } from '../event-store/event-log.ts';
import { findIssueOf } from '../oauth/incidents/issue-search.ts';
import { OperationRefused } from './control/operation-refused.ts';

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
