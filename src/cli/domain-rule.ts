import { parseDomain } from '../operations/domains.ts';
import { callOnce, type CliContext } from './context.ts';

export interface DomainRow {
  readonly domain: string;
  readonly rule: string;
  readonly since: string;
}

/**
 * Finds the entry that applies to a domain: the longest one that covers it. Resolves with undefined if no entry
 * covers it, or if the domain itself is in the list or is invalid.
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

/** Returns warnings about a rule that has no effect, allows no more than before, or covers a top-level domain. */
export async function notesOnRule(domain: string, rule: string, context: CliContext): Promise<readonly string[]> {
  const { value: documents } = await callOnce(context, 'setting show', { name: 'clientDocuments' });
  const change = 'see: grantlog setting show clientDocuments';
  return [
    ...(domain.includes('.') ? [] : [`${domain} is a top-level domain: the rule covers every domain below it`]),
    ...(documents === 'off'
      ? [`the rule has no effect while clientDocuments is off, because no metadata document is accepted; ${change}`]
      : []),
    ...(documents === 'any' && rule === 'allowed'
      ? [`clientDocuments is any, so domains that are not in the list are accepted as well; ${change}`]
      : []),
  ];
}
