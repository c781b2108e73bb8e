import { useConsole } from '../context.js';
import { formatExactTime, formatTime } from './format.js';

interface ChoiceProps {
  name: string;
  label: string;
  chosen: string;
  /** Value and words of each. */
  choices: readonly (readonly [value: string, words: string])[];
  /** True where its words need no label beside them. */
  isBare?: boolean;
}

/** A field that chooses among a few. */
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

/** Chooses whether the orders of what is added are live or test orders: `test` is `yes` for the latter. */
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

/** Attributes of a field that was not accepted: the page opens at it, and its reason is read out with it. */
export function refusedField(reasonId: string) {
  return { 'aria-invalid': 'true', 'aria-describedby': reasonId, autofocus: true } as const;
}

/** Attributes of a field that takes no words of a language. */
export const plainText = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

/** A time, with its second and zone on pointing at it. */
export function Time({ at }: { at: Date }) {
  const { viewer } = useConsole();
  return (
    <time datetime={at.toISOString()} title={formatExactTime(at, viewer)}>
      {formatTime(at, viewer)}
    </time>
  );
}
