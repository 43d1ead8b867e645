import { MalformedDerError, readObjectIdentifier, readValues, TAG, type DerValue } from './der.ts';

/** An attribute, such as `CN=Ada`. */
export interface NameAttribute {
  /** The object identifier. */
  readonly type: string;
  readonly value: string;
}

/** The relative distinguished names of a subject, starting at the root, each with one or more attributes. */
export type DistinguishedName = readonly (readonly NameAttribute[])[];

/** The types of RFC 4514 §3, and others found in certificates for companies and devices. */
const TYPES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  SN: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  TITLE: '2.5.4.12',
  BUSINESSCATEGORY: '2.5.4.15',
  POSTALCODE: '2.5.4.17',
  GIVENNAME: '2.5.4.42',
  GN: '2.5.4.42',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  UID: '0.9.2342.19200300.100.1.1',
  DC: '0.9.2342.19200300.100.1.25',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
  E: '1.2.840.113549.1.9.1',
  JURISDICTIONL: '1.3.6.1.4.1.311.60.2.1.1',
  JURISDICTIONST: '1.3.6.1.4.1.311.60.2.1.2',
  JURISDICTIONC: '1.3.6.1.4.1.311.60.2.1.3',
};
/** The name used to format each type: the first one in `TYPES`. */
const NAMES = new Map(
  Object.entries(TYPES)
    .map(([name, type]) => [type, name] as const)
    .toReversed(),
);

/**
 * Reads the name in a certificate.
 * @param content the DER-encoded relative distinguished names
 * @throws MalformedDerError
 */
export function readName(content: Buffer): DistinguishedName {
  return readValues(content).map((rdn) => {
    if (rdn.tag !== TAG.set) throw new MalformedDerError('a relative distinguished name is not a set');
    return readValues(rdn.content).map(({ tag, content: attribute }) => {
      const [type, value, ...rest] = tag === TAG.sequence ? readValues(attribute) : [];
      if (type?.tag !== TAG.objectIdentifier || value === undefined || rest.length > 0)
        throw new MalformedDerError('an attribute of a name is malformed');
      return { type: readObjectIdentifier(type.content), value: decodeString(value) };
    });
  });
}

/** Decodes a string in an encoding used in certificates. A UniversalString becomes `#` followed by its bytes in hex. */
function decodeString({ tag, content }: DerValue): string {
  switch (tag) {
    case TAG.utf8String:
      return content.toString('utf8');
    case TAG.bmpString:
      if (content.length % 2 !== 0) throw new MalformedDerError('a string ends within a character');
      return Buffer.from(content).swap16().toString('utf16le');
    case TAG.universalString:
      return `#${content.toString('hex')}`;
    default:
      return content.toString('latin1');
  }
}

/** Formats the name as a string (RFC 4514 §2), starting with the last relative distinguished name. */
export function formatName(name: DistinguishedName): string {
  return name
    .toReversed()
    .map((rdn) => rdn.map(({ type, value }) => `${NAMES.get(type) ?? type}=${escapeValue(value)}`).join('+'))
    .join(',');
}

function escapeValue(value: string): string {
  return value.replaceAll(/[",+;<>\\\0]|^[ #]| $/g, (character) => (character === '\0' ? '\\00' : `\\${character}`));
}

/**
 * Reads a name in its string representation (RFC 4514 §3). Spaces around separators are accepted, as RFC 2253 §4
 * requires.
 * @returns undefined if the name is malformed, or contains an attribute of an unknown type
 */
export function parseName(text: string): DistinguishedName | undefined {
  const rdns = splitUnescaped(text, ',').map((rdn) => splitUnescaped(rdn, '+').map(parseAttribute));
  const name: NameAttribute[][] = [];
  for (const rdn of rdns.toReversed()) {
    const attributes = rdn.filter((attribute) => attribute !== undefined);
    if (attributes.length < rdn.length) return undefined;
    name.push(attributes);
  }
  return name;
}

function parseAttribute(text: string): NameAttribute | undefined {
  const [, typeName = '', encodedValue = ''] =
    /^\s*([A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)+)\s*=\s*([^]*)$/.exec(text) ?? [];
  const type = /^\d/.test(typeName) ? typeName : TYPES[typeName.toUpperCase()];
  const value = encodedValue.startsWith('#') ? decodeHexValue(encodedValue.slice(1)) : unescapeValue(encodedValue);
  return type === undefined || value === undefined || value === '' ? undefined : { type, value };
}

/** Splits `text` at each separator that is not escaped with a backslash. */
function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/**
 * Resolves escape sequences: a backslash before a special character, or before two hexadecimal digits that encode a
 * byte of UTF-8. Returns undefined if the value is malformed.
 */
function unescapeValue(text: string): string | undefined {
  const trimmed = text.replace(/(?<!\\) +$/, '');
  if (/(?<!\\)(?:\\\\)*[";<>]/.test(trimmed)) return undefined;
  const bytes: Buffer[] = [];
  for (let index = 0; index < trimmed.length; index += 1) {
    const hex = /^\\([0-9a-fA-F]{2})/.exec(trimmed.slice(index, index + 3))?.[1];
    if (hex !== undefined) {
      bytes.push(Buffer.from(hex, 'hex'));
      index += 2;
    } else {
      if (trimmed[index] === '\\') index += 1;
      const character = trimmed.codePointAt(index);
      if (character === undefined) return undefined;
      bytes.push(Buffer.from(String.fromCodePoint(character)));
      if (character > 0xffff) index += 1;
    }
  }
  return Buffer.concat(bytes).toString('utf8');
}

/** Decodes a value in hexadecimal DER (RFC 4514 §2.4). */
function decodeHexValue(hex: string): string | undefined {
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(hex.trim())) return undefined;
  try {
    const [value, ...rest] = readValues(Buffer.from(hex.trim(), 'hex'));
    return value === undefined || rest.length > 0 ? undefined : decodeString(value);
  } catch {
    return undefined;
  }
}

/**
 * Reports whether two names are the same (RFC 5280 §7.1): they have the same relative distinguished names in the same
 * order, and their values differ at most in the case of ASCII letters, the number of spaces and Unicode normalization.
 */
export function isSameName(a: DistinguishedName, b: DistinguishedName): boolean {
  return normalForm(a) === normalForm(b);
}

function normalForm(name: DistinguishedName): string {
  const rdns = name.map((rdn) =>
    rdn.map(({ type, value }) => JSON.stringify([type, normalizeValue(value)])).toSorted(),
  );
  return JSON.stringify(rdns);
}

function normalizeValue(value: string): string {
  return value
    .normalize('NFC')
    .trim()
    .replaceAll(/ +/g, ' ')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
