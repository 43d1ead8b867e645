import type { Authentication, SecondFactor, SessionEndReason } from '../../domain/events.ts';
import { unreachable } from '../../domain/values.ts';
import { say, type SentencePart } from './sentence-parts.ts';

/** A session ended. */
export function sessionEnd(
  reason: SessionEndReason | undefined,
  actor: SentencePart,
  user: SentencePart,
): readonly SentencePart[] {
  switch (reason) {
    case undefined: // earlier releases did not record the reason
    case 'logged-out':
      return say`${user} logged out`;
    case 'logged-out-through-client':
      return say`${user} logged out through an application`;
    case 'ended-by-user':
      return say`${user} ended one of their sessions`;
    case 'ended-by-administrator':
      return say`${actor} ended a session of ${user}`;
    case 'logged-in-again':
      return say`The session of ${user} continued in a new one, because they logged in again`;
    case 'another-login':
      return say`The session of ${user} ended, because another user logged in with the same browser`;
    case 'two-step-turned-on':
      return say`A session of ${user} with the password alone ended, because they turned on two-step login`;
    case 'account-unlinked':
      return say`A session of ${user} ended, because the account at a provider with which it began was unlinked`;
    default:
      return unreachable(reason);
  }
}

/** Completes "logged in …". */
export function describeMethod(authentication: Authentication): string {
  if (authentication.method === 'passkey') return 'with a passkey';
  const { method, secondFactor } = authentication;
  const second = secondFactor === undefined ? '' : ` and ${SECOND_FACTORS[secondFactor.method]}`;
  switch (method) {
    case 'password':
      return `with the password${second}`;
    case 'sign-up':
      return secondFactor === undefined ? 'by signing up' : `by signing up, with a password${second}`;
    case 'set-up-link':
      return `with the set-up link${second}`;
    case 'upstream':
      return `through the provider ${authentication.providerId}${second}`;
    default:
      return unreachable(method);
  }
}

const SECOND_FACTORS: Readonly<Record<SecondFactor['method'], string>> = {
  totp: 'a code from an app',
  passkey: 'a passkey',
  'recovery-code': 'a recovery code',
};
