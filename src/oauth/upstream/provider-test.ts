import type { EpochSeconds } from '../../domain/values.ts';
import type { UpstreamProvider } from '../../projections/upstream-providers.ts';
import type { PublishedKeys } from '../clients/published-keys.ts';
import { metadataUrl, type ReadProviderMetadata } from './provider-metadata.ts';
import type { TokenRequests } from './token-requests.ts';
import { UpstreamError } from './upstream-error.ts';
import { english } from '../../language/english.ts';
import { message, type Message } from '../../language/message.ts';
import { headlineOf } from '../refusals/headlines.ts';

/** The result of a test step. */
export interface ProviderCheck {
  readonly step: 'metadata' | 'keys' | 'client';
  /** `unknown` if the provider's response is inconclusive. */
  readonly result: 'good' | 'bad' | 'unknown';
  readonly text: Message;
}

/** Tests the connection to a provider, and stops at the first step that fails. Records nothing. */
export type TestProvider = (provider: UpstreamProvider, now: EpochSeconds) => Promise<readonly ProviderCheck[]>;

export function createProviderTester(deps: {
  readonly readMetadata: ReadProviderMetadata;
  readonly keys: Pick<PublishedKeys, 'find'>;
  readonly tokenRequests: Pick<TokenRequests, 'redeem'>;
  readonly mintId: () => string;
}): TestProvider {
  const { readMetadata, keys, tokenRequests, mintId } = deps;

  /** Redeems a made-up code. If the provider refuses the code but not the client, the client's settings are correct. */
  async function checkClient(
    provider: UpstreamProvider,
    metadata: Awaited<ReturnType<ReadProviderMetadata>>,
    now: EpochSeconds,
  ): Promise<ProviderCheck> {
    const fakeCode = { code: mintId(), verifier: `${mintId()}${mintId()}` };
    try {
      await tokenRequests.redeem(provider, metadata, fakeCode, now);
      return { step: 'client', result: 'unknown', text: message('provider-test.unknown') };
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { refusal } = error;
      if (refusal.rule !== 'upstream-code-refused') return failedCheck('client', metadata.tokenEndpoint, refusal);
      const { error: providerError } = refusal;
      const errorText = english.text(providerError);
      if (errorText.includes('invalid_grant'))
        return { step: 'client', result: 'good', text: message('provider-test.client') };
      const isRefused = /invalid_client|unauthorized_client/.test(errorText);
      return isRefused
        ? { step: 'client', result: 'bad', text: message('provider-test.refused', { error: providerError }) }
        : { step: 'client', result: 'unknown', text: message('provider-test.error', { error: providerError }) };
    }
  }

  return async (provider, now) => {
    const metadata = await readMetadata(provider).catch(rethrowUnlessRefused);
    if (metadata instanceof UpstreamError) return [failedCheck('metadata', metadataUrl(provider), metadata.refusal)];
    const text = message('provider-test.metadata', { issuer: provider.issuer });
    const checks: ProviderCheck[] = [{ step: 'metadata', result: 'good', text }];
    const { allKeys, problem } = await keys.find(metadata.keysUri, () => true);
    const keysProblem = { address: metadata.keysUri, problem: problem ?? message('published-keys.none') };
    if (allKeys.length === 0)
      return [...checks, { step: 'keys', result: 'bad', text: message('provider-test.no-keys', keysProblem) }];
    checks.push({ step: 'keys', result: 'good', text: message('provider-test.keys', { count: allKeys.length }) });
    return [...checks, await checkClient(provider, metadata, now)];
  };
}

function rethrowUnlessRefused(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  throw error;
}

/**
 * Returns the result of a test step that failed.
 * @param url the URL that was requested
 */
export function failedCheck(
  step: ProviderCheck['step'],
  url: string,
  refusal: UpstreamError['refusal'],
): ProviderCheck {
  const text =
    'problem' in refusal
      ? message('provider-test.failed', { step, address: url, problem: refusal.problem })
      : message('provider-test.failed-otherwise', { headline: headlineOf(refusal) });
  return { step, result: 'bad', text };
}
