/** The version of package.json, set by the build. Undefined if the source runs unbuilt. */
declare const __VERSION__: string | undefined;

interface Navigator {
  /** Global Privacy Control (https://www.w3.org/TR/gpc/), not in TypeScript's DOM types yet. */
  readonly globalPrivacyControl?: boolean;
}

interface Document {
  /** Set while Chromium prerenders the page, until a person opens it. Not in TypeScript's DOM types yet. */
  readonly prerendering?: boolean;
}
