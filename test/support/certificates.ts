import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** The types and values of a subject, in certificate order. Each pair is one relative distinguished name. */
export type SubjectParts = readonly (readonly [type: string, value: string])[];

/** A certificate with its private key. */
export interface IssuedCertificate {
  readonly der: Buffer;
  readonly pem: string;
  readonly keyPem: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly subject: SubjectParts;
  /** As in `x5t#S256` (RFC 8705 §3.1). */
  readonly thumbprint: string;
}

export interface CertificateOptions {
  readonly subject?: SubjectParts;
  /** By default, the certificate is self-signed. */
  readonly issuer?: IssuedCertificate;
  /** The keys of the certificate to renew; by default, new keys. */
  readonly keys?: Pick<IssuedCertificate, 'privateKey' | 'publicKey'>;
  readonly validFrom?: Date;
  readonly validUntil?: Date;
  /** The maximum number of intermediates below it; undefined for a certificate that is not a CA certificate. */
  readonly maxIntermediates?: number;
  readonly dns?: readonly string[];
  readonly uri?: readonly string[];
  readonly email?: readonly string[];
  readonly ip?: readonly Buffer[];
  /** Object identifiers; none by default, which allows every purpose. */
  readonly purposes?: readonly string[];
  /** The object identifier of a critical extension that no verifier recognizes. */
  readonly criticalExtension?: string;
  /** The signature algorithm; by default SHA-256 with the issuer's kind of key. */
  readonly signature?: SignatureAlgorithm;
  /** The tag of the strings in the subject; UTF8String by default. */
  readonly stringTag?: number;
}

export const CLIENT_PURPOSE = '1.3.6.1.5.5.7.3.2';
export const SERVER_PURPOSE = '1.3.6.1.5.5.7.3.1';

type SignatureAlgorithm = 'ECDSA-SHA256' | 'ECDSA-SHA1' | 'RSA-SHA256' | 'RSA-SHA1' | 'PSS-SHA256' | 'PSS-SHA1';
/** The algorithm with its parameters, if it has any (RFC 4055, RFC 5758). */
const SIGNATURE_ALGORITHMS: Readonly<Record<SignatureAlgorithm, () => readonly Buffer[]>> = {
  'ECDSA-SHA256': () => [objectId('1.2.840.10045.4.3.2')],
  'ECDSA-SHA1': () => [objectId('1.2.840.10045.4.1')],
  'RSA-SHA256': () => [objectId('1.2.840.113549.1.1.11'), der(0x05)],
  'RSA-SHA1': () => [objectId('1.2.840.113549.1.1.5'), der(0x05)],
  'PSS-SHA256': () => [
    objectId('1.2.840.113549.1.1.10'),
    der(0x30, der(0xa0, der(0x30, objectId('2.16.840.1.101.3.4.2.1')))),
  ],
  'PSS-SHA1': () => [objectId('1.2.840.113549.1.1.10'), der(0x30)],
};
const ATTRIBUTE_TYPE_IDS: Readonly<Record<string, string>> = {
  C: '2.5.4.6',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  CN: '2.5.4.3',
  DC: '0.9.2342.19200300.100.1.25',
  emailAddress: '1.2.840.113549.1.9.1',
};
let serial = 1;

/** Issues a certificate (RFC 5280 §4.1), with a P-256 key by default. */
export function issueCertificate(options: CertificateOptions = {}): IssuedCertificate {
  const { subject = [['CN', 'client']], stringTag = 0x0c } = options;
  const { publicKey, privateKey } = options.keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = options.issuer ?? { privateKey, subject };
  const defaultAlgorithm = issuer.privateKey.asymmetricKeyType === 'ec' ? 'ECDSA-SHA256' : 'RSA-SHA256';
  const signatureAlgorithm = options.signature ?? defaultAlgorithm;
  const algorithm = der(0x30, ...SIGNATURE_ALGORITHMS[signatureAlgorithm]());
  const { validFrom = new Date('2020-01-01'), validUntil = new Date('2120-01-01') } = options;
  const tbsCertificate = der(
    0x30,
    der(0xa0, integer(2)),
    integer((serial += 1)),
    algorithm,
    name(issuer.subject, stringTag),
    der(0x30, time(validFrom), time(validUntil)),
    name(subject, stringTag),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions(options))),
  );
  const signature = sign(signatureAlgorithm.endsWith('SHA1') ? 'sha1' : 'sha256', tbsCertificate, issuer.privateKey);
  const bytes = der(0x30, tbsCertificate, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    der: bytes,
    pem: pem('CERTIFICATE', bytes),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey,
    publicKey,
    subject,
    thumbprint: createHash('sha256').update(bytes).digest('base64url'),
  };
}

/** Issues a CA certificate. By default, chains below it may contain up to five intermediates. */
export function issueAuthority(commonName = 'authority', options: CertificateOptions = {}): IssuedCertificate {
  return issueCertificate({ subject: [['CN', commonName]], maxIntermediates: 5, ...options });
}

/** Returns the headers that a proxy sends (RFC 9440 §2). */
export function clientCertHeaders(
  { der: certificate }: Pick<IssuedCertificate, 'der'>,
  ...chain: readonly Pick<IssuedCertificate, 'der'>[]
): Record<string, string> {
  const encode = (bytes: Buffer): string => `:${bytes.toString('base64')}:`;
  return {
    'Client-Cert': encode(certificate),
    ...(chain.length > 0 && { 'Client-Cert-Chain': chain.map((intermediate) => encode(intermediate.der)).join(', ') }),
  };
}

function extensions(options: CertificateOptions): readonly Buffer[] {
  const { maxIntermediates, purposes = [], criticalExtension } = options;
  const names = [
    ...(options.email ?? []).map((text) => der(0x81, Buffer.from(text))),
    ...(options.dns ?? []).map((text) => der(0x82, Buffer.from(text))),
    ...(options.uri ?? []).map((text) => der(0x86, Buffer.from(text))),
    ...(options.ip ?? []).map((bytes) => der(0x87, bytes)),
  ];
  const encodedTrue = der(0x01, Buffer.from([0xff]));
  return [
    ...(maxIntermediates === undefined
      ? []
      : [extension('2.5.29.19', true, der(0x30, encodedTrue, integer(maxIntermediates)))]),
    ...(names.length === 0 ? [] : [extension('2.5.29.17', false, der(0x30, ...names))]),
    ...(purposes.length === 0 ? [] : [extension('2.5.29.37', false, der(0x30, ...purposes.map(objectId)))]),
    ...(criticalExtension === undefined ? [] : [extension(criticalExtension, true, der(0x05))]),
  ];
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return der(0x30, objectId(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));
}

function name(parts: SubjectParts, stringTag: number): Buffer {
  return der(
    0x30,
    ...parts.map(([type, value]) =>
      der(0x31, der(0x30, objectId(ATTRIBUTE_TYPE_IDS[type] ?? type), string(stringTag, value))),
    ),
  );
}

function string(tag: number, value: string): Buffer {
  return der(tag, tag === 0x1e ? Buffer.from(value, 'utf16le').swap16() : Buffer.from(value));
}

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));
}

function integer(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return der(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const arcs = [first * 40 + second, ...rest].map((arc) => {
    const bytes = [arc % 128];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128)) bytes.unshift(128 + (more % 128));
    return Buffer.from(bytes);
  });
  return der(0x06, ...arcs);
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head =
    length < 128
      ? [length]
      : length < 256
        ? [0x81, length]
        : length < 65_536
          ? [0x82, length >> 8, length & 0xff]
          : undefined;
  if (head === undefined) throw new RangeError('longer than the tests need');
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
