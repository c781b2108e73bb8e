/** The SDK's version, set by the build. `dev` when the source runs unbuilt. */
export const sdkVersion: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'dev';
