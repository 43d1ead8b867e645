import { isLastAuditor } from '../../../domain/roles.ts';
import type { CommandContext } from '../../../event-store/command-handler.ts';
import { message, type Text } from '../../../language/message.ts';
import type { User } from '../../../projections/users.ts';
import { endingAccessFacts } from '../ending-access.ts';
import { erasureNote } from '../erasure-note.ts';
import { otherAdministratorsFact, userFacts } from './removal-facts.ts';
import type { ActionFact } from './locals.ts';
import type { AdminUserDeps } from './users.ts';

/** The texts of the confirmation page, and the notice shown after the action. */
interface Question {
  readonly title: Text;
  readonly text: readonly Text[];
  readonly facts: readonly ActionFact[];
  readonly button: Text;
  readonly notice: Text;
}

/** An action on an account that needs confirmation. */
export interface ConfirmedAction {
  readonly name: 'disable' | 'erase' | 'remove_second_factors' | 'sign_out';
  readonly question: (account: User) => Question;
  /** Returns the question for administrators who act on their own account. */
  readonly ownQuestion: (account: User) => Question;
  /** Whether the user name must be typed, because the action cannot be undone. */
  readonly requiresTypedName?: true;
  readonly run: (account: User, context: CommandContext) => Promise<unknown>;
  /**
   * Returns a string that differs after each run, to detect a form that is submitted twice. Absent if an immediate
   * repetition of the action has no effect.
   */
  readonly lastRun?: (account: User) => string;
  /** Reports whether the action would change anything. */
  readonly isNeeded?: (account: User) => boolean;
}

export function confirmedActions(deps: AdminUserDeps): readonly ConfirmedAction[] {
  return [disableAction(deps), eraseAction(deps), removeFactorsAction(deps), logoutAction(deps)];
}

function disableAction(deps: AdminUserDeps): ConfirmedAction {
  return {
    name: 'disable',
    question: (account) => ({
      title: message('disable-user.title', { username: account.username }),
      text: [message('disable-user.text'), message('disable-user.applications'), ...warnings(account, deps)],
      facts: userFacts(account, deps),
      button: message('disable-user.button'),
      notice: message('disable-user.done', { username: account.username }),
    }),
    ownQuestion: (account) => ({
      title: message('disable-own.title'),
      text: [
        message('user.own'),
        message('disable-own.text'),
        message('disable-own.applications'),
        ...warnings(account, deps),
      ],
      facts: [otherAdministratorsFact(account, deps), ...userFacts(account, deps)],
      button: message('disable-own.button'),
      notice: message('disable-own.done'),
    }),
    run: deps.accounts.disable,
  };
}

function eraseAction(deps: AdminUserDeps): ConfirmedAction {
  const keyNotes = (whose: 'yours' | 'theirs'): readonly Text[] => {
    const keyNote = erasureNote(deps.settings, whose);
    return keyNote === undefined ? [] : [keyNote];
  };
  return {
    name: 'erase',
    question: (account) => ({
      title: message('erase-user.title', { username: account.username }),
      text: [
        message('erase-user.text'),
        ...keyNotes('theirs'),
        message('erase-user.applications'),
        ...warnings(account, deps),
        message('erase-user.final'),
      ],
      facts: userFacts(account, deps),
      button: message('erase-user.button'),
      notice: message('erase-user.done', { username: account.username }),
    }),
    ownQuestion: (account) => ({
      title: message('erase-own.title'),
      text: [
        message('user.own'),
        message('erase-own.text'),
        ...keyNotes('yours'),
        message('erase-own.applications'),
        ...warnings(account, deps),
        message('erase-user.final'),
      ],
      facts: userFacts(account, deps),
      button: message('erase.button'),
      notice: message('erase.done'),
    }),
    requiresTypedName: true,
    run: deps.accounts.erase,
  };
}

function removeFactorsAction(deps: AdminUserDeps): ConfirmedAction {
  return {
    name: 'remove_second_factors',
    question: ({ userId, username }) => ({
      title: message('remove-factors.title', { username }),
      text: [message('remove-factors.text'), message('ending-access.rule'), message('remove-factors.caution')],
      facts: endingAccessFacts([userId], deps),
      button: message('remove-factors.button'),
      notice: message('remove-factors.done', { username }),
    }),
    ownQuestion: ({ userId }) => ({
      title: message('remove-own-factors.title'),
      text: [message('user.own'), message('remove-own-factors.text'), message('ending-access.rule')],
      facts: endingAccessFacts([userId], deps),
      button: message('remove-factors.button'),
      notice: message('remove-own-factors.done'),
    }),
    run: (account, context) => deps.secondFactorChanges.removeAll(account, 'lost', context),
  };
}

function logoutAction(deps: AdminUserDeps): ConfirmedAction {
  const { accounts, loginSessions, now } = deps;
  return {
    name: 'sign_out',
    question: ({ userId, username }) => ({
      title: message('logout-user.title', { username }),
      text: [message('logout-user.text'), message('ending-access.rule')],
      facts: endingAccessFacts([userId], deps),
      button: message('user.logout-everywhere'),
      notice: message('logout-user.done', { username }),
    }),
    ownQuestion: ({ userId }) => ({
      title: message('logout-own.title'),
      text: [message('user.own'), message('logout-own.text'), message('ending-access.rule')],
      facts: endingAccessFacts([userId], deps),
      button: message('user.logout-everywhere'),
      notice: message('logout-own.done'),
    }),
    run: accounts.logOutEverywhere,
    lastRun: ({ userId }) => String(loginSessions.lastEndPosition(userId) ?? 'never'),
    isNeeded: ({ userId }) => loginSessions.listByUser(userId, now()).length > 0,
  };
}

function warnings(account: User, { users }: AdminUserDeps): readonly Text[] {
  return isLastAuditor(account, users.all()) ? [message('user.last-auditor')] : [];
}
