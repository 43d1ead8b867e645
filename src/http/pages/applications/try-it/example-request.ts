/** A request that a developer can send as it stands, once what is in capitals is filled in. */
export interface ExampleRequest {
  readonly url: string;
  /** Parameters of a POST, in order; null for a GET. */
  readonly form: readonly (readonly [name: string, value: string])[] | null;
  /** Credentials of the client beside the form (RFC 6749 §2.3.1); null where they are in it, or where none are needed. */
  readonly basic: { readonly clientId: string; readonly clientSecret: string } | null;
  /** An access token (RFC 6750 §2.1). */
  readonly bearer: string | null;
}

/** The form with the client's credentials in it, for languages in which HTTP Basic takes more words. */
export function formWithCredentials({ form, basic }: ExampleRequest): ExampleRequest['form'] {
  if (form === null || basic === null) return form;
  return [...form, ['client_id', basic.clientId], ['client_secret', basic.clientSecret]];
}
