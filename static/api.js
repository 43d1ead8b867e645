// Filters the operations of the API reference, opens the group or operation that the fragment of the address
// identifies, and keeps the address up to date. The page works without this script.
'use strict';

(() => {
  const groups = [...document.querySelectorAll('details.group')];
  const initiallyOpen = groups.filter((group) => group.open);
  const operations = [...document.querySelectorAll('details.operation')];
  const toolbar = document.querySelector('[data-filter]');
  const input = document.querySelector('#filter');
  const status = toolbar?.querySelector('[role=status]');

  function filter() {
    const term = input.value.trim().toLowerCase();
    let shownCount = 0;
    for (const operation of operations) {
      operation.hidden = term !== '' && !operation.textContent.toLowerCase().includes(term);
      if (!operation.hidden) shownCount += 1;
    }
    for (const group of groups) {
      const hasMatch = group.querySelector('details.operation:not([hidden])') !== null;
      group.hidden = term !== '' && !hasMatch;
      group.open = term === '' ? initiallyOpen.includes(group) : hasMatch;
    }
    status.textContent = term === '' ? '' : status.dataset.found.replace('#', String(shownCount));
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let ancestor = target?.closest('details'); ancestor; ancestor = ancestor.parentElement.closest('details')) {
      ancestor.open = true;
    }
    if (target !== null) target.scrollIntoView();
  }

  if (toolbar !== null) {
    toolbar.hidden = false;
    input.addEventListener('input', filter);
  }
  for (const operation of operations) {
    operation.addEventListener('toggle', () => {
      if (operation.open && operation.id !== '') history.replaceState(null, '', `#${operation.id}`);
    });
  }
  window.addEventListener('hashchange', openTarget);
  openTarget();
})();
