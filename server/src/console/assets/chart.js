// Draws the table of figures as stacked bars.
(() => {
  const box = document.getElementById('chart');
  const table = document.getElementById('figures');
  if (!box || !table || !window.uPlot) return;
  const heightPx = 260;
  const numbers = new Intl.NumberFormat(document.documentElement.dataset.locale);

  const rows = [...table.tBodies[0].rows].reverse();
  const textOf = (cell) => cell.textContent.trim();
  const headings = [...table.tHead.rows[0].cells].map(textOf);
  const titles = headings.slice(1, 4);
  const values = titles.map((_, at) => rows.map((row) => Number(row.cells[at + 1].dataset.value)));
  // Each series is drawn from the floor up to its sum with those before it, the highest first.
  const sums = values.map((_, at) =>
    rows.map((_, n) => values.slice(0, at + 1).reduce((s, v) => s + v[n], 0)),
  );

  let plot;
  function draw() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--pico-color'),
      grid: { stroke: color('--pico-muted-border-color'), width: 1 },
      ticks: { show: false },
    };
    plot?.destroy();
    plot = new uPlot(
      {
        width: box.clientWidth,
        height: heightPx,
        scales: {
          x: { time: false, range: [-0.5, rows.length - 0.5] },
          y: { range: (_, _min, max) => [0, Math.max(1, max * 1.05)] },
        },
        axes: [
          {
            ...axis,
            incrs: [1, 2, 3, 4, 6, 12],
            space: 90,
            values: (_, at) => at.map((n) => (rows[n] ? textOf(rows[n].cells[0]) : '')),
          },
          { ...axis, size: 72, values: (_, at) => at.map((value) => numbers.format(value)) },
        ],
        cursor: { drag: { x: false, y: false } },
        series: [
          { label: headings[0], value: (_, _at, __, n) => (n === null ? '' : textOf(rows[n].cells[0])) },
          ...titles
            .map((label, at) => ({
              label,
              fill: color(`--series-${at}`),
              width: 0,
              points: { show: false },
              paths: uPlot.paths.bars({ size: [0.8, 60] }),
              // The figure itself, not the sum that it is drawn at.
              value: (_, _at, __, n) => (n === null ? '' : textOf(rows[n].cells[at + 1])),
            }))
            .reverse(),
        ],
      },
      [rows.map((_, n) => n), ...[...sums].reverse()],
      box,
    );
  }

  box.hidden = false;
  draw();
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: heightPx })).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
