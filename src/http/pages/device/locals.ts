import type { EpochSeconds } from '../../../domain/values.ts';
import type { Text } from '../../../language/message.ts';
import type { ConsentApplicationLocals, RequestedLocals } from '../authorize/locals.ts';
import type { PageContext, PageUser } from '../page-context.ts';

/** The page on which a user enters the user code that a device shows. */
export interface DeviceLocals extends PageContext {
  readonly user: PageUser;
  /** The user code as entered. */
  readonly userCode: string;
  readonly error: Text | null;
}

export interface DeviceConsentLocals extends PageContext, ConsentApplicationLocals, RequestedLocals {
  readonly user: PageUser;
  /** The sealed request, which the form posts back unchanged. */
  readonly request: string;
  readonly userCode: string;
  readonly device: {
    /** The name of the program that sent the request, or null if unknown. */
    readonly agent: Text | null;
    readonly address: string;
    /** Whether this browser has the same address. */
    readonly isHere: boolean;
    readonly requestedAt: EpochSeconds;
    readonly expiresAt: EpochSeconds;
  };
  /** The resource servers that the request is limited to. Empty means no limit. */
  readonly resources: readonly string[];
}
