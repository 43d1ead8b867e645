import type { Text } from '../../language/message.ts';
import { createHash, X509Certificate, type KeyObject } from 'node:crypto';
import { readObjectIdentifier, readValue, readValues, TAG, type DerValue } from './der.ts';
import { readName, type DistinguishedName } from './distinguished-name.ts';
import { keyWeakness, signatureWeakness } from './strength.ts';
import { isUrl } from '../urls.ts';

/** A subject's names other than its distinguished name (RFC 5280 §4.2.1.6). */
export interface AlternativeNames {
  readonly dns: readonly string[];
  readonly uri: readonly string[];
  readonly ip: readonly string[];
  readonly email: readonly string[];
}

/** A certificate (RFC 5280), not yet checked against any authority. */
export interface Certificate {
  readonly x509: X509Certificate;
  /** SHA-256 of the certificate in base64url: `x5t#S256` (RFC 8705 §3.1). */
  readonly thumbprint: string;
  readonly publicKey: KeyObject;
  readonly subject: DistinguishedName;
  readonly alternativeNames: AlternativeNames;
  /** Seconds since the epoch. The validity period includes `validFrom` and `validUntil`. */
  readonly validFrom: number;
  readonly validUntil: number;
  /** Null if it cannot issue certificates. `maxIntermediates` is the number of intermediates allowed below it. */
  readonly issuerLimits: { readonly maxIntermediates: number } | null;
  /** Whether the certificate may authenticate a client in a TLS handshake. */
  readonly isForClients: boolean;
  /** Whether its purposes allow it to issue certificates for clients, if it can issue certificates at all. */
  readonly canIssueForClients: boolean;
  /** The weakness of its key, such as `1024-bit RSA`; null if the key is strong. */
  readonly weakKey: Text | null;
  /** The issuer's signature algorithm if it is too weak or unknown; null otherwise. */
  readonly weakSignature: Text | null;
  /** The object identifiers of extensions with restrictions that this server does not check. */
  readonly uncheckedExtensions: readonly string[];
}

const EXTENSION = {
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  certificatePolicies: '2.5.29.32',
  extendedKeyUsage: '2.5.29.37',
} as const;
/** Includes certificate policies, which have no effect because this server requires no policy (RFC 5280 §6.1.1). */
const CHECKED_EXTENSIONS: readonly string[] = [
  EXTENSION.keyUsage,
  EXTENSION.subjectAltName,
  EXTENSION.basicConstraints,
  EXTENSION.certificatePolicies,
  EXTENSION.extendedKeyUsage,
];
const CLIENT_PURPOSES = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];
/** Bits of the KeyUsage extension (RFC 5280 §4.2.1.3). */
const [DIGITAL_SIGNATURE, KEY_CERT_SIGN] = [0x80, 0x04];

/** The tag of the optional version, the first field of a certificate. */
const VERSION_TAG = 0xa0;

interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Buffer;
}

/** Reads a DER-encoded certificate. Returns undefined if it is malformed. */
export function readCertificate(der: Buffer): Certificate | undefined {
  try {
    const x509 = new X509Certificate(der);
    return x509.raw.equals(der) ? toCertificate(x509) : undefined; // the constructor also accepts PEM
  } catch {
    return undefined;
  }
}

/**
 * Reads all certificates in a PEM file.
 * @throws Error if a certificate is malformed
 */
export function readCertificates(pem: string): readonly Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => toCertificate(new X509Certificate(block)));
}

