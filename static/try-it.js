// Fills in the example requests and runs them. Values from responses do not leave this page, and a reload forgets them.
// Only while the user is on the consent page are values in the storage of the tab: see hand-over.js.
import { handOver, takeOver } from './hand-over.js';
import { HOW_TO_GET, isCredential, PLACEHOLDER, PLACEHOLDERS, recognize, toTemplate } from './placeholders.js';
import { element, explanationOf, meaningOf, report, send, showResult } from './run-request.js';
import { listOf, text } from './texts.js';
import { Signer } from './try-it-signer.js';

const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
/** The placeholders for JWTs that the application's private key signs. */
const SIGNED = ['CLIENT_ASSERTION', 'REQUEST_OBJECT'];
/** Browsers sign only over https and on localhost. */
const canProve = () => globalThis.crypto?.subtle !== undefined;
const randomValue = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

class TryIt {
  #panel;
  #clientId;
  #applicationPath;
  #templates = new Map();
  #links = new Map();
  #values;
  #tokens;
  #signer;

  constructor(panel) {
    const { clientId, verifier, challenge, state, nonce, username } = panel.dataset;
    this.#panel = panel;
    this.#clientId = clientId;
    this.#applicationPath = `/o/applications/${encodeURIComponent(clientId)}/`;
    this.#signer = new Signer(panel, this.#applicationPath);
    this.#values = {
      CODE_VERIFIER: verifier,
      CODE_CHALLENGE: challenge,
      STATE_VALUE: state,
      NONCE_VALUE: nonce,
      USERNAME: username,
    };
    for (const example of panel.querySelectorAll('[data-example]')) this.#readTemplate(example, panel.dataset);
    for (const link of panel.querySelectorAll('[data-authorize]'))
      this.#links.set(link, toTemplate(link.getAttribute('href'), panel.dataset));
  }

  start() {
    const { CLIENT_SECRET, PRIVATE_KEY, ...request } = takeOver(this.#clientId);
    this.#values.CLIENT_SECRET = CLIENT_SECRET;
    this.#signer.start(PRIVATE_KEY);
    this.#offerSecret();
    this.#offerToRun();
    this.#offerLanguages();
    this.#offerToFillIn();
    this.#offerToAuthorize();
    this.#handleResponse(request);
    this.#show();
  }

  #find(name, within = this.#panel) {
    return within.querySelector(`[data-${name}]`);
  }

  #readTemplate(example, dataset, source = example) {
    const code = source.querySelector('[data-copy]').textContent;
    this.#templates.set(example.querySelector('[data-copy]'), toTemplate(code, dataset));
  }

  #show() {
    for (const [code, template] of this.#templates)
      code.textContent = template.replaceAll(PLACEHOLDER, (name) => {
        const value = this.#values[name];
        return name !== 'PASSWORD' && isCredential(value) ? value : name;
      });
    for (const [link, template] of this.#links)
      link.setAttribute(
        'href',
        template.replaceAll(PLACEHOLDER, (name) => this.#values[name] ?? name),
      );
  }

  /** Handles the response to an authorization request on the built-in callback page. */
  #handleResponse({ CODE_VERIFIER, STATE_VALUE, NONCE_VALUE }) {
    const response = globalThis.receivedResponse;
    const container = this.#find('arrival');
    if (response === undefined || container === null || !(response.has('code') || response.has('error'))) return;
    const problem = this.#arrivalProblem(response, STATE_VALUE);
    container.hidden = false;
    container.className = problem === undefined ? 'verdict-good' : 'verdict-bad';
    container.textContent = problem ?? text('running.state-matches');
    if (globalThis.signedResponse) void this.#explainSigned(globalThis.signedResponse, container);
    if (problem !== undefined) {
      delete this.#values.CODE_VERIFIER;
      if (!this.#isOwnError(response, STATE_VALUE)) offerNewStart();
      return;
    }
    this.#values.CODE = response.get('code') ?? undefined;
    this.#setRequest({ CODE_VERIFIER, STATE_VALUE, NONCE_VALUE });
    this.#panel.querySelector('[data-example=exchange] [data-run]')?.focus();
  }

  /** Explains the claims and the signature of a response in a JWT (JARM). */
  async #explainSigned(jwt, container) {
    const panel = await this.#tokenPanel();
    if (panel !== undefined) container.after(await panel.explainResponse(jwt));
  }

  /** Sets the values that belong to one authorization request. */
  #setRequest(values) {
    Object.assign(this.#values, values);
    const tokens = this.#find('tokens');
    if (tokens !== null) tokens.dataset.nonce = values.NONCE_VALUE;
  }

  /** Reports whether the server sent this error as the response to the request from this tab. */
  #isOwnError(response, state) {
    return (
      response.has('error') && response.get('state') === state && response.get('iss') === this.#panel.dataset.issuer
    );
  }

  #arrivalProblem(response, state) {
    if (state === undefined) return text('running.no-request');
    if (response.get('state') !== state) return text('running.other-state');
    if (response.get('iss') !== this.#panel.dataset.issuer) return text('running.other-issuer');
    return response.has('error') ? (response.get('error_description') ?? response.get('error')) : undefined;
  }

  #offerSecret() {
    const field = this.#find('secret');
    if (field === null || this.#values.CLIENT_SECRET !== undefined) return;
    const input = field.querySelector('input');
    input.addEventListener('input', () => {
      this.#values.CLIENT_SECRET = input.value.trim() || undefined;
      this.#show();
    });
    field.hidden = false;
  }

  #offerToRun() {
    for (const input of this.#panel.querySelectorAll('[data-value]')) {
      input.value = this.#values[input.dataset.value] ?? '';
      input.addEventListener('input', () => {
        this.#values[input.dataset.value] = input.value;
        this.#show();
      });
      input.closest('[data-values]').hidden = false;
    }
    for (const example of this.#panel.querySelectorAll('[data-request]')) {
      const button = this.#find('run', example);
      button.addEventListener('click', () => void this.#run(example, button));
      button.hidden = false;
    }
  }

  async #run(example, button) {
    const container = this.#find('result', example);
    if (example.dataset.example.startsWith('push')) await this.#renew();
    button.disabled = true;
    try {
      const missing = await this.#firstMissing(placeholdersIn(JSON.parse(example.dataset.request)));
      if (missing === undefined) await this.#showResponse(example, await this.#send(example), container);
      else this.#askFor(missing, example, container);
    } catch {
      report(container, text('running.no-answer'));
    }
    button.disabled = false;
    const focused = document.activeElement;
    if (focused === null || focused === document.body) button.focus(); // a disabled button loses the focus
  }

  /**
   * Sends the request. If it is refused because it has no nonce, it is sent again with new JWTs, because each works
   * once.
   */
  async #send(example) {
    const result = await send(await this.#complete(example));
    return this.#signer.storeNonce(result) ? send(await this.#complete(example)) : result;
  }

  /** Returns the first name whose value this page does not have. */
  async #firstMissing(names) {
    const canSign = SIGNED.some((name) => names.includes(name)) && (await this.#signer.isReady());
    return names.find((name) =>
      name === 'DPOP_PROOF' ? !canProve() : SIGNED.includes(name) ? !canSign : !this.#values[name],
    );
  }

  /** Returns the request with all values filled in, including signed JWTs. */
  async #complete({ dataset }) {
    const request = JSON.parse(toTemplate(dataset.request, this.#panel.dataset));
    const values = { ...this.#values };
    const fields = (request.form ?? []).map(([, value]) => value);
    if (fields.includes('CLIENT_ASSERTION')) values.CLIENT_ASSERTION = await this.#signer.assertion();
    if (fields.includes('REQUEST_OBJECT')) values.REQUEST_OBJECT = await this.#requestObject(dataset.claims);
    const filledIn = (value) => (Object.hasOwn(PLACEHOLDERS, value) ? values[value] : value);
    const { form, basic, bearer, proof } = request;
    const complete = {
      ...request,
      form: form && form.map(([name, value]) => [name, filledIn(value)]),
      basic: basic && { ...basic, clientSecret: filledIn(basic.clientSecret) },
      bearer: bearer && filledIn(bearer),
    };
    return { ...complete, proof: proof && (await this.#signer.proof(complete)) };
  }

  #requestObject(claims) {
    const template = toTemplate(claims, this.#panel.dataset);
    return this.#signer.requestObject(JSON.parse(template.replaceAll(PLACEHOLDER, (name) => this.#values[name])));
  }

  #askFor(name, example, container) {
    const advice = HOW_TO_GET[name];
    report(container, advice ? text(advice) : text('running.missing', { name: text(PLACEHOLDERS[name]) }));
    const field = this.#find('secret');
    if (SIGNED.includes(name)) this.#signer.focus();
    else if (name === 'CLIENT_SECRET' && field !== null) {
      field.hidden = false;
      field.querySelector('input').focus();
    } else example.querySelector(`[data-value=${name}]`)?.focus();
  }

  async #showResponse(example, result, container) {
    const { response, body, json } = result;
    const { example: id } = example.dataset;
    if (!response.ok) {
      const explanation = await explanationOf(response, this.#applicationPath);
      showResult(container, result, meaningOf(id, result), explanation);
      return;
    }
    if (json?.device_code) {
      this.#receiveCodes(example, result, container);
      return;
    }
    if (json?.request_uri) this.#values.REQUEST_URI = json.request_uri;
    this.#show();
    const more = id === 'userinfo' ? await (await this.#tokenPanel())?.explainUserinfo(body) : [];
    showResult(container, result, meaningOf(id, result), more ?? []);
    if (json?.access_token) await this.#receive(json);
  }

  /** Shows the codes of a device, with the address for its user. */
  #receiveCodes(example, result, container) {
    const { device_code, verification_uri_complete } = result.json;
    this.#values.DEVICE_CODE = device_code;
    this.#show();
    const { pathname, search } = new URL(verification_uri_complete);
    const attributes = { class: 'button', href: pathname + search, target: '_blank', rel: 'noopener' };
    const link = element('a', attributes, text('running.open-for-user'));
    showResult(container, result, meaningOf(example.dataset.example, result), [link]);
  }

  async #receive({ access_token, refresh_token, id_token, scope }) {
    this.#offerUserinfo(scope);
    this.#values.ACCESS_TOKEN = access_token;
    if (refresh_token) this.#values.REFRESH_TOKEN = refresh_token;
    this.#show();
    await (await this.#tokenPanel())?.showTokens({ idToken: id_token, accessToken: access_token });
  }

  /** Shows the userinfo example only if the token has the scope `openid`, which userinfo requires. */
  #offerUserinfo(scope = '') {
    const example = this.#panel.querySelector('[data-example=userinfo]');
    if (example !== null) example.hidden = !scope.split(' ').includes('openid');
  }

  /** The panel of tokens, whose script is loaded with the first token, because most visits to the page get none. */
  async #tokenPanel() {
    const panel = this.#find('tokens');
    if (panel !== null && this.#tokens === undefined) {
      const { createTokenPanel } = await import(panel.dataset.script);
      this.#tokens = createTokenPanel(panel);
    }
    return this.#tokens;
  }

  /** Changes the language without leaving the page, so that the values are kept. */
  #offerLanguages() {
    for (const link of this.#find('languages')?.querySelectorAll('a') ?? [])
      link.addEventListener('click', (event) => {
        event.preventDefault();
        this.#changeLanguage(link).catch(() => location.assign(link.href));
      });
  }

  async #changeLanguage(link) {
    const address = new URL(link.href);
    const hasCode = this.#find('arrival') !== null && this.#panel.querySelector('[data-example=exchange]') !== null;
    if (hasCode) address.searchParams.set('code', 'CODE'); // selects the page with the requests that follow a code
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/html');
    const otherPanel = page.querySelector('[data-try-it]');
    for (const example of this.#panel.querySelectorAll('[data-example]')) {
      const source = otherPanel.querySelector(`[data-example="${CSS.escape(example.dataset.example)}"]`);
      this.#readTemplate(example, otherPanel.dataset, source);
    }
    this.#find('usage').textContent = this.#find('usage', otherPanel).textContent;
    this.#find('languages').querySelector('[aria-current]')?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    this.#show();
  }

  #offerToFillIn() {
    const details = this.#find('fill-in');
    const input = details.querySelector('input');
    input.addEventListener('input', () => {
      details.querySelector('[role=status]').textContent = input.value.trim() === '' ? '' : this.#fillIn(input.value);
    });
    input.addEventListener('focus', () => input.select()); // so that pasting replaces the previous text
    details.hidden = false;
  }

  /** @returns a message for the user */
  #fillIn(pasted) {
    const { state, error, idToken, ...values } = recognize(pasted);
    if (error) return text('running.pasted-error', { error });
    if (state !== undefined && state !== this.#values.STATE_VALUE) return text('running.pasted-other-state');
    const placeholders = [...this.#templates.values()].join(' ').match(PLACEHOLDER) ?? [];
    const usable = Object.entries(values).filter(([name, value]) => placeholders.includes(name) && isCredential(value));
    if (typeof idToken === 'string')
      void this.#tokenPanel().then((panel) => panel?.showTokens({ idToken, accessToken: values.ACCESS_TOKEN }));
    if (usable.length === 0) return text('running.nothing-to-fill-in');
    Object.assign(this.#values, Object.fromEntries(usable));
    this.#show();
    const names = usable.map(([name]) => text(PLACEHOLDERS[name]));
    if (names.length === 1) return text('running.one-filled-in', { name: names[0] });
    return text('running.several-filled-in', { names: listOf(names) });
  }

  /** Each authorization request gets its own verifier, state and nonce (RFC 7636 §4.1). */
  #offerToAuthorize() {
    for (const link of this.#links.keys()) {
      link.hidden = false;
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        void this.#authorize(link);
      });
    }
  }

  async #authorize(link) {
    const template = this.#links.get(link);
    const example = link.closest('[data-example]');
    const isPushed = template.includes('REQUEST_URI');
    if (!isPushed) await this.#renew();
    const missing =
      isPushed || template.includes('REQUEST_OBJECT')
        ? await this.#firstMissing(template.match(PLACEHOLDER))
        : undefined;
    if (missing !== undefined) return this.#askFor(missing, example, this.#find('result', example));
    if (template.includes('REQUEST_OBJECT')) {
      const request = await this.#requestObject(example.dataset.claims);
      link.setAttribute('href', template.replace('REQUEST_OBJECT', request));
    }
    if (!('sameTab' in link.dataset)) {
      open(link.href, '_blank', 'noopener');
      return;
    }
    const { CODE_VERIFIER, STATE_VALUE, NONCE_VALUE, CLIENT_SECRET } = this.#values;
    const PRIVATE_KEY = this.#signer.privateKey;
    handOver(this.#clientId, { CODE_VERIFIER, STATE_VALUE, NONCE_VALUE, CLIENT_SECRET, PRIVATE_KEY });
    location.assign(link.href);
  }

  async #renew() {
    if (globalThis.crypto?.subtle === undefined) return; // browsers offer it only over https and on localhost
    const verifier = randomValue();
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const isPlain = this.#panel.dataset.method === 'plain';
    delete this.#values.CODE;
    this.#setRequest({
      CODE_VERIFIER: verifier,
      CODE_CHALLENGE: isPlain ? verifier : base64url(new Uint8Array(digest)),
      STATE_VALUE: randomValue(),
      NONCE_VALUE: randomValue(),
    });
    this.#show();
  }
}

/** Returns the placeholders in an ExampleRequest. */
const placeholdersIn = ({ form, basic, bearer, proof }) =>
  [...(form ?? []).map(([, value]) => value), basic?.clientSecret, bearer, proof].filter((value) =>
    Object.hasOwn(PLACEHOLDERS, value ?? ''),
  );

/** Hides the parts of the page that need a usable response, and shows how to start again. */
function offerNewStart() {
  for (const part of document.querySelectorAll('[data-usable]')) part.hidden = true;
  for (const part of document.querySelectorAll('[data-unusable]')) part.hidden = false;
}

for (const panel of document.querySelectorAll('[data-try-it]')) new TryIt(panel).start();
