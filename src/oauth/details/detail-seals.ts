import { hash } from 'node:crypto';
import {
  canonicalJson,
  type AuthorizationDetail,
  type RecordedDetail,
  type RequestedDetail,
} from '../../domain/authorization-details.ts';
import type { ClientId, CredentialHash, UserId } from '../../domain/values.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { SealedData } from '../../projections/sealed-data.ts';

/** The owner of details: a user, or a client that acts on its own behalf (`userId` is null). */
export interface DetailOwner {
  readonly clientId: ClientId;
  readonly userId: UserId | null;
}

/** A decrypted detail. */
export interface OpenedDetail {
  readonly detail: AuthorizationDetail;
  readonly salt: string;
}

/** A detail as recorded in the event that introduces it, with its encrypted content. */
export interface SealedDetail extends RequestedDetail {
  readonly sealed: string;
}

/**
 * Details may contain personal data, such as the name of a creditor. Events therefore contain details only in encrypted
 * form, under the user's key or, if a client acts on its own behalf, under the client's key. The hashes are in the
 * clear, so that auditors can compare details. A salt prevents short details from being guessed from their hashes.
 */
export interface DetailSeals {
  /**
   * Returns the sealed detail.
   * @param salt the salt of the recorded detail that this one narrows or equals, so that equal details get equal hashes
   */
  seal(owner: DetailOwner, detail: AuthorizationDetail, salt?: string): Promise<SealedDetail>;
  /**
   * Returns the detail, or undefined if the record has no content, the key was destroyed, or the content does not match
   * the hash.
   */
  open(owner: DetailOwner, recordedDetail: RecordedDetail): OpenedDetail | undefined;
}

const SALT_BYTES = 16;

export function createDetailSeals(deps: {
  readonly users: {
    seal(userId: UserId, data: SealedData): string;
    tryUnseal(userId: UserId, sealed: string): SealedData | undefined;
  };
  readonly clients: {
    sealDetail(clientId: ClientId, json: string): Promise<string>;
    openDetail(clientId: ClientId, sealed: string): string | undefined;
  };
  readonly entropy: Entropy;
}): DetailSeals {
  const { users, clients, entropy } = deps;
  return {
    async seal({ clientId, userId }, detail, salt = entropy.bytes(SALT_BYTES).toString('base64url')) {
      const json = canonicalJson({ detail, salt });
      const sealed =
        userId === null ? await clients.sealDetail(clientId, json) : users.seal(userId, { authorizationDetail: json });
      return { type: detail.type, hash: hashJson(json), sealed };
    },

    open({ clientId, userId }, { sealed, hash: recordedHash }) {
      if (sealed === undefined) return undefined;
      const text =
        userId === null ? clients.openDetail(clientId, sealed) : users.tryUnseal(userId, sealed)?.authorizationDetail;
      return text !== undefined && hashJson(text) === recordedHash ? (JSON.parse(text) as OpenedDetail) : undefined;
    },
  };
}

function hashJson(text: string): CredentialHash {
  return hash('sha256', text, 'base64url') as CredentialHash;
}
