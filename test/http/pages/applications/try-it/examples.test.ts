import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { examplesFor, type ExampleClient } from '../../../../../src/http/pages/applications/try-it/examples.ts';
import { asCurl } from '../../../../../src/http/pages/applications/try-it/curl.ts';
import type { ExampleRequest } from '../../../../../src/http/pages/applications/try-it/example-request.ts';
import { asJavaScript } from '../../../../../src/http/pages/applications/try-it/javascript.ts';
import { asPython } from '../../../../../src/http/pages/applications/try-it/python.ts';
import { mintPkcePair } from '../../../../../src/http/pages/applications/try-it/pkce.ts';
import { canRun } from '../../../../support/snippets.ts';
import { seededEntropy } from '../../../../support/seeded-entropy.ts';

const client: ExampleClient = {
  issuer: 'https://id.example',
  clientId: 'the-client',
  clientType: 'confidential',
  grants: ['authorization-code', 'client-credentials', 'password'],
  redirectUris: ['https://app.example/cb?a=1&b=2'],
  pkce: mintPkcePair(seededEntropy('examples'), ['S256']),
  state: 'the-state',
  nonce: 'the-nonce',
  sampleApi: true,
};

const requestOf = (title: string, of: ExampleClient): ExampleRequest =>
  examplesFor(of).find((example) => example.title === title)?.request ?? expect.fail(`no ${title}`);

const grantRequest = (clientId: string, clientSecret: string): ExampleRequest => ({
  url: 'https://id.example/o/token/',
  form: [['grant_type', 'client_credentials']],
  basic: { clientId, clientSecret },
  bearer: null,
});

/** The arguments that a shell would hand to curl, without running it. */
function argumentsOf(command: string): string[] {
  return execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8', env: {} })
    .split('\0')
    .slice(0, -1);
}

/** The request that a JavaScript snippet would send. */
function fetched(code: string): { url: string; form: Record<string, string> } {
  const sent: { url: string; form: Record<string, string> }[] = [];
  const fetch = (url: string, { body }: { body: URLSearchParams }) => {
    sent.push({ url, form: Object.fromEntries(body) });
    return new Promise(() => {});
  };
  runInContext(code, createContext({ fetch, URLSearchParams, console }));
  return sent[0] ?? expect.fail('nothing was sent');
}

/** The requests that Python snippets would send, all in one run of the interpreter. */
function opened(snippets: readonly string[]): { url: string; form: Record<string, string> }[] {
  const harness = `
import io, json, sys, urllib.parse, urllib.request
sent = []
def urlopen(request):
    form = urllib.parse.parse_qsl(request.data.decode(), keep_blank_values=True)
    sent.append({'url': request.full_url, 'form': dict(form)})
    return io.BytesIO(b'')
urllib.request.urlopen = urlopen
out = sys.stdout
sys.stdout = io.StringIO()
for snippet in json.load(sys.stdin):
    exec(snippet, {})
json.dump(sent, out)
`;
  return JSON.parse(
    execFileSync('python3', ['-c', harness], { encoding: 'utf8', input: JSON.stringify(snippets) }),
  ) as { url: string; form: Record<string, string> }[];
}

const anAwkwardText = fc.string({
  unit: fc.constantFrom(
    "'",
    '"',
    '$',
    '`',
    '\\',
    '(',
    ')',
    ';',
    '&',
    '!',
    ' ',
    'a',
    '<',
    '{',
    '}',
    '%',
    '\u2028',
    'é',
    '😀',
    'n',
    'u',
  ),
  minLength: 1,
});

describe('The examples of an application', () => {
  it('include each registered grant type, a refresh if possible, and a call with the token', () => {
    const titles = (of: Partial<ExampleClient>) => examplesFor({ ...client, ...of }).map(({ title }) => title);
    expect(titles({ grants: ['client-credentials'] })).to.deep.equal([
      'Client credentials',
      'Use the token',
      'Look at a token',
      'Revoke the token',
    ]);
    expect(titles({ grants: ['password'], sampleApi: false, clientType: 'public' })).to.deep.equal([
      'Resource owner password',
      'Refresh',
      'Revoke the token',
    ]);
    expect(titles({ grants: [] })).to.deep.equal([]);
  });

  it('pass the registered values to curl, with shell metacharacters quoted', () => {
    fc.assert(
      fc.property(anAwkwardText, anAwkwardText, (clientId, clientSecret) => {
        expect(argumentsOf(asCurl(grantRequest(clientId, clientSecret)))).to.deep.equal([
          'https://id.example/o/token/',
          '-u',
          `${clientId}:${clientSecret}`,
          '--data-urlencode',
          'grant_type=client_credentials',
        ]);
      }),
      { numRuns: 25 },
    );
  });

  it('send the registered values from JavaScript, with quotes escaped', () => {
    fc.assert(
      fc.property(anAwkwardText, anAwkwardText, (clientId, clientSecret) => {
        expect(fetched(asJavaScript(grantRequest(clientId, clientSecret)))).to.deep.equal({
          url: 'https://id.example/o/token/',
          form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
        });
      }),
    );
  });

  it('send the registered values from Python, with quotes escaped', function () {
    if (!canRun('Python')) return this.skip();
    const pairs = fc.sample(fc.tuple(anAwkwardText, anAwkwardText), 200);
    const sent = opened(pairs.map(([clientId, clientSecret]) => asPython(grantRequest(clientId, clientSecret))));
    expect(sent).to.deep.equal(
      pairs.map(([clientId, clientSecret]) => ({
        url: 'https://id.example/o/token/',
        form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      })),
    );
  });

  it('log users in with a nonce, and otherwise like any other request for a code', () => {
    const [ask, logIn] = examplesFor(client);
    const [parameters, ofLogin] = [ask, logIn].map((example) =>
      Object.fromEntries(new URL(example?.link ?? '', client.issuer).searchParams),
    );
    expect(ofLogin).to.deep.equal({ ...parameters, scope: 'openid profile email read', nonce: 'the-nonce' });
  });

  it('redeem a code with the redirect URI and verifier of its request', () => {
    const [ask] = examplesFor(client);
    const address = new URL(ask?.link ?? '', client.issuer);
    const { challenge, verifier } = client.pkce;
    expect(Object.fromEntries(address.searchParams)).to.deep.equal({
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: 'https://app.example/cb?a=1&b=2',
      state: 'the-state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    expect(Object.fromEntries(requestOf('Authorization code: exchange the code', client).form ?? [])).to.deep.equal({
      grant_type: 'authorization_code',
      code: 'CODE',
      redirect_uri: 'https://app.example/cb?a=1&b=2',
      code_verifier: verifier,
      client_id: 'the-client',
      client_secret: 'CLIENT_SECRET',
    });
  });

  it('mention no secret of a public client', () => {
    const examples = examplesFor({
      ...client,
      clientType: 'public',
      grants: ['authorization-code', 'password'],
    });
    expect(JSON.stringify(examples)).not.to.match(/secret/i);
  });
});

describe('A PKCE pair', () => {
  it('is a verifier and its S256 challenge (RFC 7636 §4), and plain only if no other method is allowed', () => {
    const entropy = seededEntropy('pkce');
    const { verifier, challenge, method } = mintPkcePair(entropy, ['plain', 'S256']);
    expect(method).to.equal('S256');
    expect(verifier).to.match(/^[\w-]{43}$/);
    expect(challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(verifier);
    const plain = mintPkcePair(entropy, ['plain']);
    expect(plain).to.deep.equal({ verifier: plain.verifier, challenge: plain.verifier, method: 'plain' });
  });
});
