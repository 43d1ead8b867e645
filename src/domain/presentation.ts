/** A client's description of itself for the consent page (RFC 7591 §2). Members that the client omits are null. */
export interface Presentation {
  readonly description: string | null;
  readonly homepageUri: string | null;
  readonly policyUri: string | null;
  /** The terms of service. */
  readonly tosUri: string | null;
}

/** The presentation of a client that has only a name. */
export const NO_PRESENTATION: Presentation = { description: null, homepageUri: null, policyUri: null, tosUri: null };

/** A presentation with the member names of RFC 7591, as used in commands and imported files. */
export interface PresentationJson {
  readonly description: string | null;
  readonly client_uri: string | null;
  readonly policy_uri: string | null;
  readonly tos_uri: string | null;
}

/** Converts a presentation to its JSON form. */
export function presentationJson({ description, homepageUri, policyUri, tosUri }: Presentation): PresentationJson {
  return { description, client_uri: homepageUri, policy_uri: policyUri, tos_uri: tosUri };
}

/** Converts the JSON form to a presentation. */
export function presentationFromJson({ description, client_uri, policy_uri, tos_uri }: PresentationJson): Presentation {
  return { description, homepageUri: client_uri, policyUri: policy_uri, tosUri: tos_uri };
}
