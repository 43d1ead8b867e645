import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { english } from '../../../../../src/language/english.ts';
import type { ExampleClient } from '../../../../../src/http/pages/applications/try-it/example.ts';
import { examplesFor } from '../../../../../src/http/pages/applications/try-it/examples.ts';
import { asCurl } from '../../../../../src/http/pages/applications/try-it/curl.ts';
import type { ExampleRequest } from '../../../../../src/http/pages/applications/try-it/example-request.ts';
import { asJava } from '../../../../../src/http/pages/applications/try-it/java.ts';
import { asJavaScript } from '../../../../../src/http/pages/applications/try-it/javascript.ts';
import { LANGUAGES } from '../../../../../src/http/pages/applications/try-it/languages.ts';
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
  requirements: { authentication: 'secret', proof: false, boundToCertificate: false, pushed: false, signed: false },
  mtlsBase: null,
};

const findRequest = (title: string, exampleClient: ExampleClient): ExampleRequest =>
  examplesFor(exampleClient).find((example) => english.text(example.title) === title)?.request ??
  expect.fail(`there is no example ${title}`);

const grantRequest = (clientId: string, clientSecret: string): ExampleRequest => ({
  url: 'https://id.example/o/token/',
  form: [['grant_type', 'client_credentials']],
  basic: { clientId, clientSecret, isRequired: false },
  bearer: null,
  proof: null,
  certificate: false,
});

/** Returns the arguments that a shell passes to curl, without running curl. */
function captureCurlArguments(command: string): string[] {
  return execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8', env: {} })
    .split('\0')
    .slice(0, -1);
}

/** Runs a JavaScript snippet, and returns the request that it would send. */
function captureJavaScriptRequest(code: string): { url: string; form: Record<string, string> } {
  const requests: { url: string; form: Record<string, string> }[] = [];
  const fetch = (url: string, { body }: { body: URLSearchParams }) => {
    requests.push({ url, form: Object.fromEntries(body) });
    return new Promise(() => {});
  };
  runInContext(code, createContext({ fetch, URLSearchParams, console }));
  return requests[0] ?? expect.fail('nothing was sent');
}

