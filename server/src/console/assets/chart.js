// Draws the figures by time as stacked bars, with a tooltip. Draws them anew when the page gets new figures.
(() => {
  const heightPx = 260;
  const numbers = new Intl.NumberFormat(document.documentElement.dataset.locale);
  /** Distances between the numbers of the axis that counts orders: 1, 2, 5, 10, … */
  const wholeSteps = Array.from({ length: 30 }, (_, n) => [1, 2, 5][n % 3] * 10 ** Math.floor(n / 3));
  let plot;
  let box;

  function draw() {
    plot?.destroy();
    box = document.getElementById('chart');
    if (!box || !window.uPlot) return;
    const { titles, isMoney, buckets } = JSON.parse(box.dataset.chart);
    const values = titles.map((_, at) => buckets.map((bucket) => bucket.values[at]));
    // Each series is drawn from the floor up to its sum with those before it, the highest first.
    const sums = values.map((_, at) =>
      buckets.map((_, n) => values.slice(0, at + 1).reduce((s, v) => s + v[n], 0)),
    );
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--pico-color'),
      grid: { stroke: color('--pico-muted-border-color'), width: 1 },
      ticks: { show: false },
    };
    box.hidden = false;
    plot = new uPlot(
      {
        width: box.clientWidth,
        height: heightPx,
        legend: { show: false },
        scales: {
          x: { time: false, range: [-0.5, buckets.length - 0.5] },
          y: { range: (_, _min, max) => [0, Math.max(1, max * 1.05)] },
        },
        axes: [
          {
            ...axis,
            incrs: [1, 2, 3, 4, 6, 12, 24],
            space: 80,
            values: (_, at) => at.map((n) => buckets[n]?.mark ?? ''),
          },
          {
            ...axis,
            ...(!isMoney && { incrs: wholeSteps }),
            size: (_, words) => 16 + 8 * Math.max(2, ...(words ?? []).map(({ length }) => length)),
            values: (_, at) => at.map((value) => numbers.format(value)),
          },
        ],
        cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
        series: [
          {},
          ...titles
            .map((_, at) => ({
              fill: color(`--series-${at}`),
              width: 0,
              points: { show: false },
              paths: uPlot.paths.bars({ size: [0.8, 60] }),
            }))
            .reverse(),
        ],
        plugins: [tooltip(titles, buckets)],
      },
      [buckets.map((_, n) => n), ...[...sums].reverse()],
      box,
    );
  }

  /** Shows the figures of the bucket that is pointed at, and their total. */
  function tooltip(titles, buckets) {
    const tip = document.createElement('div');
    tip.className = 'tip';
    function setCursor({ over, cursor: { idx, left } }) {
      const bucket = left >= 0 ? buckets[idx] : undefined;
      tip.hidden = !bucket;
      if (!bucket) return;
      const parts = titles.map((title, at) => `${title}: ${bucket.words[at]}`);
      const lines = [
        bucket.name,
        `Total: ${bucket.together}`,
        ...parts.filter((_, at) => bucket.values[at] > 0),
      ];
      tip.replaceChildren(
        ...lines.map((text) => Object.assign(document.createElement('div'), { textContent: text })),
      );
      // On the side with more room.
      const isLeft = left > over.clientWidth / 2;
      tip.style.left = isLeft ? '' : `${left + 12}px`;
      tip.style.right = isLeft ? `${over.clientWidth - left + 12}px` : '';
    }
    return { hooks: { init: ({ over }) => over.append(tip), setCursor } };
  }

  draw();
  new ResizeObserver(() => {
    if (box?.clientWidth) plot?.setSize({ width: box.clientWidth, height: heightPx });
  }).observe(document.getElementById('content'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  document.addEventListener('figures', draw);
})();