function toCertificate(x509: X509Certificate): Certificate {
  const [tbsCertificate, signatureAlgorithm] = readValues(readValue(x509.raw, TAG.sequence));
  const fields = readValues(tbsCertificate?.content ?? Buffer.alloc(0)).filter(({ tag }) => tag !== VERSION_TAG);
  const subject = readName(fields[4]?.content ?? Buffer.alloc(0));
  const extensions = fields.filter(({ tag }) => tag === TAG.extensions).flatMap(readExtensions);
  const extensionValue = (id: string): Buffer | undefined => extensions.find((extension) => extension.id === id)?.value;
  const keyUsage = extensionValue(EXTENSION.keyUsage);
  const allows = (use: number): boolean => keyUsage === undefined || hasBit(keyUsage, use);
  const issuerLimits = readIssuerLimits(extensionValue(EXTENSION.basicConstraints));
  const hasClientPurpose = allowsClients(extensionValue(EXTENSION.extendedKeyUsage));
  return {
    x509,
    thumbprint: createHash('sha256').update(x509.raw).digest('base64url'),
    publicKey: x509.publicKey,
    subject,
    alternativeNames: readAlternativeNames(extensionValue(EXTENSION.subjectAltName)),
    validFrom: Date.parse(x509.validFrom) / 1000,
    validUntil: Date.parse(x509.validTo) / 1000,
    issuerLimits: allows(KEY_CERT_SIGN) ? issuerLimits : null,
    isForClients: allows(DIGITAL_SIGNATURE) && hasClientPurpose,
    canIssueForClients: hasClientPurpose,
    weakKey: keyWeakness(x509.publicKey),
    weakSignature: signatureWeakness(signatureAlgorithm),
    uncheckedExtensions: extensions
      .filter(
        ({ id, isCritical }) => id === EXTENSION.nameConstraints || (isCritical && !CHECKED_EXTENSIONS.includes(id)),
      )
      .map(({ id }) => id),
  };
}

function readExtensions({ content }: DerValue): readonly Extension[] {
  return readValues(readValue(content, TAG.sequence)).map((extension) => {
    const parts = readValues(extension.content);
    const [id, value] = [parts[0]?.content ?? Buffer.alloc(0), parts.at(-1)?.content ?? Buffer.alloc(0)];
    const isCritical = parts.some(({ tag, content: flag }) => tag === TAG.boolean && flag[0] !== 0);
    return { id: readObjectIdentifier(id), isCritical, value };
  });
}

function hasBit(bitString: Buffer, bit: number): boolean {
  return ((readValue(bitString, TAG.bitString)[1] ?? 0) & bit) !== 0;
}

function readIssuerLimits(basicConstraints: Buffer | undefined): Certificate['issuerLimits'] {
  if (basicConstraints === undefined) return null;
  const parts = readValues(readValue(basicConstraints, TAG.sequence));
  if (!parts.some(({ tag, content }) => tag === TAG.boolean && content[0] !== 0)) return null;
  const limit = parts.find(({ tag }) => tag === TAG.integer);
  return {
    maxIntermediates: limit === undefined ? Infinity : limit.content.readUIntBE(0, Math.min(6, limit.content.length)),
  };
}

function allowsClients(extendedKeyUsage: Buffer | undefined): boolean {
  if (extendedKeyUsage === undefined) return true;
  const purposes = readValues(readValue(extendedKeyUsage, TAG.sequence));
  return purposes.some(({ content }) => CLIENT_PURPOSES.includes(readObjectIdentifier(content)));
}

function readAlternativeNames(extension: Buffer | undefined): AlternativeNames {
  const names = extension === undefined ? [] : readValues(readValue(extension, TAG.sequence));
  const namesWithTag = (tag: number): readonly string[] =>
    names.filter((name) => name.tag === tag).map(({ content }) => content.toString('latin1'));
  return {
    email: namesWithTag(0x81),
    dns: namesWithTag(0x82),
    uri: namesWithTag(0x86),
    ip: names.filter(({ tag }) => tag === 0x87).map(({ content }) => formatAddress(content)),
  };
}

/** Formats the bytes of an IP address as `canonicalAddress` does. */
function formatAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  return canonicalAddress(groups.join(':')) ?? '';
}

/** Returns an IPv4 or IPv6 address in canonical form (RFC 5952), or undefined if `text` is not an address. */
export function canonicalAddress(text: string): string | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) {
    return isUrl(`http://${text}`) && new URL(`http://${text}`).hostname === text ? text : undefined;
  }
  if (!/^[0-9a-f:.]+$/i.test(text) || !isUrl(`http://[${text}]`)) return undefined;
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
