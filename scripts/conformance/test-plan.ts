/** A test plan of the conformance suite, with the choices that affect the settings of the server and its clients. */
export interface TestPlan {
  /** Null for OpenID Connect plans, whose clients authenticate with a secret. */
  readonly fapi: FapiVariant | null;
  /** Whether clients request the `openid` scope. */
  readonly openid: boolean;
  readonly backChannelLogout: boolean;
}

export interface FapiVariant {
  readonly authentication: 'private_key_jwt' | 'mtls';
  /** How tokens are bound. */
  readonly binding: 'dpop' | 'mtls';
  /** Whether the profile is FAPI 2.0 Message Signing, which requires signed requests. */
  readonly signsRequests: boolean;
}

const PLAN_PATTERN = /^(?<name>[\w-]+)(?<variants>(?:\[\w+=\w+\])*)$/;

/**
 * Parses a plan in the notation of the suite's scripts. A missing choice defaults to the first of its values.
 * @throws Error if the plan is malformed, or has an unknown value
 */
export function parseTestPlan(plan: string): TestPlan {
  const { name = '', variants = '' } = PLAN_PATTERN.exec(plan)?.groups ?? {};
  if (name === '') throw new Error(`--plan must be NAME[CHOICE=VALUE]…, not ${plan}`);
  const values = new Map([...variants.matchAll(/(\w+)=(\w+)/g)].map(([, choice = '', value = '']) => [choice, value]));
  function choose<Value extends string>(choice: string, first: Value, ...others: readonly Value[]): Value {
    const text = values.get(choice) ?? first;
    const value = [first, ...others].find((candidate) => candidate === text);
    if (value === undefined)
      throw new Error(`--plan: ${choice} must be ${[first, ...others].join(' or ')}, not ${text}`);
    return value;
  }
  if (!name.startsWith('fapi2-')) return { fapi: null, openid: true, backChannelLogout: name.includes('backchannel') };
  return {
    fapi: {
      authentication: choose('client_auth_type', 'private_key_jwt', 'mtls'),
      binding: choose('sender_constrain', 'dpop', 'mtls'),
      signsRequests: name.startsWith('fapi2-message-signing'),
    },
    openid: choose('openid', 'plain_oauth', 'openid_connect') === 'openid_connect',
    backChannelLogout: false,
  };
}

/** Reports whether clients present certificates, which require a separate port on the server. */
export function usesCertificates({ fapi }: TestPlan): boolean {
  return fapi?.authentication === 'mtls' || fapi?.binding === 'mtls';
}
