import { expect } from 'chai';
import { DEVICE_GRANT_TYPE } from '../../src/oauth/grant-types/device-code.ts';
import { openSession } from './authorize-requests.ts';
import type { BrowserSession, Page } from './browser-session.ts';
import type { TestResponse, Requests, RunningService, TestClient, TestUser } from './running-service.ts';

/** The codes of a device (RFC 8628 §3.2). */
export interface Codes {
  readonly device: string;
  readonly user: string;
  readonly complete: string;
}

export const requestDevice = (
  running: Requests,
  client: TestClient,
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  running.post(
    '/o/device_authorization/',
    { client_id: client.id, ...parameters },
    client.secret === '' ? {} : { authorization: client.basic },
  );

export async function requestCodes(
  running: Requests,
  client: TestClient,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Codes> {
  const { status, json } = await requestDevice(running, client, parameters);
  expect(status, JSON.stringify(json)).to.equal(200);
  return {
    device: String(json?.['device_code']),
    user: String(json?.['user_code']),
    complete: String(json?.['verification_uri_complete']),
  };
}

/** Sends a device's token request. */
export const poll = (
  running: Requests,
  client: TestClient,
  { device }: Pick<Codes, 'device'>,
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  running.post(
    '/o/token/',
    { grant_type: DEVICE_GRANT_TYPE, client_id: client.id, device_code: device, ...parameters },
    client.secret === '' ? {} : { authorization: client.basic },
  );

export const devicePath = (userCode: string): string =>
  `/o/device/?${new URLSearchParams({ user_code: userCode }).toString()}`;

/** Submits the user's decision, and returns the next page. */
export async function answerDevice(
  browser: BrowserSession,
  { user }: Pick<Codes, 'user'>,
  fields: Readonly<Record<string, string | readonly string[]>> = { allow: 'Authorize' },
): Promise<Page> {
  const page = await browser.get(devicePath(user));
  expect(page.status, page.html).to.equal(200);
  return browser.submit(page, fields);
}

export const approveDevice = async (running: RunningService, user: TestUser, codes: Codes): Promise<Page> =>
  answerDevice(await openSession(running, user), codes);
