import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { english } from '../../src/language/english.ts';
import { clientCertificateReader } from '../../src/http/pipeline/client-certificate.ts';
import type { PresentedCertificate } from '../../src/platform/certificates/presented-certificate.ts';
import {
  clientCertHeaders,
  issueAuthority,
  issueCertificate,
  type CertificateOptions,
} from '../support/certificates.ts';

const NOW = Date.parse('2026-06-01') / 1000;
const authority = issueAuthority();
const client = issueCertificate({ issuer: authority });

/** Returns the certificate that a server reads from the headers if it trusts the proxies 10.0.0.5 and fd00::/8. */
function readCertificate(
  headers: Readonly<Record<string, string>>,
  remoteAddress = '10.0.0.5',
  now = NOW,
): PresentedCertificate {
  const lowerCaseHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const request = { headers: lowerCaseHeaders, socket: { remoteAddress } } as unknown as IncomingMessage;
  return clientCertificateReader(['10.0.0.5', 'fd00::/8'], () => now)(request);
}

describe('The Client-Cert header (RFC 9440)', () => {
  it('presents the certificate and its chain if a trusted proxy sends it', () => {
    for (const address of ['10.0.0.5', '::ffff:10.0.0.5', 'fd00::1']) {
      const result = readCertificate(clientCertHeaders(client, authority), address);
      if (result.kind !== 'valid') throw new Error(`not valid from ${address}`);
      expect(result.certificate.thumbprint).to.equal(client.thumbprint);
      expect(result.certificate.subject).to.deep.equal([[{ type: '2.5.4.3', value: 'client' }]]);
      expect(result.intermediates.map(({ thumbprint }) => thumbprint)).to.deep.equal([authority.thumbprint]);
    }
  });

  it('is refused from every other address, even if it is malformed', () => {
    for (const address of ['10.0.0.6', '127.0.0.1', '::1', '::ffff:10.0.0.50'])
      for (const headers of [clientCertHeaders(client), { 'Client-Cert': '' }, { 'Client-Cert-Chain': 'x' }])
        expect(readCertificate(headers, address)).to.deep.equal({ kind: 'refused', problem: 'untrusted-hop' });
  });

  it('is optional', () => {
    expect(readCertificate({})).to.deep.equal({ kind: 'none' });
    expect(readCertificate({}, '192.0.2.1')).to.deep.equal({ kind: 'none' });
  });

  it('must be a single byte sequence that contains a single DER certificate', () => {
    const base64 = client.der.toString('base64');
    const malformedValues = [
      '',
      base64,
      `:${base64}`,
      `"${base64}"`,
      `:${base64}:, :${base64}:`,
      `::`,
      `:${base64.slice(0, 200)}:`,
      `:${Buffer.from(client.pem).toString('base64')}:`,
      `:${Buffer.concat([client.der, client.der]).toString('base64')}:`,
      `:${Buffer.from('not a certificate').toString('base64')}:`,
      client.pem.replaceAll('\n', '%0A'),
    ];
    for (const value of malformedValues)
      expect(readCertificate({ 'Client-Cert': value }), value).to.deep.equal({
        kind: 'refused',
        problem: 'malformed',
        header: 'Client-Cert',
      });
  });

  it('can have parameters, which are ignored', () => {
    const value = `${clientCertHeaders(client)['Client-Cert']}; verified=?1;x`;
    expect(readCertificate({ 'Client-Cert': value }).kind).to.equal('valid');
  });

  it('can be sent with a chain of at most eight certificates', () => {
    const chainOfLength = (length: number) => Array.from({ length }, () => authority);
    expect(readCertificate(clientCertHeaders(client, ...chainOfLength(8))).kind).to.equal('valid');
    const refusal = { kind: 'refused', problem: 'malformed', header: 'Client-Cert-Chain' };
    expect(readCertificate(clientCertHeaders(client, ...chainOfLength(9)))).to.deep.equal(refusal);
    expect(readCertificate({ ...clientCertHeaders(client), 'Client-Cert-Chain': ':QQ==:' })).to.deep.equal(refusal);
    expect(readCertificate({ 'Client-Cert-Chain': `:${authority.der.toString('base64')}:` })).to.deep.equal({
      ...refusal,
      header: 'Client-Cert',
    });
  });

  it("is refused outside the certificate's validity period", () => {
    const [validFrom, validUntil] = [new Date('2026-01-01'), new Date('2026-02-01')];
    const headers = clientCertHeaders(issueCertificate({ issuer: authority, validFrom, validUntil }));
    const readCertificateAt = (date: Date, seconds: number) =>
      readCertificate(headers, '10.0.0.5', date.getTime() / 1000 + seconds);
    expect(readCertificateAt(validFrom, 0).kind).to.equal('valid');
    expect(readCertificateAt(validUntil, 0).kind).to.equal('valid');
    expect(readCertificateAt(validFrom, -60)).to.deep.equal({ kind: 'refused', problem: 'not-yet-valid', seconds: 60 });
    expect(readCertificateAt(validUntil, 90)).to.deep.equal({ kind: 'refused', problem: 'expired', seconds: 90 });
  });

  it('is refused if the certificate has a weak key or a SHA-1 signature, even if it is self-signed', () => {
    const generateRsaKeys = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
    const generateEcKeys = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });
    const strongKeys = generateRsaKeys(2048);
    const refusedCertificates: readonly (readonly [CertificateOptions, object])[] = [
      [{ keys: generateRsaKeys(1024) }, { problem: 'weak-key', weakness: '1024-bit RSA' }],
      [{ keys: generateRsaKeys(2040) }, { problem: 'weak-key', weakness: '2040-bit RSA' }],
      [{ keys: generateEcKeys('prime192v1') }, { problem: 'weak-key', weakness: 'the curve prime192v1' }],
      [
        { keys: strongKeys, signature: 'RSA-SHA1' },
        { problem: 'weak-signature', weakness: 'SHA-1 with RSA' },
      ],
      [
        { keys: strongKeys, signature: 'PSS-SHA1' },
        { problem: 'weak-signature', weakness: 'SHA-1 with RSA-PSS' },
      ],
      [{ signature: 'ECDSA-SHA1' }, { problem: 'weak-signature', weakness: 'SHA-1 with ECDSA' }],
      [
        { issuer: authority, signature: 'ECDSA-SHA1' },
        { problem: 'weak-signature', weakness: 'SHA-1 with ECDSA' },
      ],
    ];
    for (const [options, details] of refusedCertificates) {
      const result = readCertificate(clientCertHeaders(issueCertificate(options)));
      const weakness = 'weakness' in result ? english.text(result.weakness) : undefined;
      expect({ ...result, weakness }).to.deep.equal({ kind: 'refused', ...details });
    }
    for (const options of [
      { keys: strongKeys },
      { keys: strongKeys, signature: 'PSS-SHA256' },
      { keys: generateEcKeys('secp384r1') },
    ] as const)
      expect(readCertificate(clientCertHeaders(issueCertificate(options))).kind).to.equal('valid');
  });
});
