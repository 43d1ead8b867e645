import type { Once } from '../../event-store/once.ts';
import type { PasswordHasher } from '../ports.ts';

/** Computes each hash only once for a request, even if the request is processed more than once. */
export function hashOncePerRequest({ hash, verify }: PasswordHasher, once: Once): PasswordHasher {
  return {
    hash: (password) => once(['hash', password], () => hash(password)),
    verify: (phc, password) => once(['verify', phc, password], () => verify(phc, password)),
  };
}
