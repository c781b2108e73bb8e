import { plainText, refusedField } from '../../../console/parts/elements.js';

interface SourceSecretProps {
  /** Id of the secret's source, or `new`. */
  id: string;
  label: string;
  /** Reason why the last secret was not saved; null if no secret was refused. */
  hint: string | null;
}

/** The field of a source's signing secret. */
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
