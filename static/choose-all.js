// Shows a checkbox that ticks every row of the list above it. The pages work without this script.
'use strict';

for (const choice of document.querySelectorAll('[data-choose-all]')) {
  const all = choice.querySelector('input');
  const rows = [...choice.closest('form').querySelectorAll('tbody input[type=checkbox]')];
  const updateAll = () => {
    const ticked = rows.filter((row) => row.checked).length;
    all.checked = ticked === rows.length;
    all.indeterminate = ticked > 0 && ticked < rows.length;
  };
  choice.hidden = false;
  all.addEventListener('change', () => {
    for (const row of rows) row.checked = all.checked;
  });
  for (const row of rows) row.addEventListener('change', updateAll);
  window.addEventListener('pageshow', updateAll);
}
