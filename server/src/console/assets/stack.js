// Names each cell of a table by its column, so that a phone shows one line for each cell (`console.css`).
(() => {
  function nameCells() {
    for (const table of document.querySelectorAll('.scroll table:not(.cards, .stack)')) {
      const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
      table.classList.add('stack');
      for (const row of table.tBodies[0].rows) {
        for (const cell of row.cells) if (cell.colSpan === 1) cell.dataset.label = titles[cell.cellIndex];
      }
    }
  }
  nameCells();
  document.addEventListener('figures', nameCells);
})();
