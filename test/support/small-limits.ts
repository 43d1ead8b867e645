import { LIMITS, type LimitName, type Limits } from '../../src/platform/limits/limits.ts';

/** The product's windows with small, different limits, so that a test can tell which one applied. */
const SMALL_VALUES: Readonly<Record<LimitName, number>> = {
  'password-by-account-and-place': 3,
  'password-by-account': 5,
  'password-by-address': 7,
  'password-by-client': 8,
  'password-by-address-of-clients': 9,
  'log-in-by-account': 40,
  'password-grant-by-account': 41,
  'client-secret-by-client-and-address': 3,
  'client-secret-by-client': 5,
  'client-secret-by-address': 7,
  'set-up-by-address': 2,
  'sign-up-by-address': 2,
  'sign-up': 3,
  'users-by-caller': 2,
  'codes-by-user': 4,
  'changes-by-user': 45,
  'applications-by-user': 2,
  'sector-documents-by-user': 2,
  'tokens-by-client': 50,
};

export const SMALL_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { windowSeconds }]) => [
    name,
    { windowSeconds, max: SMALL_VALUES[name as LimitName] },
  ]),
) as Limits;
