/** Filled in by the build from package.json; undefined when the source runs unbuilt. */
declare const __VERSION__: string | undefined;

interface Navigator {
  /** Global Privacy Control (https://www.w3.org/TR/gpc/), not in TypeScript's DOM types yet. */
  readonly globalPrivacyControl?: boolean;
}
