/** An example request that developers can send after they replace the placeholders in capitals. */
export interface ExampleRequest {
  readonly url: string;
  /** The parameters of a POST request, in order. Null for a GET request. */
  readonly form: readonly (readonly [name: string, value: string])[] | null;
  /** The client credentials for HTTP Basic (RFC 6749 §2.3.1). Null if they are in the form or not needed. */
  readonly basic: {
    readonly clientId: string;
    readonly clientSecret: string;
    /** Whether the application must use HTTP Basic rather than send the credentials in the form. */
    readonly isRequired: boolean;
  } | null;
  /** An access token (RFC 6750 §2.1, RFC 9449 §7.1). Null if none is needed. */
  readonly bearer: string | null;
  /** A DPoP proof, which is valid only for this request (RFC 9449 §4). Null if none is needed. */
  readonly proof: string | null;
  /** Whether the request must be sent with the application's TLS client certificate. Only curl examples show how. */
  readonly certificate: boolean;
}

/**
 * Returns the form, with the client credentials added if HTTP Basic is optional. In most languages, sending them in the
 * form takes less code.
 */
export function formWithCredentials({ form, basic }: ExampleRequest): ExampleRequest['form'] {
  if (form === null || basic === null || basic.isRequired) return form;
  return [...form, ['client_id', basic.clientId], ['client_secret', basic.clientSecret]];
}

/** Returns the user name and password, separated by a colon, or null if the application need not use HTTP Basic. */
export function requiredBasic({ basic }: ExampleRequest): string | null {
  return basic?.isRequired ? `${basic.clientId}:${basic.clientSecret}` : null;
}

/** Returns the headers for the access token and the proof. */
export function headersOf({ bearer, proof }: ExampleRequest): readonly (readonly [name: string, value: string])[] {
  return [
    ...(bearer === null ? [] : [['Authorization', `${proof === null ? 'Bearer' : 'DPoP'} ${bearer}`] as const]),
    ...(proof === null ? [] : [['DPoP', proof] as const]),
  ];
}