/** Runs Python snippets in one interpreter, and returns the requests that they would send. */
function capturePythonRequests(snippets: readonly string[]): { url: string; form: Record<string, string> }[] {
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

const awkwardText = fc.string({
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

describe("An application's examples", () => {
  it('include each registered grant type, a refresh if possible, and a call with the token', () => {
    const titles = (exampleClient: Partial<ExampleClient>) =>
      examplesFor({ ...client, ...exampleClient }).map(({ title }) => english.text(title));
    expect(titles({ grants: ['client-credentials'] })).to.deep.equal([
      'Client credentials',
      'Use the token',
      'Introspect a token',
      'Revoke the token',
    ]);
    expect(titles({ grants: ['password'], sampleApi: false, clientType: 'public' })).to.deep.equal([
      'Resource owner password',
      'Refresh the tokens',
      'Revoke the token',
    ]);
    expect(titles({ grants: [] })).to.deep.equal([]);
  });

  it('pass the registered values to curl, with shell metacharacters quoted', () => {
    fc.assert(
      fc.property(awkwardText, awkwardText, (clientId, clientSecret) => {
        expect(captureCurlArguments(asCurl(grantRequest(clientId, clientSecret)))).to.deep.equal([
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
      fc.property(awkwardText, awkwardText, (clientId, clientSecret) => {
        expect(captureJavaScriptRequest(asJavaScript(grantRequest(clientId, clientSecret)))).to.deep.equal({
          url: 'https://id.example/o/token/',
          form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
        });
      }),
    );
  });

  it('send the registered values from Python, with quotes escaped', function () {
    if (!canRun('Python')) return this.skip();
    const pairs = fc.sample(fc.tuple(awkwardText, awkwardText), 200);
    const requests = capturePythonRequests(
      pairs.map(([clientId, clientSecret]) => asPython(grantRequest(clientId, clientSecret))),
    );
    expect(requests).to.deep.equal(
      pairs.map(([clientId, clientSecret]) => ({
        url: 'https://id.example/o/token/',
        form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
      })),
    );
  });

  for (const { name, write } of LANGUAGES.filter(({ id }) => id !== 'curl'))
    // Shells have no portable escapes for other characters.
    it(`consist of printable ASCII in ${name}, so that registered values cannot reorder the displayed code`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (clientId, clientSecret) => {
          expect(write(grantRequest(clientId, clientSecret))).to.match(/^[\n\t\x20-\x7e]*$/);
        }),
      );
    });

  it('log users in by adding only scopes and a nonce to the authorization request', () => {
    const [authorizeExample, loginExample] = examplesFor(client);
    const [parameters, loginParameters] = [authorizeExample, loginExample].map((example) =>
      Object.fromEntries(new URL(example?.link ?? '', client.issuer).searchParams),
    );
    expect(loginParameters).to.deep.equal({ ...parameters, scope: 'openid profile email read', nonce: 'the-nonce' });
  });

  it('redeem a code with the redirect URI and the code verifier of its authorization request', () => {
    const [authorizeExample] = examplesFor(client);
    const authorizationUrl = new URL(authorizeExample?.link ?? '', client.issuer);
    const { challenge, verifier } = client.pkce;
    expect(Object.fromEntries(authorizationUrl.searchParams)).to.deep.equal({
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: 'https://app.example/cb?a=1&b=2',
      state: 'the-state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    expect(Object.fromEntries(findRequest('Authorization code: exchange the code', client).form ?? [])).to.deep.equal({
      grant_type: 'authorization_code',
      code: 'CODE',
      redirect_uri: 'https://app.example/cb?a=1&b=2',
      code_verifier: verifier,
      client_id: 'the-client',
      client_secret: 'CLIENT_SECRET',
    });
  });

  it('mention no secret for a public client', () => {
    const examples = examplesFor({
      ...client,
      clientType: 'public',
      grants: ['authorization-code', 'password'],
      requirements: { ...client.requirements, authentication: 'none' },
    });
    expect(JSON.stringify(examples)).not.to.match(/secret/i);
  });

  describe('show, if the application requires it,', () => {
    const clientRequiring = (requirements: Partial<ExampleClient['requirements']>): ExampleClient => ({
      ...client,
      requirements: { ...client.requirements, ...requirements },
    });
    const EXCHANGE_TITLE = 'Authorization code: exchange the code';

    it('an assertion instead of a secret', () => {
      const examples = examplesFor(clientRequiring({ authentication: 'assertion' }));
      expect(JSON.stringify(examples)).not.to.match(/secret/i);
      expect(
        Object.fromEntries(findRequest(EXCHANGE_TITLE, clientRequiring({ authentication: 'assertion' })).form ?? []),
      ).to.include({
        client_id: 'the-client',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: 'CLIENT_ASSERTION',
      });
    });

    it('a secret in the only place where the application may send it, in every language', () => {
      for (const { write } of LANGUAGES) {
        expect(
          write(findRequest(EXCHANGE_TITLE, clientRequiring({ authentication: 'secret-in-header' }))),
        ).not.to.include('client_secret');
        const code = write(findRequest('Client credentials', clientRequiring({ authentication: 'secret-in-body' })));
        expect(code)
          .to.include('client_secret')
          .and.not.match(/Basic|-u '/);
      }
    });

    it('a form without fields, which is still sent by POST', () => {
      const deviceClient = clientRequiring({ authentication: 'secret-in-header' });
      const request = findRequest('Device: get the codes', { ...deviceClient, grants: ['device-code'] });
      expect(request.form).to.deep.equal([]);
      expect(asCurl(request)).to.match(/ --data ''$/);
      expect(asJava(request)).to.include('String form = String.join("&");');
    });

    it('a proof with each request that gets or uses a token, and with no other request', () => {
      const examples = examplesFor(clientRequiring({ proof: true }));
      const [idsWithProof, idsWithoutProof] = [true, false].map((hasProof) =>
        examples.flatMap(({ id, request }) => (request && (request.proof !== null) === hasProof ? [id] : [])),
      );
      expect(idsWithProof).to.have.members([
        'exchange',
        'client-credentials',
        'password',
        'userinfo',
        'api',
        'refresh',
      ]);
      expect(idsWithoutProof).to.have.members(['introspect', 'revoke']);
      for (const { write } of LANGUAGES) {
        const code = write(findRequest('Use the token', clientRequiring({ proof: true })));
        expect(code).to.include('DPoP ACCESS_TOKEN').and.include('DPOP_PROOF').and.not.include('Bearer');
      }
    });

    it('a pushed request before the link that refers to it', () => {
      const [pushExample, loginExample, authorizeExample] = examplesFor(clientRequiring({ pushed: true }));
      expect([pushExample, loginExample, authorizeExample].map((example) => example?.id)).to.deep.equal([
        'push',
        'push-login',
        'authorize',
      ]);
      expect(pushExample?.request?.url).to.equal('https://id.example/o/par/');
      expect(Object.fromEntries(pushExample?.request?.form ?? [])).to.include({
        state: 'the-state',
        response_type: 'code',
      });
      expect(authorizeExample?.link).to.equal('/o/authorize/?client_id=the-client&request_uri=REQUEST_URI');
    });

    it('the claims of a signed request', () => {
      const [authorizeExample] = examplesFor(clientRequiring({ signed: true }));
      expect(authorizeExample?.link).to.equal('/o/authorize/?client_id=the-client&request=REQUEST_OBJECT');
      expect(authorizeExample?.claims).to.include({
        client_id: 'the-client',
        response_type: 'code',
        state: 'the-state',
      });
      const [pushExample] = examplesFor(clientRequiring({ signed: true, pushed: true }));
      expect(pushExample?.request?.form?.[0]).to.deep.equal(['request', 'REQUEST_OBJECT']);
      expect(pushExample?.claims).to.deep.equal(authorizeExample?.claims);
    });

    it('a certificate, sent to the URL that accepts it', () => {
      const boundClient = { ...clientRequiring({ boundToCertificate: true }), mtlsBase: 'https://mtls.example' };
      const authenticatedClient = {
        ...clientRequiring({ authentication: 'certificate' }),
        mtlsBase: 'https://mtls.example',
      };
      const commands = (exampleClient: ExampleClient) =>
        examplesFor(exampleClient).flatMap(({ id, request }) => (request ? [[id, asCurl(request)] as const] : []));
      for (const [id, command] of [...commands(boundClient), ...commands(authenticatedClient)]) {
        const sendsCertificate = command.includes('--cert client.pem --key client.key');
        expect(command.includes('https://mtls.example/'), id).to.equal(sendsCertificate);
      }
      const idsWithoutCertificate = (exampleClient: ExampleClient) =>
        commands(exampleClient).flatMap(([id, command]) => (command.includes('--cert') ? [] : [id]));
      expect(idsWithoutCertificate(boundClient)).to.have.members(['introspect', 'revoke']);
      expect(idsWithoutCertificate(authenticatedClient)).to.have.members(['userinfo', 'api']);
      expect(JSON.stringify(commands(authenticatedClient))).not.to.match(/secret/i);
    });
  });
});

describe('A PKCE pair', () => {
  it('is a verifier and its S256 challenge (RFC 7636 §4), or plain if no other method is allowed', () => {
    const entropy = seededEntropy('pkce');
    const { verifier, challenge, method } = mintPkcePair(entropy, ['plain', 'S256']);
    expect(method).to.equal('S256');
    expect(verifier).to.match(/^[\w-]{43}$/);
    expect(challenge)
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(verifier);
    const plainPair = mintPkcePair(entropy, ['plain']);
    expect(plainPair).to.deep.equal({ verifier: plainPair.verifier, challenge: plainPair.verifier, method: 'plain' });
  });
});
