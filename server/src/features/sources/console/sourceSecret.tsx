import { plainText, refusedField } from '../../../console/parts/elements.js';

interface SourceSecretProps {
  /** The id of its source, or `new`. */
  id: string;
  label: string;
  /** The reason why the last one was not saved; null for none. */
  hint: string | null;
}

/** The field of a source's signing secret, with the reason why the last one was not saved. */
export function SourceSecret({ id, label, hint }: SourceSecretProps) {
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
        {...(hint !== null && refusedField(`refusal-${id}`))}
      />
      {hint !== null && (
        <small id={`refusal-${id}`} role="alert">
          Not saved: {hint}.
        </small>
      )}
    </label>
  );
}
