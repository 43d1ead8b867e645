import { message, type Message } from '../../../../language/message.ts';
import { VERIFICATION_PATH } from '../../../../oauth/devices/device-authorization.ts';
import { qrCode, type QrCode } from '../../qr-code.ts';
import type { ApplicationCallbackLocals, TryItLocals } from '../locals.ts';
import { CLAIM_MEANINGS, type ClaimMeaning } from './claim-meanings.ts';
import type { Example, ExampleClient, ExampleId } from './example.ts';
import type { ExampleRequest } from './example-request.ts';
import { examplesAfterAuthorization, examplesFor } from './examples.ts';
import { LANGUAGES, type ExampleLanguage } from './languages.ts';
import { needsCertificate, needsSignature, type ExampleRequirements } from './requirements.ts';

/** The example requests, as shown in the views. */
export interface TryItView {
  readonly examples: readonly ExampleView[];
  /** The languages to choose from; empty if the examples can be shown in only one language. */
  readonly languages: readonly (Pick<ExampleLanguage, 'id' | 'name'> & { readonly isCurrent: boolean })[];
  /** How to run an example in the current language. */
  readonly usage: Message;
  /** The descriptions of claims; empty for an application without the authorization code grant. */
  readonly claimMeanings: readonly ClaimMeaning[];
  readonly requirements: ExampleRequirements;
  readonly needs: {
    readonly secret: boolean;
    readonly signature: boolean;
    readonly certificate: boolean;
  };
}

interface ExampleView {
  readonly id: ExampleId;
  readonly title: Message;
  readonly explanation: Message;
  /** A path on this server to open in the browser, or null for a request. */
  readonly link: string | null;
  /** The request in the current language or, for a link, the complete URL. */
  readonly code: string;
  /**
   * The `ExampleRequest`, as JSON, for the script on the page to send. Null for a link, and for a request that
   * needs a client certificate.
   */
  readonly request: string | null;
  /** The claims of the request object, as JSON. Null if the example has no request object. */
  readonly claims: string | null;
  /**
   * The QR code of the URL where users enter a device's user code (RFC 8628 §3.3.1). Null if the example is not a
   * device authorization request.
   */
  readonly qrCode: QrCode | null;
}

/** Returns the view with all examples, for the page where owners try them. */
export function tryItView(locals: TryItLocals): TryItView {
  return buildView(locals, examplesFor);
}

/**
 * Returns the view for the built-in callback page. If the page received a code, the examples follow the authorization,
 * and `redeem` is the request that redeems the code. Both contain a placeholder for the code verifier, because only the
 * page where the flow started has the code verifier. Without a code, the examples request one, and `redeem` is null.
 */
export function callbackView(locals: ApplicationCallbackLocals): TryItView & { readonly redeem: string | null } {
  const { application, tryIt, response } = locals;
  const pkce = { ...tryIt.pkce, verifier: 'CODE_VERIFIER' };
  const flowLocals = { ...locals, application: { ...application, grants: ['authorization-code'] as const } };
  if (response?.kind !== 'code') {
    const view = buildView(flowLocals, examplesFor);
    return { ...view, examples: view.examples.filter(({ id }) => EXAMPLES_BEFORE_CODE.includes(id)), redeem: null };
  }
  const receivedLocals = { ...flowLocals, tryIt: { ...tryIt, pkce } };
  const [redemptionExample] = examplesAfterAuthorization(exampleClient(receivedLocals));
  const redeem = redemptionExample?.request
    ? displayLanguage(locals).write(withCode(redemptionExample.request, response.code))
    : null;
  return { ...buildView(receivedLocals, examplesAfterAuthorization), redeem };
}

const EXAMPLES_BEFORE_CODE: readonly ExampleId[] = ['push', 'push-login', 'authorize', 'login'];

function withCode(request: ExampleRequest, code: string): ExampleRequest {
  const form = request.form?.map(([name, value]) => [name, name === 'code' ? code : value] as const) ?? null;
  return { ...request, form };
}

function exampleClient(locals: TryItLocals): ExampleClient {
  return { ...locals.application, ...locals.tryIt, redirectUris: usableUris(locals) };
}

/**
 * Returns the language of the examples. If requests need a certificate, the language is curl, which has options for
 * certificates. Code in other languages would depend on where the key is stored.
 */
function displayLanguage({ language, tryIt }: TryItLocals): ExampleLanguage {
  return needsCertificate(tryIt.requirements) ? LANGUAGES[0] : language;
}

function buildView(locals: TryItLocals, listExamples: (client: ExampleClient) => readonly Example[]): TryItView {
  const { application, tryIt } = locals;
  const { requirements } = tryIt;
  const language = displayLanguage(locals);
  const [signature, certificate] = [needsSignature(requirements), needsCertificate(requirements)];
  return {
    examples: listExamples(exampleClient(locals)).map(({ id, title, explanation, link, request, claims }) => ({
      id,
      title,
      explanation,
      link,
      code: request === null ? `${tryIt.issuer}${link ?? ''}` : language.write(request),
      request: request === null || request.certificate ? null : JSON.stringify(request),
      claims: claims === null ? null : JSON.stringify(claims),
      qrCode: id === 'device' ? qrCode(`${tryIt.issuer}${VERIFICATION_PATH}`) : null,
    })),
    languages: certificate ? [] : LANGUAGES.map(({ id, name }) => ({ id, name, isCurrent: id === language.id })),
    usage: message(language.usage),
    claimMeanings: application.grants.includes('authorization-code') ? CLAIM_MEANINGS : [],
    requirements,
    needs: { secret: requirements.authentication.startsWith('secret'), signature, certificate },
  };
}

/**
 * Returns the redirect URIs that are currently allowed. The built-in callback page comes first, because it lets
 * developers complete the whole flow in the browser.
 */
function usableUris({
  application,
  forbiddenRedirectUris,
  builtinCallback,
}: TryItLocals): ExampleClient['redirectUris'] {
  const forbiddenUris = forbiddenRedirectUris.map(({ uri }) => uri);
  const allowedUris = application.redirectUris.filter((uri) => !forbiddenUris.includes(uri));
  const builtinUris = allowedUris.filter((uri) => uri === builtinCallback.uri);
  return [...builtinUris, ...allowedUris.filter((uri) => uri !== builtinCallback.uri)];
}
