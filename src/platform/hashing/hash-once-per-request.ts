import type { Once } from '../../event-store/once.ts';
import type { PasswordHasher } from '../ports.ts';

/** Returns a hasher that computes each hash only once per request, even if the request is processed several times. */
export function hashOncePerRequest({ hash, verify }: PasswordHasher, once: Once): PasswordHasher {
  return {
    hash: (password) => once(['hash', password], () => hash(password)),
    verify: (phc, password) => once(['verify', phc, password], () => verify(phc, password)),
  };
}
