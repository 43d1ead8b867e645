import { createHash } from 'node:crypto';
import { register, registerSuccessfully } from '../registrations.ts';
import type { TestResponse } from '../running-service.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

/**
 * * Registers a client, and sends a request to its configuration endpoint. * @param authorization the token to send:
 * the client's own if empty, none if undefined
 */
const manageRegistration = async (
  { running }: RefusalScenario,
  authorization: string | undefined,
  method = 'GET',
): Promise<TestResponse> => {
  const { client_id: id, registration_access_token: token } = await registerSuccessfully(running);
  const headers = authorization === undefined ? {} : { authorization: `Bearer ${authorization || token}` };
  return running.send(`/o/register/${id}/`, { method, headers });
};

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
const statement = (claims: object): string => `${encode({ alg: 'ES256' })}.${encode(claims)}.x`;
const noise = (index: number): string => createHash('sha256').update(String(index)).digest('base64url');
const manyUris = Array.from({ length: 48 }, (_, index) => `https://app.example/${noise(index)}`);

/** Refused dynamic registrations (RFC 7591). */
export const REGISTRATION_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'registration-metadata',
    name: 'a redirect URI on a different host',
    about: 'nobody',
    details: { member: 'redirect_uris' },
    send: ({ running }) => register(running, { redirect_uris: ['http://localhost.evil/'] }),
  },
  {
    rule: 'registration-too-long',
    name: 'many redirect URIs',
    about: 'nobody',
    send: ({ running }) => register(running, { redirect_uris: manyUris }),
  },
  {
    rule: 'software-statement-untrusted',
    name: 'a statement from an untrusted issuer',
    about: 'nobody',
    details: { issuer: 'https://evil.example', trusted: ['https://trust.example'] },
    send: ({ running }) => register(running, { software_statement: statement({ iss: 'https://evil.example' }) }),
  },
  {
    rule: 'software-statement-invalid',
    name: 'text that is not a JWT',
    about: 'nobody',
    send: ({ running }) => register(running, { software_statement: 'x' }),
  },
  {
    rule: 'registration-token-missing',
    name: 'no token',
    about: 'nobody',
    send: (scenario) => manageRegistration(scenario, undefined),
  },
  {
    rule: 'registration-token-wrong',
    name: 'an invalid token',
    about: 'nobody',
    send: (scenario) => manageRegistration(scenario, 'glm_x'),
  },
  {
    rule: 'registration-not-recorded',
    name: 'a client that no user has authorized',
    about: 'nobody',
    send: (scenario) => manageRegistration(scenario, '', 'DELETE'),
  },
];
