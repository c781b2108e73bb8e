import { useConsole } from '../context.js';
import { Form } from '../parts/form.js';
import { formatNumber } from '../parts/formatNumber.js';
import type { Flash } from './storeRefused.js';

const names = ['stored', 'known', 'refused', 'left', 'discarded', 'restored'] as const;

/** A flash with the fields of the form that discarded reports, which restores them. */
export interface ShownFlash extends Flash {
  undo: string;
}

/** Reads what `flashParameters` wrote; null where there is nothing of it. */
export function readFlash(asked: Record<string, string>): ShownFlash | null {
  if (!names.some((name) => name in asked)) return null;
  const [stored = 0, known = 0, refused = 0, left = 0, discarded = 0, restored = 0] = names.map((name) =>
    /^\d{1,7}$/.test(asked[name] ?? '') ? Number(asked[name]) : 0,
  );
  return { stored, known, refused, left, discarded, restored, undo: asked.undo ?? '' };
}

/** Parameters of the address of the page that shows a flash. */
export function flashParameters(flash: Partial<Flash>, undo = ''): string {
  const parameters = new URLSearchParams();
  for (const name of names) if (flash[name]) parameters.set(name, String(flash[name]));
  if (undo !== '') parameters.set('undo', undo);
  if (parameters.size === 0) parameters.set('stored', '0');
  return `?${parameters}`;
}

/** Says what became of the reports that the viewer has just stored or discarded. */
export function FlashNotice({ stored, known, refused, left, discarded, restored, undo }: ShownFlash) {
  const { viewer } = useConsole();
  const count = (n: number, one: string, many: string) =>
    n > 0 ? `${formatNumber(n, viewer)} ${n === 1 ? one : many} ` : '';
  const isAllDone = refused === 0 && left === 0;
  const words =
    count(stored, 'order is stored.', 'orders are stored.') +
    count(known, 'was already stored, and still counts once.', 'were already stored, and still count once.') +
    count(discarded, 'report is discarded.', 'reports are discarded.') +
    count(restored, 'report is restored.', 'reports are restored.') +
    count(refused, 'was refused again, and stays below.', 'were refused again, and stay below.') +
    count(left, 'is left: press once more.', 'are left: press once more.');
  return (
    <div role="status" class={`notice ${isAllDone ? 'good' : 'bad'}`}>
      <p>{words.trim() || 'Nothing was left to do. Someone else has already done it.'}</p>
      {discarded > 0 && undo !== '' && (
        <Form action="/refused/restore" class="inline">
          <input type="hidden" name="undo" value={undo} />
          <button type="submit" class="secondary">
            Undo
          </button>
        </Form>
      )}
    </div>
  );
}
