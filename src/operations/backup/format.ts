import { hash } from 'node:crypto';
import { z } from 'zod';

/**
 * A backup is one file of JSON lines. Each line is an array of a checksum, which locates damage, and the body of the
 * line. The bodies, in order:
 *
 *   {"format":"grantlog-backup","version":3,"created_at":…,"position":n}
 *   {"key":name,"value":hex}                the server's own keys
 *   {"user":id,"value":base64url}           the keys of users who are not erased, and of pending invitations
 *   {"client":id,"value":base64url}         the keys of registered clients; none in version 1
 *   {"signing_key":kid,"value":base64url}   the private halves of signing keys, encrypted; none before version 3
 *   {"checkpoint":size,"note":…}            every stored checkpoint; the last one covers exactly n records
 *   {"position":i,"record":…}               every record from 1 to n, byte for byte as stored
 *   {"records":n,"root":…,"sha256":…}       their Merkle root, and the digest of all bytes before this line
 *
 * A backup is plain text, so that operators can compress and encrypt it with tools of their choice.
 */
export const FORMAT = 'grantlog-backup';
export const VERSION = 3;

export const headerSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.union([z.literal(1), z.literal(2), z.literal(VERSION)]),
  created_at: z.iso.datetime(),
  position: z.int().nonnegative(),
});
export const keySchema = z.strictObject({ key: z.string(), value: z.string().regex(/^[0-9a-f]{64}$/) });
const sealKeySchema = z.string().regex(/^[\w-]{43}$/);
export const personalKeySchema = z.strictObject({ user: z.string().regex(/^[\w-]+$/), value: sealKeySchema });
export const clientKeySchema = z.strictObject({ client: z.string().min(1), value: sealKeySchema });
/** The longest values are those of encrypted RSA keys, at less than 2 KiB. */
export const signingKeySchema = z.strictObject({
  signing_key: z.string().regex(/^[\w-]{43}$/),
  value: z.string().regex(/^[\w-]{43,4096}$/),
});
export const checkpointSchema = z.strictObject({ checkpoint: z.int().positive(), note: z.string() });

export type BackupHeader = z.output<typeof headerSchema>;

export const RECORD_PREFIX = '{"position":';
export const END_PREFIX = '{"records":';

const LINE_PREFIX = /^\["([0-9a-f]{8})",/;

const checksum = (body: string): string => hash('sha256', body, 'hex').slice(0, 8);

export function encodeLine(body: string): string {
  return `["${checksum(body)}",${body}]\n`;
}

/**
 * Returns the body of a line, or undefined if the line is malformed or does not match its checksum.
 * @param line the line without its newline
 */
export function decodeLine(line: string): string | undefined {
  const [prefix, expectedChecksum] = LINE_PREFIX.exec(line) ?? [];
  if (prefix === undefined || !line.endsWith(']')) return undefined;
  const body = line.slice(prefix.length, -1);
  return checksum(body) === expectedChecksum ? body : undefined;
}

export function endBody(end: { readonly records: number; readonly root: string; readonly sha256: string }): string {
  return JSON.stringify({ records: end.records, root: end.root, sha256: end.sha256 });
}
