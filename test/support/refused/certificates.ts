import { generateKeyPairSync } from 'node:crypto';
import { authorityIssuedSettings, setClientAuthentication, selfSignedSettings } from '../certificate-clients.ts';
import { clientCertHeaders, issueAuthority, issueCertificate, type IssuedCertificate } from '../certificates.ts';
import type { RefusalScenario, RefusedRequest } from './scenario.ts';

const OTHER_AUTHORITY = issueAuthority('another authority');
/** The certificate authority that the scenario's service trusts. */
export const AUTHORITY = issueAuthority();

/**
 * Requests a token, with or without a certificate. The client is registered with the host client.example by default.
 */
async function send(
  { running, client }: RefusalScenario,
  certificate?: Pick<IssuedCertificate, 'der'>,
  settings: Parameters<typeof setClientAuthentication>[2] = authorityIssuedSettings('san_dns', 'client.example'),
) {
  await setClientAuthentication(running, client, settings);
  const body = { grant_type: 'client_credentials', client_id: client.id, scope: 'read' };
  return running.post('/o/token/', body, certificate && clientCertHeaders(certificate));
}

/** Refused client certificates. */
export const CERTIFICATE_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'certificate-missing',
    name: 'a client that authenticates with a certificate',
    about: 'named',
    details: { use: 'authentication', at: null },
    send: (scenario) => send(scenario),
  },
  {
    rule: 'certificate-missing',
    name: 'a client with bound tokens',
    about: 'proven',
    details: { use: 'binding' },
    async send({ running, client }) {
      await setClientAuthentication(running, client, {}, true);
      return running.token(client, { grant_type: 'client_credentials', scope: 'read' });
    },
  },
  {
    rule: 'certificate-refused',
    name: 'an expired certificate',
    about: 'named',
    details: { problem: 'expired' },
    send: (scenario) => {
      const validUntil = new Date(scenario.running.clock.now() - 60_000);
      return send(scenario, issueCertificate({ issuer: AUTHORITY, dns: ['client.example'], validUntil }));
    },
  },
  {
    rule: 'certificate-refused',
    name: 'a malformed certificate',
    about: 'named',
    details: { problem: 'malformed', header: 'Client-Cert' },
    send: (scenario) => send(scenario, { der: Buffer.from('no certificate') }),
  },
  {
    rule: 'certificate-refused',
    name: 'a short key',
    about: 'named',
    details: { problem: 'weak-key', weakness: '1024-bit RSA' },
    send: (scenario) => {
      const keys = generateKeyPairSync('rsa', { modulusLength: 1024 });
      return send(scenario, issueCertificate({ issuer: AUTHORITY, dns: ['client.example'], keys }));
    },
  },
  {
    rule: 'certificate-refused',
    name: 'a SHA-1 signature',
    about: 'named',
    details: { problem: 'weak-signature', weakness: 'SHA-1 with ECDSA' },
    send: (scenario) =>
      send(scenario, issueCertificate({ issuer: AUTHORITY, dns: ['client.example'], signature: 'ECDSA-SHA1' })),
  },
  {
    rule: 'certificate-chain',
    name: 'a certificate from a different authority',
    about: 'named',
    details: { problem: 'unknown-issuer' },
    send: (scenario) => send(scenario, issueCertificate({ issuer: OTHER_AUTHORITY, dns: ['client.example'] })),
  },
  {
    rule: 'certificate-subject-differs',
    name: 'a different host',
    about: 'named',
    details: { kind: 'san_dns', expected: 'client.example', seen: ['other.example'] },
    send: (scenario) => send(scenario, issueCertificate({ issuer: AUTHORITY, dns: ['other.example'] })),
  },
  {
    rule: 'certificate-key-unknown',
    name: 'a different key',
    about: 'named',
    details: { keys: 1 },
    send: async (scenario) => send(scenario, issueCertificate(), await selfSignedSettings(issueCertificate())),
  },
];
