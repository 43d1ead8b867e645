import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import { overallResult, type LastTest, type LastTests } from '../../../oauth/upstream/last-tests.ts';
import type { UpstreamProvider, UpstreamProviders } from '../../../projections/upstream-providers.ts';
import { EMPTY_CELL, type Cell } from '../lists/page-list.ts';

/** The last logins and tests of providers, for the provider list and the dashboard. */
export interface ProviderUse {
  readonly upstreamProviders: Pick<UpstreamProviders, 'lastLoginAt'>;
  readonly lastProviderTests: Pick<LastTests, 'find'>;
}

const RESULT_TONES = { good: 'good', bad: 'danger', unknown: 'warning' } as const;

export function providerNameCell({ providerId, name }: UpstreamProvider): Cell {
  return { text: name, href: `/admin/providers/${providerId}/` };
}

export function providerStateCell({ disabled }: UpstreamProvider): Cell {
  return disabled === true
    ? { text: message('value.off'), tone: 'warning' }
    : { text: message('value.on'), tone: 'good' };
}

/**
 * Returns a cell with the result and time of the last test, or of a later outage that a login encountered. The cell is
 * empty if there was neither on this node since startup.
 */
export function lastTestCell(test: LastTest | null): Cell {
  if (test === null) return EMPTY_CELL;
  const result = overallResult(test);
  return { at: test.at, mark: { text: message('provider.test-result', { result }), tone: RESULT_TONES[result] } };
}

export function lastLoginCell(at: EpochSeconds | undefined): Cell {
  return at === undefined ? EMPTY_CELL : { at };
}

/** Returns the headings and rows of the dashboard's provider table. */
export function providerTable(providers: readonly UpstreamProvider[], use: ProviderUse) {
  const columns: readonly Text[] = [
    message('column.provider'),
    message('column.state'),
    message('column.last-login'),
    message('column.last-test'),
  ];
  const rows = providers.map((provider): readonly Cell[] => [
    providerNameCell(provider),
    providerStateCell(provider),
    lastLoginCell(use.upstreamProviders.lastLoginAt(provider.providerId)),
    lastTestCell(use.lastProviderTests.find(provider)),
  ]);
  return { columns, rows };
}
