import { useConsole } from '../context.js';
import { formatExactTime, formatTime } from './format.js';

interface ChoiceProps {
  name: string;
  label: string;
  chosen: string;
  /** Value and words of each choice. */
  choices: readonly (readonly [value: string, words: string])[];
  /** Hides the label, if the words of the choices need none. */
  isBare?: boolean;
}

/** A field that chooses one of a few values. */
export function Choice({ name, label, chosen, choices, isBare }: ChoiceProps) {
  return (
    <label>
      {isBare ? <span class="hidden">{label}</span> : label}
      <select name={name}>
        {choices.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A field that chooses the mode of the orders of a new domain or key: `test` is `yes` for test orders. */
export function ModeChoice({ isTest }: { isTest: boolean }) {
  return (
    <Choice
      name="test"
      label="Its orders are"
      isBare
      chosen={isTest ? 'yes' : ''}
      choices={[
        ['', 'Live orders'],
        ['yes', 'Test orders'],
      ]}
    />
  );
}

/** Returns attributes of a field that was not accepted. The browser focuses it, and screen readers read out the reason. */
export function refusedField(reasonId: string) {
  return { 'aria-invalid': 'true', 'aria-describedby': reasonId, autofocus: true } as const;
}

/** Attributes of a field whose text is no prose, such as an email. */
export const plainText = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

/** A time. When it is pointed at, it shows its second and zone. */
export function Time({ at }: { at: Date }) {
  const { viewer } = useConsole();
  return (
    <time datetime={at.toISOString()} title={formatExactTime(at, viewer)}>
      {formatTime(at, viewer)}
    </time>
  );
}
