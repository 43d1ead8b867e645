// A button that verifies the contents of the page, and the verdict below it.

/** The outcome of one check. A check returns the reason if this browser cannot perform it. */
async function outcomeOf(check) {
  try {
    const unknown = await check();
    return unknown === undefined ? { is: 'good', words: 'yes' } : { is: 'warning', words: `not checked: ${unknown}` };
  } catch (error) {
    return { is: 'danger', words: `no: ${error.message}` };
  }
}

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

async function verify(verdict, steps, verdicts) {
  const results = [];
  for (const { title, check } of steps) results.push({ title, ...(await outcomeOf(check)) });
  const worst = ['danger', 'warning', 'good'].find((is) => results.some((result) => result.is === is));
  const box = element('div', '', `notice notice--${worst}`);
  const list = element('ul', '');
  for (const { title, is, words } of results) {
    const item = element('li', `${title}: ${words}`);
    item.dataset.result = is;
    list.append(item);
  }
  box.append(element('p', verdicts[worst], 'notice__title'), list);
  box.dataset.verdict = worst;
  verdict.replaceChildren(box);
}

/**
 * Adds the button to the section.
 * @param stepsOf returns the checks; called for each click
 * @param verdicts the title for each outcome: good, warning, danger
 */
export function offer(section, stepsOf, verdicts) {
  const verdict = section.querySelector('#verdict');
  // Browsers offer the Web Cryptography API only over https and on localhost.
  if (globalThis.crypto?.subtle === undefined) {
    verdict.append(
      element(
        'p',
        'Browsers can verify this only over https or on localhost. See below how to verify independently.',
        'meta',
      ),
    );
    return;
  }
  const button = element('button', 'Verify in this browser', 'button button--primary');
  button.type = 'button';
  button.addEventListener('click', () => {
    void verify(verdict, stepsOf(), verdicts);
  });
  const actions = element('div', '', 'actions');
  actions.append(button);
  verdict.before(actions);
}
