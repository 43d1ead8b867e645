/** The maximum lengths of valid values, in UTF-16 code units. The limits in input-limits.ts are derived from these. */
export const MAX_LENGTH = {
  userName: 150,
  password: 1_024,
  email: 254,
  personName: 150,
  /** Any profile value. URLs may be this long; other values have lower limits. */
  profileText: 1_024,
  groupName: 150,
  passkeyName: 60,
  /** The server's name, which appears in page titles and e-mails. */
  brandName: 60,
  brandLink: 512,
  /** A custom page text, and its key. */
  customText: 2_000,
  textKey: 100,
  applicationName: 255,
  applicationDescription: 300,
  /** An id may be a URL, or contain its client's registration. */
  clientId: 1_500,
  clientSecret: 512,
  redirectUri: 2_048,
  /** Tokens and the `resources` setting contain it. */
  resourceUri: 256,
  resourceName: 150,
  /** The `iss` of another server. Every event about its JWTs contains it. */
  issuer: 512,
  /** The name or the value of a claim that JWTs from a trusted issuer must have. */
  claim: 512,
  /** The subject of a JWT from another issuer. */
  foreignSubject: 512,
  scopeName: 100,
  scopeDescription: 200,
  /** The type of an authorization detail. */
  detailType: 128,
  detailSentence: 300,
  /** A resource server's authorization detail types, as the JSON that was entered. */
  detailTypes: 32_768,
  /** `https://`, a host name of 253 characters and a port. */
  origin: 267,
  /** All of a client's redirect URIs together, or all of its allowed origins. Every change records the whole list. */
  uris: 10_000,
} as const;

/** The maximum size of a client's metadata document, as its specification recommends. */
export const MAX_CLIENT_DOCUMENT_BYTES = 5_120;
