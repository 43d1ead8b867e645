import type { BundleDamage } from '../audit/proofs/verify-bundle.ts';
import type { VerifyItem } from '../audit/proofs/verify.ts';
import { pluralize, fitMessage, formatJson } from './print.ts';
import type { Terminal } from './terminal.ts';

type ReportItem = VerifyItem | BundleDamage;

/** Prints the results of a verification, one line for each, or as one JSON object when `end` is called. */
export interface VerifyReport {
  add(item: ReportItem): Promise<void>;
  end(): Promise<void>;
}

/**
 * Creates a report. In JSON, it is one object with the members of the log summary and the audit summary, and with
 * damage and rule violations under `problems`.
 */
export function createVerifyReport(
  { out, tableWidth }: Pick<Terminal, 'out' | 'tableWidth'>,
  { json: asJson }: { readonly json?: true },
): VerifyReport {
  if (asJson !== true)
    return {
      add: (item) => out(fitMessage({ tableWidth }, `${describeItem(item)}\n`)),
      end: async () => {},
    };
  const problems: ReportItem[] = [];
  let summaries = {};
  return {
    async add(item) {
      if ('damage' in item || 'rule' in item) problems.push(item);
      else summaries = { ...summaries, ...item };
    },
    end: () => out(formatJson({ ...summaries, problems })),
  };
}

/** Describes where a bundle is damaged. */
export function damageLocation({ file, position }: BundleDamage): string {
  return position === null ? file : `${file} at position ${position}`;
}

function describeItem(item: ReportItem): string {
  if ('file' in item) return `DAMAGED ${damageLocation(item)}: ${item.damage}`;
  if ('damage' in item) return `DAMAGED at position ${item.position}: ${item.damage}`;
  if ('rule' in item)
    return `${item.severity} at position ${item.position} in ${item.stream}: ${item.message} (rule: ${item.rule})`;
  if ('root' in item) {
    const { root, size, checkpoints, tiles } = item;
    const evidence = `${pluralize(checkpoints, 'checkpoint')} and ${pluralize(tiles, 'tile')}`;
    return `root ${root} of ${pluralize(size, 'record')}, verified against ${evidence}`;
  }
  if ('rules' in item) {
    const { events, rules, findings, notices } = item;
    const outcome = `${pluralize(findings, 'finding')}, ${pluralize(notices, 'notice')}`;
    const explanation = findings === 0 && notices === 0 ? ' (no event violates a rule)' : '';
    return `${events} events checked against ${rules} rules: ${outcome}${explanation}`;
  }
  return '';
}
