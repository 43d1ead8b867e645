/** The maximum lengths of valid values, in UTF-16 code units. The limits in input-limits.ts are derived from them. */
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
  /** A custom page text. */
  customText: 2_000,
  /** The key of a custom page text. */
  textKey: 100,
  applicationName: 255,
  applicationDescription: 300,
  /** A client id can be a URL, or contain the client's registration. */
  clientId: 1_500,
  clientSecret: 512,
  redirectUri: 2_048,
  /** Short, because tokens and the `resources` setting contain resource URIs. */
  resourceUri: 256,
  resourceName: 150,
  /** The issuer identifier of another server, which every event about that server's JWTs contains. */
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
  /** All of a client's redirect URIs together, or all of its allowed origins. Each change records the whole list. */
  uris: 10_000,
} as const;

/** The maximum size of a client's metadata document, as its specification recommends. */
export const MAX_CLIENT_DOCUMENT_BYTES = 5_120;
