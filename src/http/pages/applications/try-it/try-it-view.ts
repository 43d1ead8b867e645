import type { ApplicationCallbackLocals, TryItLocals } from '../locals.ts';
import { CLAIM_MEANINGS, type ClaimMeaning } from './claim-meanings.ts';
import type { ExampleRequest } from './example-request.ts';
import { examplesAfterAuthorization, examplesFor, type ExampleClient, type ExampleId } from './examples.ts';
import { LANGUAGES, type Language } from './languages.ts';

/** The example requests as the views show them. */
export interface TryItView {
  readonly examples: readonly ExampleView[];
  readonly languages: readonly (Pick<Language, 'id' | 'name'> & { readonly isCurrent: boolean })[];
  /** How to run an example in the current language. */
  readonly usage: string;
  /** Empty for an application that cannot log users in. */
  readonly claimMeanings: readonly ClaimMeaning[];
}

interface ExampleView {
  readonly id: ExampleId;
  readonly title: string;
  readonly explanation: string;
  /** An address of this server to open in the browser, or null for a request. */
  readonly link: string | null;
  /** The request in the current language, or the complete address. */
  readonly code: string;
  /** The `ExampleRequest` as JSON, from which a script of the page sends it; null for an address. */
  readonly request: string | null;
}

/** Every example, as on the tab of the application. */
export function tryItView(locals: TryItLocals): TryItView {
  return viewOf(locals, examplesFor);
}

/**
 * The examples of the built-in callback page: those for a received code, or those that get one. The page on which the
 * flow started has the code verifier.
 */
export function callbackView(locals: ApplicationCallbackLocals): TryItView & { readonly redeem: string | null } {
  const { application, tryIt, language, response } = locals;
  const pkce = { ...tryIt.pkce, verifier: 'CODE_VERIFIER' };
  const ofFlow = { ...locals, application: { ...application, grants: ['authorization-code'] as const } };
  if (response?.kind !== 'code') {
    const view = viewOf(ofFlow, examplesFor);
    return { ...view, examples: view.examples.filter(({ link }) => link !== null), redeem: null };
  }
  const received = { ...ofFlow, tryIt: { ...tryIt, pkce } };
  const [exchange] = examplesAfterAuthorization(exampleClient(received));
  const redeem = exchange?.request ? language.write(withCode(exchange.request, response.code)) : null;
  return { ...viewOf(received, examplesAfterAuthorization), redeem };
}

function withCode(request: ExampleRequest, code: string): ExampleRequest {
  const form = request.form?.map(([name, value]) => [name, name === 'code' ? code : value] as const) ?? null;
  return { ...request, form };
}

function exampleClient(locals: TryItLocals): ExampleClient {
  return { ...locals.application, ...locals.tryIt, redirectUris: usableUris(locals) };
}

function viewOf(locals: TryItLocals, list: typeof examplesFor): TryItView {
  const { application, tryIt, language } = locals;
  const examples = list(exampleClient(locals));
  return {
    examples: examples.map(({ request, ...example }) => ({
      ...example,
      code: request === null ? `${tryIt.issuer}${example.link ?? ''}` : language.write(request),
      request: request === null ? null : JSON.stringify(request),
    })),
    languages: LANGUAGES.map(({ id, name }) => ({ id, name, isCurrent: id === language.id })),
    usage: language.usage,
    claimMeanings: application.grants.includes('authorization-code') ? CLAIM_MEANINGS : [],
  };
}

/** The built-in callback page comes first, because the flow then works in the browser. */
function usableUris({
  application,
  forbiddenRedirectUris,
  builtinCallback,
}: TryItLocals): ExampleClient['redirectUris'] {
  const forbidden = forbiddenRedirectUris.map(({ uri }) => uri);
  const usable = application.redirectUris.filter((uri) => !forbidden.includes(uri));
  const builtin = usable.filter((uri) => uri === builtinCallback.uri);
  return [...builtin, ...usable.filter((uri) => uri !== builtinCallback.uri)];
}
