import type { Authentication } from '../../domain/events.ts';
import { unreachable } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';

/** Returns how the user logged in, such as "with a password and a code from an app". */
export function loginMethod(authentication: Authentication): Message {
  if (authentication.method === 'passkey') return message('method.passkey');
  const { method, secondFactor } = authentication;
  // a choice of a message cannot contain a hyphen
  const second = secondFactor?.method === 'recovery-code' ? 'recovery' : (secondFactor?.method ?? 'none');
  switch (method) {
    case 'password':
      return message('method.password', { second });
    case 'sign-up':
      return message('method.sign-up', { second });
    case 'set-up-link':
      return message('method.set-up-link', { second });
    case 'upstream':
      return message('method.provider', { provider: authentication.providerId, second });
    default:
      return unreachable(method);
  }
}
