/** An example request that developers can send once they fill in the placeholders in capitals. */
export interface ExampleRequest {
  readonly url: string;
  /** Parameters of a POST request, in order. Null for a GET request. */
  readonly form: readonly (readonly [name: string, value: string])[] | null;
  /** Client credentials for HTTP Basic (RFC 6749 §2.3.1). Null if they are in the form or not needed. */
  readonly basic: {
    readonly clientId: string;
    readonly clientSecret: string;
    /** Whether the application must use HTTP Basic, and cannot send the credentials in the form instead. */
    readonly isRequired: boolean;
  } | null;
  /** An access token (RFC 6750 §2.1, RFC 9449 §7.1). Null if none is needed. */
  readonly bearer: string | null;
  /** A proof for this request alone (RFC 9449 §4). Null if none is needed. */
  readonly proof: string | null;
  /** Whether the request must be sent with the application's TLS client certificate. Only curl examples show this. */
  readonly certificate: boolean;
}

/** Returns the form with the client credentials in it, for languages where HTTP Basic takes more code. */
export function formWithCredentials({ form, basic }: ExampleRequest): ExampleRequest['form'] {
  if (form === null || basic === null || basic.isRequired) return form;
  return [...form, ['client_id', basic.clientId], ['client_secret', basic.clientSecret]];
}

/** Returns the user name and password for HTTP Basic, or null if none are needed or they can be in the form. */
export function requiredBasic({ basic }: ExampleRequest): string | null {
  return basic?.isRequired ? `${basic.clientId}:${basic.clientSecret}` : null;
}

/** Returns the headers that are the same in every language. */
export function headersOf({ bearer, proof }: ExampleRequest): readonly (readonly [name: string, value: string])[] {
  return [
    ...(bearer === null ? [] : [['Authorization', `${proof === null ? 'Bearer' : 'DPoP'} ${bearer}`] as const]),
    ...(proof === null ? [] : [['DPoP', proof] as const]),
  ];
}
