import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Entropy } from '../ports.ts';

/** The size of a slot in the file. A memory page holds a whole number of slots, so a write touches only one page. */
export const SLOT_BYTES = 2_048;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 2;

/** The maximum size of a slot's content, in bytes. */
export const SLOT_CAPACITY = SLOT_BYTES - IV_BYTES - TAG_BYTES - LENGTH_BYTES;

/** The contents of a slot file when it was opened. */
export interface StoredSlots {
  /** The contents by slot number. Empty and damaged slots are left out. */
  readonly contents: ReadonlyMap<number, string>;
  /** The number of slots that cannot be decrypted. */
  readonly damagedCount: number;
  /** Why the file was recreated; undefined if it could be read or did not exist. */
  readonly problem: string | undefined;
}

export interface SlotFile {
  readonly stored: StoredSlots;
  /**
   * Replaces the content of a slot, in place. The operating system writes it to disk later.
   * @param text at most `SLOT_CAPACITY` bytes
   */
  write(slot: number, text: string): Promise<void>;
  close(): Promise<void>;
}

export interface SlotFileDeps {
  readonly path: string;
  /** The number of slots; a file of a different size is recreated. */
  readonly slots: number;
  /** Used to encrypt each slot with AES-256-GCM. */
  readonly key: KeyObject;
  readonly entropy: Entropy;
}

/**
 * Opens or creates a file of fixed size, for data that may be lost. Each slot is encrypted and authenticated
 * separately, together with its number, so that damage affects only one slot. The file is never extended, so writes
 * succeed on a full disk.
 * @throws Error if the file can neither be read nor created
 */
export async function openSlotFile({ path, slots, key, entropy }: SlotFileDeps): Promise<SlotFile> {
  const { stored, isUsable } = readSlots(path, slots, key);
  if (!isUsable) createEmpty(path, slots);
  const file: FileHandle = await open(path, 'r+');
  return {
    stored,
    async write(slot, text) {
      const bytes = seal(text, slot, key, entropy);
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, slotOffset(slot));
      if (bytesWritten !== bytes.length)
        throw new Error(`wrote only ${bytesWritten} of ${bytes.length} bytes to slot ${slot} of ${path}`);
    },
    close: () => file.close(),
  };
}

/** The first block of the file identifies its format, so the slots begin after it. */
const slotOffset = (slot: number): number => (slot + 1) * SLOT_BYTES;

function formatHeader(slots: number): Buffer {
  const block = Buffer.alloc(SLOT_BYTES);
  block.write(`grantlog slots 1, ${slots} of ${SLOT_BYTES} bytes\n`, 'latin1');
  return block;
}

function readSlots(path: string, slots: number, key: KeyObject): { stored: StoredSlots; isUsable: boolean } {
  const contents = new Map<number, string>();
  let damagedCount = 0;
  const unusableFile = (problem: string | undefined) => ({
    stored: { contents, damagedCount, problem },
    isUsable: false,
  });
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return unusableFile(isMissing ? undefined : String(error));
  }
  const isIntact = bytes.length === slotOffset(slots) && bytes.subarray(0, SLOT_BYTES).equals(formatHeader(slots));
  if (!isIntact) return unusableFile('it is truncated, or was written by a different release');
  for (let slot = 0; slot < slots; slot += 1) {
    const block = bytes.subarray(slotOffset(slot), slotOffset(slot + 1));
    if (block.equals(EMPTY)) continue;
    try {
      contents.set(slot, unseal(block, slot, key));
    } catch {
      damagedCount += 1;
    }
  }
  return { stored: { contents, damagedCount, problem: undefined }, isUsable: true };
}

const EMPTY = Buffer.alloc(SLOT_BYTES);

/** Writes every byte, because a sparse file could not be filled on a full disk. */
function createEmpty(path: string, slots: number): void {
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.alloc(slotOffset(slots));
    formatHeader(slots).copy(bytes);
    for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
  } catch (error) {
    rmSync(path, { force: true }); // a partial file would take up space that the log needs
    throw error;
  } finally {
    closeSync(file);
  }
}

function seal(text: string, slot: number, key: KeyObject, entropy: Entropy): Buffer {
  const plaintext = Buffer.alloc(LENGTH_BYTES + SLOT_CAPACITY);
  const length = Buffer.byteLength(text);
  if (length > SLOT_CAPACITY) throw new RangeError(`expected at most ${SLOT_CAPACITY} bytes in a slot, got ${length}`);
  plaintext.writeUInt16BE(length);
  plaintext.write(text, LENGTH_BYTES);
  const iv = entropy.bytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(slotContext(slot));
  return Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts the content of a slot.
 * @throws Error if the slot is damaged, or was encrypted under a different key
 */
function unseal(block: Buffer, slot: number, key: KeyObject): string {
  const decipher = createDecipheriv(CIPHER, key, block.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(slotContext(slot)).setAuthTag(block.subarray(-TAG_BYTES));
  const plaintext = Buffer.concat([decipher.update(block.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  return plaintext.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + plaintext.readUInt16BE());
}

const slotContext = (slot: number): Buffer => Buffer.from(`slot ${slot}`);
