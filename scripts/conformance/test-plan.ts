/** A test plan of the conformance suite, with the choices that change what the server and its clients need. */
export interface TestPlan {
  /** Null for the plans of OpenID Connect, whose clients authenticate with a secret. */
  readonly fapi: FapiVariant | null;
  /** Whether clients request the scope openid. */
  readonly openid: boolean;
  readonly backChannelLogout: boolean;
}

export interface FapiVariant {
  readonly authentication: 'private_key_jwt' | 'mtls';
  /** The binding of tokens. */
  readonly binding: 'dpop' | 'mtls';
  /** FAPI 2.0 Message Signing. */
  readonly signsRequests: boolean;
}

const WRITTEN = /^(?<name>[\w-]+)(?<variants>(?:\[\w+=\w+\])*)$/;

/**
 * Parses a plan in the notation of the suite's scripts. A choice that is not named has the first of its values.
 * @throws Error if it has another form, or a value that is not known here
 */
export function parseTestPlan(text: string): TestPlan {
  const { name = '', variants = '' } = WRITTEN.exec(text)?.groups ?? {};
  if (name === '') throw new Error(`--plan must be NAME[CHOICE=VALUE]…, not ${text}`);
  const chosen = new Map([...variants.matchAll(/(\w+)=(\w+)/g)].map(([, choice = '', value = '']) => [choice, value]));
  function choose<Value extends string>(choice: string, first: Value, ...others: readonly Value[]): Value {
    const value = chosen.get(choice) ?? first;
    const known = [first, ...others].find((one) => one === value);
    if (known === undefined)
      throw new Error(`--plan: ${choice} must be ${[first, ...others].join(' or ')}, not ${value}`);
    return known;
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

/** Whether clients present certificates, for which the server needs a port of its own. */
export function usesCertificates({ fapi }: TestPlan): boolean {
  return fapi?.authentication === 'mtls' || fapi?.binding === 'mtls';
}
