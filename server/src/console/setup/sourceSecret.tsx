import { plainText, refusedField } from '../parts/elements.js';
import type { SourceRefusal } from './sources.js';

interface SourceSecretProps {
  /** The id of its source, or `new`. */
  id: string;
  label: string;
  refusal: SourceRefusal | null;
}

/** The field of a source's signing secret, with the reason why the last one was not saved. */
export function SourceSecret({ id, label, refusal }: SourceSecretProps) {
  const isRefused = refusal?.source === id && !refusal.isOfAccess;
  return (
    <label class="grow">
      <span class="hidden">{label}</span>
      <input
        name="secret"
        type="password"
        required={id !== 'new'}
        maxlength={255}
        placeholder={label}
        {...plainText}
        {...(isRefused && refusedField(`refusal-${id}`))}
      />
      {isRefused && (
        <small id={`refusal-${id}`} role="alert">
          Not saved: {refusal.hint}.
        </small>
      )}
    </label>
  );
}
