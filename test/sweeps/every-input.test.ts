import { expect } from 'chai';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import {
  MAX_TARGET_LENGTH,
  FORM_FIELDS,
  HEADERS,
  PARAMETERS,
  MAX_PATH_LENGTH,
  PATH_PARAMETERS,
  QUERY_FIELDS,
  type ParameterName,
} from '../../src/config/input-limits.ts';
import { operationsOf } from '../support/described-api.ts';
import {
  startInputService,
  type InputResponse,
  type InputRequest,
  type InputRoute,
  type InputService,
} from '../support/every-input.ts';
import { IS_THOROUGH } from '../support/repetitions.ts';
import { quickHasher } from '../support/quick-hasher.ts';
import { watchPrimitives, type SuspiciousCall, type Watch } from '../support/watched-primitives.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Units that, when repeated, make strings costly to normalize, match, decode, parse or sort. */
const WORST_UNITS: readonly (readonly string[])[] = [
  ['\u0301', '\u0323'], // combining marks that have to be reordered
  ['\uFDFA'], // becomes 18 characters in NFKC
  ['\u4E00'], // punycode
  [' '],
  ['a@'],
  [',;'],
  ['[{"'],
  ['%'],
  ['a/../'],
];

/** The number of these strings sent in each input. One is enough for a normal run: limits do not depend on the text. */
const STRINGS_PER_INPUT = IS_THOROUGH ? WORST_UNITS.length : 1;

/** Headers are sent only to every eighth route, because they are checked before the route is known. */
const HEADER_STRIDE = IS_THOROUGH ? 1 : 8;
let unitIndex = 0;

function nextUnits(): readonly (readonly string[])[] {
  const units = [...WORST_UNITS, ...WORST_UNITS].slice(unitIndex, unitIndex + STRINGS_PER_INPUT);
  unitIndex = (unitIndex + STRINGS_PER_INPUT) % WORST_UNITS.length;
  return units;
}

/** A length, in characters, that exceeds every limit. */
const LONG_LENGTH = 60_000;

/** The minimum length of a run of units. None of the server's own strings contains a run this long. */
const MIN_RUN_LENGTH = 300;

/** Returns text that exceeds `limit`. Each of its runs is long enough for `sendChecked` to notice. */
function textBeyond(limit: number, units: readonly string[]): string {
  return worstText(units, 2 * Math.max(limit + 2, MIN_RUN_LENGTH));
}

/** Caches the percent-encoded forms of long strings, because encoding them each time would be slow. */
const encodedTexts = new Map<string, string>();

function worstText(units: readonly string[], characters = LONG_LENGTH): string {
  const text = units.map((unit) => unit.repeat(Math.ceil(characters / unit.length / units.length))).join('');
  if (!encodedTexts.has(text)) encodedTexts.set(text, encodeURIComponent(text));
  return text;
}

function encodeFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map((pair) => pair.map((text) => encodedTexts.get(text) ?? encodeURIComponent(text)).join('='))
    .join('&');
}

function isProtocol({ path }: InputRoute): boolean {
  return /^\/o\/(?:token|device[_-]authorization|revoke_token|introspect)/.test(path);
}

/** Endpoints where a client can send an assertion instead of the described credentials. */
const AUTHENTICATING_ENDPOINTS = /^\/o\/(?:token|device[_-]authorization|introspect|revoke_token)\/$/;
const ASSERTION_PARAMETERS = ['client_assertion', 'client_assertion_type'] as const;

