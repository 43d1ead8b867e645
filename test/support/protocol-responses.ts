import { expect } from 'chai';
import type { TestResponse, RunningService } from './running-service.ts';

/** The characters that `error_description` may contain (RFC 6749 §5.2). */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

function expectNotCached({ headers }: TestResponse): void {
  expect(headers.get('cache-control')).to.equal('no-store');
  expect(headers.get('pragma')).to.equal('no-cache');
  expect(headers.get('set-cookie')).to.equal(null);
}

/** Expects a protocol endpoint to have refused: checks the status, the error code, and what all refusals share. */
export function expectRefusal(
  response: TestResponse,
  error: string,
  status = error === 'invalid_client' ? 401 : 400,
): void {
  expect({ status: response.status, error: response.json?.['error'] }, response.text).to.deep.equal({ status, error });
  expect(response.json).to.have.all.keys('error', 'error_description');
  expect(response.json?.['error_description']).to.match(DESCRIPTION);
  expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expect(response.headers.get('location')).to.equal(null);
  expect(response.headers.has('www-authenticate')).to.equal(status === 401);
  expectNotCached(response);
}

/** Serializes a response without its request ID and date. */
export function serializeResponse({ status, headers, text }: TestResponse): string {
  return JSON.stringify([status, [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'), text]);
}

/** Sends a request, expects it to append nothing to the log, and returns the response. */
export async function expectNothingAppended(
  running: RunningService,
  send: () => Promise<TestResponse>,
): Promise<TestResponse> {
  const eventsBefore = (await running.events()).length;
  const response = await send();
  expect((await running.events()).length, 'events in the log').to.equal(eventsBefore);
  return response;
}

/** Expects a token response with exactly the required members (RFC 6749 §5.1), and returns its tokens. */
export function expectTokens(
  response: TestResponse,
  { scope, refresh }: { readonly scope: string; readonly refresh: boolean },
): { readonly access: string; readonly refresh: string } {
  const { access_token: access, refresh_token: refreshToken, ...rest } = response.json ?? {};
  expect(response.status, response.text).to.equal(200);
  expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  expectNotCached(response);
  expect(rest).to.deep.equal({ expires_in: 36000, token_type: 'Bearer', scope });
  expect(access)
    .to.be.a('string')
    .that.matches(/^[A-Za-z0-9._~+/-]+=*$/);
  if (refresh)
    expect(refreshToken)
      .to.be.a('string')
      .that.matches(/^[\x20-\x7e]+$/);
  else expect(response.json).not.to.have.property('refresh_token');
  return { access: String(access), refresh: refresh ? String(refreshToken) : '' };
}

/** Reports whether the sample API accepts the token. */
export async function isAccepted(running: RunningService, accessToken: string): Promise<boolean> {
  const { status } = await running.get('/users/', { authorization: `Bearer ${accessToken}` });
  return status === 200;
}
