/** Returns a challenge for the `WWW-Authenticate` header (RFC 9110 §11.6.1). Undefined parameters are omitted. */
export function challenge(scheme: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const formattedParameters = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  );
  return `${scheme} ${formattedParameters.join(', ')}`;
}
