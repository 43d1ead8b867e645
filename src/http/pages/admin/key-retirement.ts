import { clientsOfKey } from '../../../audit/queries/clients-of-key.ts';
import { isOnlySigner, keyInUse, signingKeyStatus } from '../../../domain/signing-keys.ts';
import type { EpochSeconds } from '../../../domain/values.ts';
import { message, type Text } from '../../../language/message.ts';
import type { KeyRotation } from '../../../oauth/signing/key-rotation.ts';
import type { Clients } from '../../../projections/clients.ts';
import type { SigningKey, SigningKeys } from '../../../projections/signing-keys.ts';
import { noLongerExistsError } from '../../pipeline/page-error.ts';
import { pathParameter } from '../../pipeline/path-parameter.ts';
import type { ResubmissionGuard } from '../../pipeline/resubmission-guard.ts';
import { actingUser } from '../../pipeline/require-role.ts';
import type { RequestContext } from '../../pipeline/state.ts';
import { userCommandContext } from '../../pipeline/user-command-context.ts';
import { formatApplicationNames } from '../ending-access.ts';
import { pageContextFor } from '../page-context.ts';
import type { PageRouter } from '../page-router.ts';
import { sendPage } from '../send-page.ts';
import { administratorTimeZone, keyVersion, shortKeyId } from './key-texts.ts';
import type { AdminConfirmLocals, AdminPages, ActionFact } from './locals.ts';

export interface KeyRetirementDeps {
  readonly projections: {
    readonly signingKeys: Pick<SigningKeys, 'all' | 'find' | 'published'>;
    readonly clients: Pick<Clients, 'find'>;
  };
  readonly keyRotation: Pick<KeyRotation, 'retire'>;
  readonly resubmissionGuard: ResubmissionGuard;
  readonly pages: Pick<AdminPages, 'adminConfirm'>;
  readonly now: () => EpochSeconds;
}

const PAGE_PATH = '/admin/keys/';

/** The notice after a retirement names up to this many applications and only counts the others. */
const MAX_NAMES = 5;

type Question = Pick<AdminConfirmLocals, 'text' | 'button' | 'action' | 'hidden' | 'tone'>;

/** Adds the page that asks for confirmation before a signing key is retired early, and the route that retires it. */
export function addKeyRetirement(router: PageRouter, deps: KeyRetirementDeps): void {
  const { keyRotation, resubmissionGuard, pages, now } = deps;
  const { signingKeys: keys, clients } = deps.projections;
  const title = message('keys-page.title');

  /** @throws PageError 404 if the key does not exist or has been retired */
  function requireKey(ctx: RequestContext): SigningKey {
    const key = keys.find(pathParameter(ctx, 'key'));
    if (key === undefined || key.retired !== null) throw noLongerExistsError(title);
    return key;
  }

  /** Names the applications whose tokens would become invalid, and says when the last of those tokens would expire. */
  function invalidationFacts(ctx: RequestContext, key: SigningKey): readonly ActionFact[] {
    const affectedClients = clientsOfKey(key, clients, now());
    if (affectedClients.length === 0)
      return [{ title: message('retire-key.ends'), text: message('keys-page.no-tokens') }];
    const clientIds = affectedClients.map(({ clientId }) => clientId);
    const until = Math.max(...affectedClients.map((client) => client.until)) as EpochSeconds;
    return [
      { title: message('retire-key.ends'), text: formatApplicationNames(clientIds, { clients }) },
      {
        title: message('keys-page.valid-until'),
        text: message('retire-key.time', { time: { at: until, timeZone: administratorTimeZone(ctx) } }),
      },
    ];
  }

  /** Describes the key that will sign once this key is retired: its id and current status. */
  function successorText({ kid, algorithm }: SigningKey): Text {
    const otherKeys = keys.published().filter((key) => key.kid !== kid);
    const successor = keyInUse(otherKeys, algorithm, now());
    if (successor === undefined) return message('list.none');
    const status = signingKeyStatus(successor, keys.published(), now());
    return message('retire-key.successor-status', { kid: successor.kid, status });
  }

  /** Reports whether the key has never signed a token and its signing period has not begun. */
  function isUnused(key: SigningKey): boolean {
    return key.lastExpiry.size === 0 && signingKeyStatus(key, keys.published(), now()) === 'next';
  }

  /** Returns the content of the page for a key that cannot be retired yet, with a button to introduce a successor. */
  function successorQuestion({ algorithm }: SigningKey): Question {
    return {
      text: [message('retire-key.only-signer', { algorithm })],
      button: message('retire-key.introduce', { algorithm }),
      action: `${PAGE_PATH}rotate/`,
      hidden: { form_id: resubmissionGuard.mintId(keyVersion(keys)), key_algorithm: algorithm, key_start: 'now' },
      tone: 'primary',
    };
  }

  router.get('/keys/:key/retire', (ctx) => {
    const key = requireKey(ctx);
    const isOnlySigningKey = isOnlySigner(key, keys.published(), now());
    sendPage(
      ctx,
      pages.adminConfirm({
        ...pageContextFor(ctx, actingUser(ctx)),
        trail: [{ href: PAGE_PATH, text: title }],
        title: message('retire-key.title', { kid: shortKeyId(key) }),
        facts: [
          { title: message('keys-page.id'), text: key.kid },
          { title: message('keys-page.algorithm'), text: key.algorithm },
          ...invalidationFacts(ctx, key),
          { title: message('retire-key.successor'), text: successorText(key) },
        ],
        back: PAGE_PATH,
        ...(isOnlySigningKey ? successorQuestion(key) : retirementQuestion(key, isUnused(key))),
      }),
    );
  });

  router.post('/keys/:key/retire', async (ctx) => {
    const key = requireKey(ctx);
    const clientIds = clientsOfKey(key, clients, now()).map(({ clientId }) => clientId);
    const applications = formatApplicationNames(clientIds, { clients }, MAX_NAMES);
    const refusal = await keyRotation.retire(key.kid, now(), userCommandContext(ctx, actingUser(ctx)));
    if (refusal === 'key-in-use') return ctx.redirect(`${PAGE_PATH}${key.kid}/retire/`);
    if (refusal !== undefined) throw noLongerExistsError(title);
    ctx.state.webSession.flash(
      clientIds.length === 0
        ? message('retire-key.done', { kid: shortKeyId(key) })
        : message('retire-key.done-with-tokens', { kid: shortKeyId(key), applications }),
    );
    ctx.redirect(PAGE_PATH);
  });
}

function retirementQuestion({ kid }: SigningKey, isUnused: boolean): Question {
  return {
    text: isUnused
      ? [message('retire-key.unused')]
      : [message('retire-key.text'), message('retire-key.tokens'), message('retire-key.otherwise')],
    button: message('retire-key.button'),
    action: `${PAGE_PATH}${kid}/retire/`,
  };
}
