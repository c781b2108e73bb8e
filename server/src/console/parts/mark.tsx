/** The logo of the product, in the colour of the text around it. */
export function Mark() {
  return (
    <svg
      viewBox="0 0 32 32"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      stroke-width="3"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <circle cx="16" cy="16" r="5" fill="currentColor" stroke="none" />
      <path d="M7 7a13 13 0 0 0 0 18M25 7a13 13 0 0 1 0 18" />
    </svg>
  );
}
