import type { EpochSeconds } from '../../../domain/values.ts';
import type { PageContext, PageUser } from '../page-context.ts';

export interface WaysLocals extends PageContext {
  readonly user: PageUser;
  /** `off` if the user has a password but users must log in through a provider. */
  readonly password: 'usable' | 'off' | 'none';
  readonly passkeyCount: number;
  readonly isTwoStepOn: boolean;
  /** The linked accounts, oldest first. `email` is empty if the provider sent none. */
  readonly accounts: readonly {
    readonly id: string;
    readonly provider: string;
    readonly email: string;
    readonly since: EpochSeconds;
    /** Whether the provider is still set up and enabled. */
    readonly isUsable: boolean;
  }[];
  /** The providers that the user can link an account at. */
  readonly providers: readonly { readonly id: string; readonly name: string }[];
}
