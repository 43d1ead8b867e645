import { createGrowingBuffer } from '../../platform/growing-buffer.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';
import { isUrl } from '../../platform/urls.ts';

export interface IntrospectionClient {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** About a hundred times the size of a typical response. */
const MAX_RESPONSE_BYTES = 65_536;

/** Loopback hosts, as normalized by `URL`. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Sends an RFC 7662 request and resolves with the text of the response. Redirects are not followed.
 * @param signal aborts the request when it takes too long
 * @throws IntrospectionUnavailable if the endpoint cannot be reached in time, or its response is too large or does not
 *   have status 200
 */
export type SendIntrospection = (token: string, signal: AbortSignal) => Promise<string>;

/**
 * Creates a function that sends introspection requests to an endpoint.
 * @throws TypeError if the endpoint or the credentials are invalid, or if tokens would be sent
 *   unencrypted over a network
 */
export function createIntrospectionSender({
  endpoint,
  clientId,
  clientSecret,
}: IntrospectionClient): SendIntrospection {
  const url = parseEndpoint(endpoint);
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`remoteIntrospection: ${name} must be a non-empty string`);
  }
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return async (token, signal) => {
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    try {
      const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
      if (response.status === 200) return await readText(response);
      await response.body?.cancel();
      throw new IntrospectionUnavailable(`the introspection endpoint responded with status ${response.status}`);
    } catch (error) {
      if (error instanceof IntrospectionUnavailable) throw error;
      throw new IntrospectionUnavailable(
        signal.aborted
          ? 'no response from the introspection endpoint within the time limit'
          : 'the introspection endpoint cannot be reached',
        { cause: error },
      );
    }
  };
}

function parseEndpoint(endpoint: string): URL {
  if (typeof endpoint !== 'string' || !isUrl(endpoint))
    throw new TypeError('remoteIntrospection: endpoint must be an absolute URL');
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('remoteIntrospection: endpoint must not contain a user name or a password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url;
  throw new TypeError(
    'remoteIntrospection: endpoint must use https, because tokens and the client secret are sent to it; ' +
      'http is allowed only for loopback addresses',
  );
}

/** Form-encodes a client id or secret before the two are joined (RFC 6749 §2.3.1). */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

async function readText({ body }: Response): Promise<string> {
  const buffer = createGrowingBuffer(MAX_RESPONSE_BYTES);
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    // leaving the loop cancels the response
    if (buffer.append(Buffer.from(chunk))) continue;
    throw new IntrospectionUnavailable(`the introspection response is larger than ${MAX_RESPONSE_BYTES} bytes`);
  }
  return buffer.bytes().toString('utf8');
}
