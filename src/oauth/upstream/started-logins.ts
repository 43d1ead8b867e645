import { isIssueTimeValid } from '../../domain/clock.ts';
import type { ProviderId, UserId } from '../../domain/values.ts';
import type { RotatingKey } from '../../platform/keys/rotating-key.ts';
import { seal, unseal } from '../../platform/keys/seals.ts';
import type { Entropy } from '../../platform/ports.ts';

/** A login that began here and continues at a provider. */
export interface StartedLogin {
  readonly providerId: ProviderId;
  /** The position of the event that set the provider's settings. */
  readonly settingsAt: number;
  readonly state: string;
  readonly nonce: string;
  /** The code verifier (RFC 7636). */
  readonly verifier: string;
  /** The URL where the browser continues after the login. */
  readonly next: string;
  /** The logged-in user who is linking the account, and that user's session; null for a login. */
  readonly linksTo: { readonly userId: UserId; readonly sessionHash: string } | null;
  /**
   * Whether the provider is asked to authenticate the user again. If so, an authentication time that the provider
   * reports must not be earlier than `at`, apart from differences between the clocks.
   */
  readonly asksAgain: boolean;
  /** When the login began, in seconds since the epoch. */
  readonly at: number;
}

/**
 * Encrypts logins that continue at a provider into a cookie that is bound to the browser's session and valid for ten
 * minutes. The server stores nothing, so nobody can exhaust its memory, and any node can complete the login.
 */
export interface StartedLogins {
  /**
   * Returns the login as a ticket, which is the value of the cookie.
   * @param binding a value that is unique to the browser's session
   */
  seal(login: StartedLogin, binding: string): string;
  /**
   * Returns the login, `expired` if the ticket has expired, or undefined if the ticket has been tampered with or
   * belongs to a different session.
   */
  open(ticket: string, binding: string, now: number): StartedLogin | 'expired' | undefined;
}

export const STARTED_LOGIN_SECONDS = 600;

export function createStartedLogins(key: RotatingKey, entropy: Entropy): StartedLogins {
  return {
    seal: (login, binding) => seal(JSON.stringify(login), key.current().export(), contextOf(binding), entropy),

    open(ticket, binding, now) {
      for (const secret of key.accepted()) {
        const login = tryUnseal(ticket, secret.export(), contextOf(binding));
        if (login === undefined) continue;
        const isLive = now < login.at + STARTED_LOGIN_SECONDS && isIssueTimeValid(login.at, now);
        return isLive ? login : 'expired';
      }
      return undefined;
    },
  };
}

const contextOf = (binding: string): string => JSON.stringify(['login through a provider', binding]);

function tryUnseal(ticket: string, key: Buffer, context: string): StartedLogin | undefined {
  try {
    return JSON.parse(unseal(ticket, key, context)) as StartedLogin;
  } catch {
    return undefined; // tampered with, or encrypted under a different key or for a different session
  }
}
