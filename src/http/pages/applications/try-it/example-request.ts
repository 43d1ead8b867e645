/** An example request that developers can send once they fill in the placeholders in capitals. */
export interface ExampleRequest {
  readonly url: string;
  /** Parameters of a POST request, in order. Null for a GET request. */
  readonly form: readonly (readonly [name: string, value: string])[] | null;
  /** Client credentials for HTTP Basic (RFC 6749 §2.3.1). Null if they are in the form or not needed. */
  readonly basic: { readonly clientId: string; readonly clientSecret: string } | null;
  /** An access token (RFC 6750 §2.1). */
  readonly bearer: string | null;
}

/** The form with the client credentials in it, for languages in which HTTP Basic takes more code. */
export function formWithCredentials({ form, basic }: ExampleRequest): ExampleRequest['form'] {
  if (form === null || basic === null) return form;
  return [...form, ['client_id', basic.clientId], ['client_secret', basic.clientSecret]];
}
