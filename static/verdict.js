// Adds a button that verifies the contents of the page, and shows the verdict below it.
import { text } from './texts.js';

/** Runs one check, and returns its outcome. A check returns the reason if this browser cannot perform it. */
async function outcomeOf({ title, check }) {
  const step = text(title);
  try {
    const reason = await check();
    if (reason === undefined) return { is: 'good', words: text('verdict.yes', { step }) };
    return { is: 'warning', words: text('verdict.not-checked', { step, reason }) };
  } catch (error) {
    return { is: 'danger', words: text('verdict.no', { step, reason: error.message }) };
  }
}

function element(name, words, className = '') {
  const created = document.createElement(name);
  created.textContent = words;
  if (className !== '') created.className = className;
  return created;
}

async function verify(verdict, steps, verdicts) {
  const results = [];
  for (const step of steps) results.push(await outcomeOf(step));
  const worst = ['danger', 'warning', 'good'].find((is) => results.some((result) => result.is === is));
  const box = element('div', '', `notice notice--${worst}`);
  const list = element('ul', '');
  for (const { is, words } of results) {
    const item = element('li', words);
    item.dataset.result = is;
    list.append(item);
  }
  box.append(element('p', text(verdicts[worst]), 'notice__title'), list);
  box.dataset.verdict = worst;
  verdict.replaceChildren(box);
}

/**
 * Adds the button to the section.
 * @param stepsOf returns the checks with their titles; called for each click
 * @param verdicts the text for each outcome: good, warning, danger
 */
export function offer(section, stepsOf, verdicts) {
  const verdict = section.querySelector('#verdict');
  // Browsers offer the Web Cryptography API only over https and on localhost.
  if (globalThis.crypto?.subtle === undefined) {
    verdict.append(element('p', text('verdict.only-https'), 'meta'));
    return;
  }
  const button = element('button', text('verdict.verify'), 'button button--primary');
  button.type = 'button';
  button.addEventListener('click', () => {
    void verify(verdict, stepsOf(), verdicts);
  });
  const actions = element('div', '', 'actions');
  actions.append(button);
  verdict.before(actions);
}
