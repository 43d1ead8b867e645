import { message, type Text } from '../../../language/message.ts';
import { overallResult, type LastTest } from '../../../oauth/upstream/last-tests.ts';
import type { UpstreamProvider } from '../../../projections/upstream-providers.ts';
import type { ActionFact } from './locals.ts';

/** The question asked before a provider is enabled. */
interface EnableQuestion {
  readonly title: Text;
  readonly text: readonly Text[];
  /** The failed steps; empty if there was no test. */
  readonly facts: readonly ActionFact[];
}

/**
 * Returns the question to ask before enabling a provider that has not been tested or whose last test failed, because
 * the login page might then offer a provider that does not work. Returns undefined for all other providers.
 */
export function enableQuestion(
  { name, disabled }: Pick<UpstreamProvider, 'name' | 'disabled'>,
  lastTest: LastTest | null,
): EnableQuestion | undefined {
  if (disabled !== true) return undefined;
  const consequence = message('provider.enable-consequence', { provider: name });
  if (lastTest === null) {
    const title = message('provider.enable-untested', { provider: name });
    return { title, text: [message('provider.enable-untested-text'), consequence], facts: [] };
  }
  if (overallResult(lastTest) !== 'bad') return undefined;
  const failedChecks = lastTest.checks.filter(({ result }) => result === 'bad');
  return {
    title: message('provider.enable-failed', { provider: name }),
    text: [consequence],
    facts: failedChecks.map(({ step, text }) => ({ title: message('provider.failed-step', { step }), text })),
  };
}
