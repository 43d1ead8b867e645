import { parseDomain } from '../operations/domains.ts';
import { callOnce, type CliContext } from './context.ts';

export interface DomainRow {
  readonly domain: string;
  readonly rule: string;
  readonly since: string;
}

/**
 * Finds the entry that applies to a subdomain: the most specific of the entries that cover it. Resolves with undefined
 * if the domain is invalid or itself in the list, or if no entry covers it.
 */
export async function findCoveringEntry(
  input: string,
  { call }: CliContext,
): Promise<{ readonly domain: string; readonly entry: DomainRow } | undefined> {
  const domain = parseDomain(input);
  if (domain === undefined) return undefined;
  const coveringRows: DomainRow[] = [];
  for await (const item of call('domain list', {})) {
    const row = item as DomainRow;
    if (row.domain === domain) return undefined;
    if (domain.endsWith(`.${row.domain}`)) coveringRows.push(row);
  }
  const [entry] = coveringRows.toSorted((a, b) => b.domain.length - a.domain.length);
  return entry && { domain, entry };
}

/** Returns notes about a rule that covers a top-level domain, or whose effect depends on the current settings. */
export async function collectRuleNotes(domain: string, rule: string, context: CliContext): Promise<readonly string[]> {
  const { value: clientDocuments } = await callOnce(context, 'setting show', { name: 'clientDocuments' });
  const advice = 'see: grantlog setting show clientDocuments';
  return [
    ...(domain.includes('.') ? [] : [`${domain} is a top-level domain: the rule covers every domain below it`]),
    ...(clientDocuments === 'off'
      ? [`the rule has no effect while clientDocuments is off, because no metadata document is accepted; ${advice}`]
      : []),
    ...(clientDocuments === 'any' && rule === 'allowed'
      ? [`clientDocuments is any, so domains that are not in the list are accepted as well; ${advice}`]
      : []),
  ];
}
