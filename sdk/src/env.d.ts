/** Filled in by the build from package.json. */
declare const __VERSION__: string;

interface Navigator {
  /** Global Privacy Control (https://www.w3.org/TR/gpc/), not in TypeScript's DOM types yet. */
  readonly globalPrivacyControl?: boolean;
}
