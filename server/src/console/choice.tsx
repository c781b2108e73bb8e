interface ChoiceProps {
  name: string;
  label: string;
  chosen: string;
  /** Value and words of each. */
  choices: readonly (readonly [value: string, words: string])[];
}

/** A field that chooses among a few. */
export function Choice({ name, label, chosen, choices }: ChoiceProps) {
  return (
    <label>
      {label}
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
