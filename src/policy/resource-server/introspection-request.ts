import { createGrowingBuffer } from '../../platform/growing-buffer.ts';
import { IntrospectionUnavailable } from './introspection-unavailable.ts';

export interface IntrospectionClient {
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Some hundred times what an answer has. */
const MAX_RESPONSE_BYTES = 65_536;

/** Hosts that no packet leaves the machine for. `URL` has brought addresses into their one form. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Asks an RFC 7662 endpoint about a token and resolves with the text of its answer.
 * @param signal aborts when it takes too long, the time before the request included
 * @throws IntrospectionUnavailable for anything but a 200 of bounded length in time; redirects are not followed
 */
export type IntrospectionRequest = (token: string, signal: AbortSignal) => Promise<string>;

/** @throws TypeError an address that would send tokens and the secret in the clear, or credentials that are none */
export function introspectionRequest({ endpoint, clientId, clientSecret }: IntrospectionClient): IntrospectionRequest {
  const address = parseEndpoint(endpoint);
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`remoteIntrospection: ${name} must be a string that is not empty`);
  }
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return async (token, signal) => {
    const body = new URLSearchParams({ token, token_type_hint: 'access_token' }).toString();
    try {
      const response = await fetch(address, { method: 'POST', redirect: 'manual', headers, body, signal });
      if (response.status === 200) return await readText(response);
      await response.body?.cancel();
      throw new IntrospectionUnavailable(`the introspection endpoint answered ${response.status}`);
    } catch (error) {
      if (error instanceof IntrospectionUnavailable) throw error;
      throw new IntrospectionUnavailable(
        signal.aborted ? 'the introspection endpoint took too long' : 'the introspection endpoint cannot be reached',
        { cause: error },
      );
    }
  };
}

function parseEndpoint(endpoint: string): URL {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint))
    throw new TypeError('remoteIntrospection: endpoint must be an absolute URL');
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('remoteIntrospection: endpoint must not contain a user name or a password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url;
  throw new TypeError(
    'remoteIntrospection: endpoint must be https, since tokens and the client secret are sent to it; http is for loopback addresses only',
  );
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function formEncode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

async function readText({ body }: Response): Promise<string> {
  const text = createGrowingBuffer(MAX_RESPONSE_BYTES);
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    // leaving early cancels the rest
    if (text.append(Buffer.from(chunk))) continue;
    throw new IntrospectionUnavailable(
      `the introspection endpoint's answer is larger than ${MAX_RESPONSE_BYTES} bytes`,
    );
  }
  return text.bytes().toString('utf8');
}
