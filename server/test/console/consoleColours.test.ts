import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const [look, css] = ['look.css', 'console.css'].map((name) =>
  readFileSync(new URL(`../../src/console/assets/${name}`, import.meta.url), 'utf8'),
) as [string, string];

/** Reads the colours of a block of the style sheet in light or dark mode, by their names. */
function coloursOf(block: string, scheme: 'light' | 'dark') {
  const colours = new Map<string, string>();
  for (const [, name, value] of block.matchAll(/--([\w-]+): ([^;]+);/g)) {
    const [, light, dark] = /light-dark\((#\w+), (#\w+)\)/.exec(value!) ?? [];
    const [, other] = /^var\(--([\w-]+)\)$/.exec(value!) ?? [];
    const colour = other ? colours.get(other) : light ? (scheme === 'light' ? light : dark) : value;
    if (colour?.startsWith('#')) colours.set(name!, colour);
  }
  return colours;
}

/** Computes the relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const hex = colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const grounds = ['page', 'surface', 'sunken'] as const;
const texts = [
  ...['ink', 'muted', 'accent'].flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...['good', 'bad', 'warn'].map((tone) => [tone, `${tone}-tint`] as const),
  ...['good', 'bad', 'warn'].map((tone) => ['ink', `${tone}-tint`] as const),
];
const shapes = [
  ['edge', 'page'],
  ['edge', 'surface'],
  ['series-1', 'surface'],
  ['series-2', 'surface'],
] as const;

it.each(['light', 'dark'] as const)(
  'texts of %s pages are readable, and controls and charts seen',
  (scheme) => {
    const [usual] = /:root:not\(\[data-theme\]\) \{.*?\n\}/s.exec(look)!;
    const [test] = /:root\[data-mode="test"\].*?\n\}/s.exec(css)!;
    const all = coloursOf(usual, scheme);
    for (const colours of [all, new Map([...all, ...coloursOf(usual + test, scheme)])]) {
      for (const [text, ground] of texts)
        expect([text, ground, contrast(colours.get(text)!, colours.get(ground)!) >= 4.5]).toEqual([
          text,
          ground,
          true,
        ]);
      for (const [shape, ground] of shapes)
        expect([shape, ground, contrast(colours.get(shape)!, colours.get(ground)!) >= 3]).toEqual([
          shape,
          ground,
          true,
        ]);
      expect(contrast('#ffffff', colours.get('accent-fill')!)).toBeGreaterThanOrEqual(4.5);
    }
  },
);
