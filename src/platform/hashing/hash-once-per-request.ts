import type { Once } from '../../event-store/once.ts';
import type { PasswordHasher } from '../ports.ts';

/** Computes each hash once for the request of `once`, however often the request is decided. */
export function hashOncePerRequest({ hash, verify }: PasswordHasher, once: Once): PasswordHasher {
  return {
    hash: (password) => once(['hash', password], () => hash(password)),
    verify: (phc, password) => once(['verify', phc, password], () => verify(phc, password)),
  };
}