describe('An input beyond its limit', function () {
  this.timeout(300_000); // The tests cover each field of each route with each kind of string.
  let service: InputService;
  let primitiveWatch: Watch;
  let hashedStrings: string[] = [];
  /** Strings that no expensive function may receive. */
  let forbiddenRuns: readonly string[] = [];

  before(async () => {
    const recordCalls =
      <Args extends readonly string[], Result>(hash: (...args: Args) => Result) =>
      (...args: Args): Result => {
        hashedStrings.push(...args);
        return hash(...args);
      };
    service = await startInputService({
      hasher: { hash: recordCalls(quickHasher.hash), verify: recordCalls(quickHasher.verify) },
    });
    primitiveWatch = watchPrimitives(isForbidden);
  });
  after(async () => {
    primitiveWatch.stop();
    await service.close();
  });

  function isForbidden(text: string): boolean {
    return text.length >= MIN_RUN_LENGTH && forbiddenRuns.some((run) => text.includes(run));
  }

  /** Sends the request. Fails if an expensive function receives a run of `units` of more than `limit` characters. */
  async function sendChecked(
    request: InputRequest,
    units: readonly string[],
    limit: number,
    isAllowed: (call: SuspiciousCall) => boolean = () => false,
  ): Promise<InputResponse> {
    forbiddenRuns = [...units, ...units.map(encodeURIComponent)].map((unit) =>
      unit.repeat(Math.ceil(Math.max(limit + 2, MIN_RUN_LENGTH) / unit.length)),
    );
    primitiveWatch.takeCalls();
    hashedStrings = [];
    const response = await service.send(request);
    const violations = [
      ...primitiveWatch.takeCalls(),
      ...hashedStrings.filter(isForbidden).map((text) => ({ primitive: 'argon2', text })),
    ].filter((call) => !isAllowed(call));
    forbiddenRuns = [];
    const name = `${request.method} ${request.path.slice(0, 60)}, text ${units.join(' ')}`;
    expect(
      violations.map(({ primitive, text }) => `${primitive} of ${text.length}: ${text.slice(0, 60)}`),
      name,
    ).to.deep.equal([]);
    expect(response.status, name).to.be.within(200, 499);
    return response;
  }

  /** Returns the names of the rows in `table` that are read while `action` runs. */
  async function findRowsReadDuring(
    table: Readonly<Record<string, unknown>>,
    action: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    const [rowNames, rows] = [new Set<string>(), Object.entries(table)];
    for (const [name, row] of rows)
      Object.defineProperty(table, name, {
        configurable: true,
        enumerable: true,
        get: () => (rowNames.add(name), row),
      });
    try {
      await action();
    } finally {
      for (const [name, row] of rows)
        Object.defineProperty(table, name, { configurable: true, enumerable: true, writable: true, value: row });
    }
    return [...rowNames];
  }

  const listRoutes = (method: string): readonly InputRoute[] =>
    service.routes.filter((route) => route.method === method);
  const postRequest = (route: InputRoute, body: string, type = FORM): InputRequest => ({
    method: 'POST',
    path: service.pathFor(route),
    headers: { ...service.credentials(route), 'content-type': type, accept: 'text/html' },
    body,
  });

  /** Reports whether a call's text is an address within its limit. The path and the whole URL have different limits. */
  const isAddress =
    ({ path }: InputRequest) =>
    ({ text }: SuspiciousCall): boolean =>
      text.length <= (text.includes('?') ? MAX_TARGET_LENGTH : MAX_PATH_LENGTH) && path.startsWith(text);

  /** Fails if `action` appends an event to the log. */
  async function expectNoEvent(name: string, action: () => Promise<void>): Promise<void> {
    const headBefore = service.running.log.head();
    await action();
    expect(service.running.log.head(), `${name} appended an event`).to.equal(headBefore);
  }

  it('is refused in a form field before any costly work', async () => {
    const coveredNames = new Set<string>();
    await service.recreate();
    for (const candidate of listRoutes('POST').filter((route) => !isProtocol(route))) {
      const rowNames = await findRowsReadDuring(FORM_FIELDS, () =>
        service.send(postRequest(candidate, encodeFields(service.validFields(candidate)))),
      );
      await service.recreate(); // Only the request with valid fields may have changed something.
      const validFields = service.validFields(candidate);
      for (const name of rowNames as readonly (keyof typeof FORM_FIELDS)[]) {
        coveredNames.add(name);
        const limit = FORM_FIELDS[name];
        const label = `${candidate.path} ${name}`;
        await expectNoEvent(label, async () => {
          for (const units of nextUnits()) {
            expect(
              (
                await sendChecked(
                  postRequest(candidate, encodeFields({ ...validFields, [name]: textBeyond(limit, units) })),
                  units,
                  limit,
                )
              ).status,
              label,
            ).to.be.within(400, 422);
          }
          const fieldsWithValidPrefix = encodeFields({
            ...validFields,
            [name]: `${validFields[name]}${' '.repeat(limit)}x`,
          });
          expect(
            (await sendChecked(postRequest(candidate, fieldsWithValidPrefix), [' '], limit)).status,
            `${label}, starting with a valid value`,
          ).to.be.within(400, 422);
        });
      }
      for (const units of nextUnits()) {
        await sendChecked(postRequest(candidate, encodeFields({ unknown: worstText(units) })), units, 0);
        await sendChecked(postRequest(candidate, encodeFields({ [worstText(units)]: 'x' })), units, 0);
      }
    }
    expect([...coveredNames]).to.have.members(Object.keys(FORM_FIELDS));
  });

  it('is refused in a query before any costly work', async () => {
    const coveredNames = new Set<string>();
    await service.recreate();
    for (const route of listRoutes('GET')) {
      const requestWith = (query: string): InputRequest => ({
        method: 'GET',
        path: `${service.pathFor(route)}?${query}`,
        headers: { ...service.credentials(route), accept: 'text/html' },
      });
      for (const name of (await findRowsReadDuring(QUERY_FIELDS, () =>
        service.send(requestWith(encodeFields(service.validQuery(route)))),
      )) as readonly (keyof typeof QUERY_FIELDS)[]) {
        coveredNames.add(name);
        const limit = QUERY_FIELDS[name];
        for (const units of nextUnits()) {
          for (const characters of [Math.min(limit + 1, 2_000), LONG_LENGTH]) {
            const request = requestWith(encodeFields({ [name]: worstText(units, characters) }));
            const { status } = await sendChecked(request, units, limit, isAddress(request));
            // 422 means that another field is missing.
            if (characters > limit) expect(status, `${route.path} ${name}`).to.be.oneOf([400, 422]);
          }
        }
      }
      for (const query of ['&'.repeat(16_000), 'a&'.repeat(8_000), 'a=&'.repeat(5_000)]) {
        const request = requestWith(query);
        await sendChecked(request, ['a&', '&', 'a=&'], 0, isAddress(request));
      }
    }
    expect([...coveredNames]).to.have.members(Object.keys(QUERY_FIELDS));
  });

  it('is refused in a path before any costly work', async () => {
    const coveredNames = new Set<string>();
    for (const candidate of service.routes.filter((route) => service.pathParameters(route).length > 0)) {
      await service.recreate();
      const body = candidate.method === 'POST' ? encodeFields(service.validFields(candidate)) : '';
      for (const name of service.pathParameters(candidate)) {
        coveredNames.add(name);
        for (const units of nextUnits()) {
          for (const characters of [PATH_PARAMETERS[name] + 1, LONG_LENGTH]) {
            const request = {
              method: candidate.method,
              path: service.pathFor(candidate, { [name]: worstText(units, characters) }),
              headers: { ...service.credentials(candidate), 'content-type': FORM },
              body,
            };
            const { status } = await sendChecked(request, units, PATH_PARAMETERS[name], isAddress(request));
            expect(status, `${candidate.path} ${name}`).to.be.oneOf(
              characters === LONG_LENGTH ? [400] : [400, 404, 405, 415], // 415: the management API accepts JSON only
            );
          }
        }
      }
    }
    expect([...coveredNames]).to.have.members(Object.keys(PATH_PARAMETERS));
  });

  it('is refused in a header before any costly work', async () => {
    await service.recreate();
    const headersCheckedByNode = ['content-length', 'transfer-encoding'];
    const limits = Object.entries(HEADERS).filter(([name]) => !headersCheckedByNode.includes(name));
    for (const [headerIndex, [name, limit]] of limits.entries()) {
      for (const route of service.routes.filter((_, index) => index % HEADER_STRIDE === headerIndex % HEADER_STRIDE)) {
        const headers = { ...service.credentials(route), [name]: 'x'.repeat(limit + 1) };
        expect(
          (await sendChecked({ method: route.method, path: service.pathFor(route), headers }, ['x'], limit)).status,
          `${route.path} ${name}`,
        ).to.equal(431);
      }
      for (const units of WORST_UNITS) {
        if (/[^\x20-\x7e]/.test(units.join(''))) continue;
        const headers = { [name]: `x${worstText(units)}x` };
        expect(
          (await sendChecked({ method: 'GET', path: '/accounts/login/', headers }, units, limit)).status,
          name,
        ).to.equal(431);
      }
    }
  });

  it('is refused in a protocol parameter before any costly work', async () => {
    const coveredNames = new Set<string>();
    for (const { path, grantType, names } of await findDescribedForms()) {
      const route = { method: 'POST', path: path.replace(/\/$/, '') } as const;
      await service.recreate();
      const validFields = grantType === undefined ? {} : await service.validParameters(grantType);
      const assertionParameters = AUTHENTICATING_ENDPOINTS.test(path) ? ASSERTION_PARAMETERS : [];
      for (const name of [...names, ...assertionParameters]) {
        coveredNames.add(name);
        const { max: limit } = PARAMETERS[name];
        await expectNoEvent(`${path} ${name}`, async () => {
          for (const units of nextUnits()) {
            const fields = { ...validFields, [name]: textBeyond(limit, units) };
            const responses = [
              await sendChecked(postRequest(route, encodeFields(fields)), units, limit),
              await sendChecked(
                postRequest(route, JSON.stringify(fields), JSON_TYPE),
                units,
                limit,
                ({ primitive }) => primitive === 'JSON.parse',
              ),
            ];
            const isAlwaysAccepted = name === 'token'; // the same status as for any invalid token
            for (const { status } of responses)
              expect(status, `${path} ${name}`).to.be.oneOf(isAlwaysAccepted ? [200] : [400, 401]);
          }
        });
      }
      if (grantType !== undefined)
        expect(
          (await service.send(postRequest(route, encodeFields(validFields)))).status,
          `${grantType} within the limits`,
        ).to.equal(200);
      for (const units of nextUnits())
        await sendChecked(
          postRequest(route, encodeFields({ unknown: worstText(units), [worstText(units)]: 'x' })),
          units,
          0,
        );
    }
    for (const name of await findAuthorizeParameters()) coveredNames.add(name);
    // The tests for userinfo and logout send excessive values for these.
    for (const name of ['access_token', 'post_logout_redirect_uri', 'logout_hint']) coveredNames.add(name);
    expect([...coveredNames]).to.have.members(Object.keys(PARAMETERS));
  });

  it('is refused in an authorization request before any costly work', async () => {
    await service.recreate();
    const route = { method: 'GET', path: '/o/authorize' } as const;
    const validFields = await service.validParameters();
    const requestWith = (fields: Readonly<Record<string, string>>): InputRequest => ({
      method: 'GET',
      path: `${service.pathFor(route)}?${encodeFields(fields)}`,
      headers: service.credentials(route),
    });
    expect((await service.send(requestWith(validFields))).status, 'within the limits').to.equal(200);
    for (const name of await findAuthorizeParameters()) {
      const { max: limit } = PARAMETERS[name];
      await expectNoEvent(name, async () => {
        for (const units of nextUnits()) {
          for (const characters of [limit + 1, LONG_LENGTH]) {
            const request = requestWith({ ...validFields, [name]: worstText(units, characters) });
            const { status, location } = await sendChecked(request, units, limit, isAddress(request));
            if (status !== 400)
              expect([status, new URL(location ?? '').searchParams.get('error')], name).to.deep.equal([
                302,
                PARAMETERS[name].refusal,
              ]);
          }
        }
      });
    }
  });

  async function fetchDescription(): Promise<ReturnType<typeof operationsOf>> {
    return operationsOf((await service.running.get('/openapi.json')).json as unknown as OpenApiDocument);
  }

  interface DescribedForm {
    readonly path: string;
    readonly grantType: string | undefined;
    readonly names: readonly ParameterName[];
  }

  /** Returns the parameters that the API description lists for protocol endpoints, separately for each grant type. */
  async function findDescribedForms(): Promise<readonly DescribedForm[]> {
    return (await fetchDescription())
      .filter((operation) => operation.method === 'POST' && isProtocol({ method: 'POST', path: operation.path }))
      .flatMap(({ path, requestBody }) => {
        const schema = requestBody?.content[FORM]?.schema ?? {};
        const variants = (schema['oneOf'] ?? [schema]) as readonly {
          readonly properties: Readonly<Record<string, { readonly const?: string }>>;
        }[];
        return variants.map(({ properties }) => ({
          path,
          grantType: properties['grant_type']?.const,
          // The server ignores token_type_hint.
          names: Object.keys(properties).filter((name) => name !== 'token_type_hint') as ParameterName[],
        }));
      });
  }

  async function findAuthorizeParameters(): Promise<readonly ParameterName[]> {
    const authorize = (await fetchDescription()).find(({ operationId }) => operationId === 'authorize');
    const refusedParameters = ['request', 'request_uri', 'registration'] as const;
    return [
      ...(authorize?.parameters ?? []).map(({ name }) => name as ParameterName),
      ...refusedParameters,
      'continuation',
    ];
  }
});
