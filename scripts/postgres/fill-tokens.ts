import { grantStream } from '../../src/domain/streams.ts';
import type { ClientId, GrantId } from '../../src/domain/values.ts';
import { START, type Revision } from '../../src/event-store/event-log.ts';
import { recordEvent } from '../../src/event-store/record.ts';
import { systemEntropy } from '../../src/platform/ports.ts';
import { createTokenEvent } from '../token-event.ts';
import { queryOnce } from './query-once.ts';

/** The number of events per statement. */
const BATCH_EVENTS = 250_000;

export interface TokensToFill {
  readonly count: number;
  /** A registered client, because the server ignores tokens of unknown clients. */
  readonly clientId: ClientId;
}

/**
 * Appends `count` live access tokens to the log at `url` with SQL. No node may use the log while this runs. The records
 * differ in the id of the grant and the hash of the token, which belongs to no actual token.
 * @returns the position of the last event
 */
export async function fillTokens(
  url: string,
  { count, clientId }: TokensToFill,
  report = (_line: string): void => {},
): Promise<number> {
  const { grantId, tokenHash, stream: grant, event } = createTokenEvent(clientId, systemEntropy());
  const { record } = recordEvent(grant, 1 as Revision, START, event);
  const template = sqlLiteral(record.replaceAll(grantId, '{grant}').replace(tokenHash, '{hash}'));
  const stream = sqlLiteral(grantStream('{grant}' as GrantId));
  for (let filledCount = 0; filledCount < count; filledCount += BATCH_EVENTS) {
    const events = Math.min(BATCH_EVENTS, count - filledCount);
    await queryOnce(url, fillStatement({ events, template, stream, idLength: grantId.length }));
    report(`${filledCount + events} of ${count} tokens`);
  }
  const [head] = await queryOnce<{ position: string }>(url, 'select position from grantlog.head');
  await queryOnce(url, 'analyze grantlog.events');
  return Number(head?.position);
}

interface FillDeps {
  readonly events: number;
  readonly template: string;
  readonly stream: string;
  /** The number of characters in a grant id. */
  readonly idLength: number;
}

/**
 * Returns one statement instead of calls to `grantlog.append`, because a loop in PL/pgSQL takes several times as long.
 */
function fillStatement({ events, template, stream, idLength }: FillDeps): string {
  return `
    with last as (update grantlog.head set position = position + ${events} returning position - ${events} as position)
    insert into grantlog.events (position, stream, revision, append_id, record)
    select position, replace(${stream}, '{grant}', grant_id), 1, gen_random_uuid(),
      replace(replace(${template}, '{grant}', grant_id), '{hash}', token_hash)
    from (
      select last.position + n as position, ${base64Url('sha256(seed)')} as token_hash,
        left(${base64Url('sha256(seed || seed)')}, ${idLength}) as grant_id
      from last, generate_series(1, ${events}) n, lateral (select uuid_send(gen_random_uuid()) as seed where n > 0) s
    ) generated`;
}

/** Returns an SQL expression that encodes bytes in base64url. */
function base64Url(bytes: string): string {
  return `translate(rtrim(encode(${bytes}, 'base64'), '='), '+/', '-_')`;
}

function sqlLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
