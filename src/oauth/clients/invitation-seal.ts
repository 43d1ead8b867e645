import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Invitation } from '../../domain/client.ts';
import type { ClientId, EpochSeconds, MemberRole, UserId } from '../../domain/values.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import type { Entropy } from '../../platform/ports.ts';
import { hashCredential, mintId } from '../credentials/credentials.ts';

/** The content of an invitation link. It is not stored; its hash is recorded when a user accepts the invitation. */
export interface InvitationContent extends Invitation {
  readonly clientId: ClientId;
  readonly expiresAt: EpochSeconds;
}

/** Creates and reads the authenticated content of the links that invite users to become members of a client. */
export interface InvitationSeal {
  seal(content: Omit<InvitationContent, 'hash'>): string;
  /** Returns the invitation, even if it has expired, or undefined if `sealedContent` does not have a valid MAC. */
  open(sealedContent: string): InvitationContent | undefined;
}

type Content = readonly [ClientId, MemberRole, inviterId: UserId, createdAt: number, EpochSeconds, random: string];

/** The MAC covers the exact characters of the content, whose hash identifies the invitation. */
const SEALED_CONTENT = /^([\w-]{1,1900})\.([\w-]{43})$/;

export function createInvitationSeal(key: RotatingKey, entropy: Entropy): InvitationSeal {
  return {
    seal({ clientId, role, inviterId, createdAt, expiresAt }) {
      const content: Content = [clientId, role, inviterId, createdAt, expiresAt, mintId(entropy)];
      const text = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${text}.${computeMac(text, key.current()).toString('base64url')}`;
    },

    open(sealedContent) {
      const [, text = '', mac = ''] = SEALED_CONTENT.exec(sealedContent) ?? [];
      const presentedMac = Buffer.from(mac, 'base64url');
      if (!key.accepted().some((secret) => isSameMac(presentedMac, computeMac(text, secret)))) return undefined;
      const content = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Content;
      const [clientId, role, inviterId, createdAt, expiresAt] = content;
      return { clientId, role, inviterId, createdAt, expiresAt, hash: hashCredential(text) };
    },
  };
}

function isSameMac(presentedMac: Buffer, expectedMac: Buffer): boolean {
  return presentedMac.length === expectedMac.length && timingSafeEqual(presentedMac, expectedMac);
}

function computeMac(text: string, secret: KeyObject): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['application invitation', text]))
    .digest();
}
