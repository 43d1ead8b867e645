/**
 * Formats a minimal form POST.
 * @param authorization null if the form authenticates the client
 */
export function formPost(path: string, authorization: string | null, body: string, bodyLength = body.length): string {
  const headerLines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    ...(authorization === null ? [] : [`Authorization: ${authorization}`]),
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${bodyLength}`,
  ];
  return `${headerLines.join('\r\n')}\r\n\r\n${body}`;
}

export function bearerGet(path: string, token: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

export function basicAuthHeader(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

export async function postForm(
  origin: string,
  path: string,
  authorization: string,
  form: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(form),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Redeems a code and returns the refresh token. */
export async function redeem(
  origin: string,
  authorization: string,
  code: string,
  redirectUri: string,
): Promise<string> {
  const { refresh_token: refreshToken } = await postForm(origin, '/o/token/', authorization, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
  });
  return String(refreshToken);
}
