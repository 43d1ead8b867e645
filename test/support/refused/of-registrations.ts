import { createHash } from 'node:crypto';
import { register, registered } from '../registrations.ts';
import type { Answer } from '../running-service.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

const manage = async (
  { running }: RefusalScenario,
  authorization: string | undefined,
  method = 'GET',
): Promise<Answer> => {
  const { client_id: id, registration_access_token: token } = await registered(running);
  const headers = authorization === undefined ? {} : { authorization: `Bearer ${authorization || token}` };
  return running.send(`/o/register/${id}/`, { method, headers });
};

const encoded = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
const statement = (claims: object): string => `${encoded({ alg: 'ES256' })}.${encoded(claims)}.x`;
const noise = (at: number): string => createHash('sha256').update(String(at)).digest('base64url');
const long = Array.from({ length: 48 }, (_, at) => `https://app.example/${noise(at)}`);

/** Programs that register themselves. */
export const OF_REGISTRATIONS: readonly RefusedRequest[] = [
  {
    rule: 'registration-metadata',
    name: 'a redirect URI on another host',
    about: 'nobody',
    details: { member: 'redirect_uris' },
    send: ({ running }) => register(running, { redirect_uris: ['http://localhost.evil/'] }),
  },
  {
    rule: 'registration-too-long',
    name: 'many redirect URIs',
    about: 'nobody',
    send: ({ running }) => register(running, { redirect_uris: long }),
  },
  {
    rule: 'software-statement-untrusted',
    name: 'the statement of a stranger',
    about: 'nobody',
    details: { issuer: 'https://evil.example', trusted: ['https://trust.example'] },
    send: ({ running }) => register(running, { software_statement: statement({ iss: 'https://evil.example' }) }),
  },
  {
    rule: 'software-statement-invalid',
    name: 'not a JWT',
    about: 'nobody',
    send: ({ running }) => register(running, { software_statement: 'x' }),
  },
  {
    rule: 'registration-token-missing',
    name: 'no token',
    about: 'nobody',
    send: (scenario) => manage(scenario, undefined),
  },
  {
    rule: 'registration-token-wrong',
    name: 'another token',
    about: 'nobody',
    send: (scenario) => manage(scenario, 'glm_x'),
  },
  {
    rule: 'registration-not-recorded',
    name: 'a client that nobody has authorized',
    about: 'nobody',
    send: (scenario) => manage(scenario, '', 'DELETE'),
  },
];
