import type { Need } from '../../console/part.js';
import { Notice } from '../../console/parts/panel.js';

/** Faults that need somebody: the worst in words, and others as links. */
export function Trouble({ needs }: { needs: readonly Need[] }) {
  const [worst, ...others] = needs;
  if (!worst) return null;
  return (
    <Notice
      tone={worst.tone}
      actions={
        <>
          {others.length > 0 && (
            <p>
              Also:{' '}
              {others.map(({ href, title }, at) => (
                <>
                  {at > 0 && ', '}
                  <a href={href}>{title.replace(/\.$/, '')}</a>
                </>
              ))}
            </p>
          )}
          <a class="button" href={worst.href}>
            {worst.button}
          </a>
        </>
      }
    >
      <strong class="tone">{worst.title}</strong> {worst.about}
    </Notice>
  );
}
