import type { KeyObject } from 'node:crypto';
import type { AuthorizationDetail } from '../../domain/authorization-details.ts';
import type { Resources } from '../../domain/resource.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ClientId, CredentialHash, EpochSeconds, GrantId } from '../../domain/values.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { Entropy } from '../../platform/ports.ts';
import { CHECKSUM_CHARS, hashCredential, hasValidChecksum, mintId, withChecksum } from '../credentials/credentials.ts';
import { mintUserCode } from './user-codes.ts';

/** A request from a device, before or after the user's decision. */
export interface DeviceRequest {
  /** The grant that starts when the user approves the request. */
  readonly grantId: GrantId;
  /** The hash of the device code. */
  readonly codeHash: CredentialHash;
  /** Without a separator. */
  readonly userCode: string;
  readonly clientId: ClientId;
  readonly scope: Scope;
  readonly resource: Resources;
  /** Authorization details (RFC 9396), if any. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  readonly requestedAt: EpochSeconds;
  /** The caller's IP address, or its /64 network for IPv6, as used for rate limits. */
  readonly address: string;
  /** The name of the software that sent the request, such as "Firefox on Linux"; null if unknown. */
  readonly agent: string | null;
}

/**
 * Device codes (RFC 8628 §3.2) contain the encrypted request, so that requests do not fill the server's storage and
 * every node can read codes that other nodes issued.
 */
export interface DeviceCodes {
  mint(terms: Omit<DeviceRequest, 'grantId' | 'codeHash' | 'userCode'>): {
    readonly value: string;
    readonly request: DeviceRequest;
  };
  /**
   * Returns the request in a device code, even if the code has expired, or undefined if this server did not issue it.
   */
  open(deviceCode: string): DeviceRequest | undefined;
}

/** How long the user has to approve the request, and how long the device has to redeem its code. */
export const DEVICE_CODE_SECONDS = 600;

const PREFIX = 'gld_';
const DEVICE_CODE = /^gld_[\w-]{40,}$/;
const CONTEXT = 'device code';

type Content = readonly [
  grantId: GrantId,
  userCode: string,
  clientId: ClientId,
  scope: Scope,
  resource: Resources,
  requestedAt: number,
  address: string,
  agent: string | null,
  details?: readonly AuthorizationDetail[] | undefined,
];

export function createDeviceCodes(key: KeyObject, entropy: Entropy): DeviceCodes {
  const secret = key.export();

  return {
    mint(terms) {
      const { clientId, scope, resource, requestedAt, address, agent, details } = terms;
      const [grantId, userCode] = [mintId<GrantId>(entropy), mintUserCode(entropy)];
      const requiredContent = [grantId, userCode, clientId, scope, resource, requestedAt, address, agent] as const;
      const content: Content = details === undefined ? requiredContent : [...requiredContent, details];
      const { value, hash: codeHash } = withChecksum(
        `${PREFIX}${seal(JSON.stringify(content), secret, CONTEXT, entropy)}`,
      );
      return { value, request: { ...terms, grantId, codeHash, userCode } };
    },

    open(deviceCode) {
      if (!hasValidChecksum(deviceCode, DEVICE_CODE)) return undefined;
      const content = tryUnseal(deviceCode.slice(PREFIX.length, -CHECKSUM_CHARS), secret);
      if (content === undefined) return undefined;
      const [grantId, userCode, clientId, scope, resource, requestedAt, address, agent, details] = content;
      const codeHash = hashCredential(deviceCode);
      const terms = { clientId, scope, resource, requestedAt: requestedAt as EpochSeconds, address, agent, details };
      return { grantId, codeHash, userCode, ...terms };
    },
  };
}

function tryUnseal(sealedContent: string, key: Buffer): Content | undefined {
  try {
    return JSON.parse(unseal(sealedContent, key, CONTEXT)) as Content;
  } catch {
    return undefined; // not sealed by this server
  }
}

/**
 * Returns the time at which the code expires. Until then, the user can approve the request and the device can redeem
 * its code.
 */
export function deviceCodeExpiry({ requestedAt }: Pick<DeviceRequest, 'requestedAt'>): EpochSeconds {
  return (requestedAt + DEVICE_CODE_SECONDS) as EpochSeconds;
}
