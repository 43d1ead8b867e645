// The keys that the requests of an application need: its private key, and a key for proofs (DPoP). They do not leave
// this page, except in the storage of the tab while the user is on the consent page: see hand-over.js.
import { assertion, createProver, generateKeyPair, readPrivateKey, requestObject } from './signing.js';
import { text } from './texts.js';

export class Signer {
  #panel;
  #field;
  #applicationPath;
  #key;
  #prover;
  #nonce;

  constructor(panel, applicationPath) {
    this.#panel = panel;
    this.#field = panel.querySelector('[data-private-key]');
    this.#applicationPath = applicationPath;
  }

  /** If the application needs a private key, shows its field, with the key from an earlier page if there is one. */
  start(privateKey) {
    if (this.#field === null) return;
    const input = this.#input;
    input.value = privateKey ?? '';
    input.addEventListener('input', () => {
      this.#key = undefined;
    });
    this.#field.querySelector('[data-make-key]')?.addEventListener('click', () => void this.#offerNewKey());
    this.#field.hidden = false;
  }

  get #input() {
    return this.#field.querySelector('textarea');
  }

  /** The text of the private key; undefined if the field has no key. */
  get privateKey() {
    return (this.#field && this.#input.value.trim()) || undefined;
  }

  focus() {
    this.#field?.querySelector('textarea').focus();
  }

  /** The server's time, because the server would refuse a JWT with the time of a wrong clock. */
  get #now() {
    return Number(this.#panel.dataset.now) + Math.floor(performance.now() / 1000);
  }

  get #parameters() {
    const { clientId, issuer } = this.#panel.dataset;
    return { clientId, issuer, now: this.#now };
  }

  /** @returns whether there is a private key that can sign */
  async isReady() {
    const { rsaAlgorithm } = this.#panel.dataset;
    if (this.privateKey !== undefined) this.#key ??= await readPrivateKey(this.privateKey, rsaAlgorithm);
    return this.#key !== undefined;
  }

  assertion() {
    return assertion(this.#key, this.#parameters);
  }

  requestObject(parameters) {
    return requestObject(this.#key, parameters, this.#parameters);
  }

  /** Signs a proof for a request, with a key that is created for the first proof on this page. */
  async proof({ url, form, bearer }) {
    this.#prover ??= await createProver();
    const method = form === null ? 'GET' : 'POST';
    return this.#prover({ method, url, accessToken: bearer ?? undefined, nonce: this.#nonce, now: this.#now });
  }

  /**
   * Stores the nonce of a response for the next proof.
   * @returns whether the request was refused because it had no nonce, and can be repeated
   */
  storeNonce({ response, json }) {
    this.#nonce = response.headers.get('DPoP-Nonce') ?? this.#nonce;
    const challenge = response.headers.get('WWW-Authenticate') ?? '';
    return json?.error === 'use_dpop_nonce' || challenge.includes('use_dpop_nonce');
  }

  /** Creates a key pair, registers its public half, and shows the private half, which is not sent to the server. */
  async #offerNewKey() {
    const status = this.#field.querySelector('[role=status]');
    const button = this.#field.querySelector('[data-make-key]');
    button.disabled = true;
    try {
      const { privateJwk, publicJwk } = await generateKeyPair();
      const response = await fetch(`${this.#applicationPath}keys/`, {
        method: 'POST',
        body: new URLSearchParams({ csrf_token: button.dataset.csrf, client_keys: JSON.stringify(publicJwk) }),
      });
      if (!response.ok) throw new Error(`the server responded with ${response.status}`);
      this.#input.value = JSON.stringify(privateJwk);
      this.#key = undefined;
      status.textContent = text('running.key-registered', { key: publicJwk.kid });
    } catch {
      status.textContent = text('running.key-not-registered');
    }
    button.disabled = false;
    this.focus();
  }
}
